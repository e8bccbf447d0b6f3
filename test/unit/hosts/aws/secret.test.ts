/** Variables from AWS Secrets Manager, by its protocol: one request when a function starts. */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withSecret } from '../../../../src/hosts/aws/secret.ts'

const NAMED = { STRATA_SECRET: 'strata/settings', STRATA_SECRET_VARIABLES: 'STRATA_MASTER_KEY,KEY' }

/** What is answered next: a status and a body. */
let answer: readonly [number, object] = [200, {}]
let asked: { headers: IncomingHttpHeaders; body: unknown }[] = []
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  asked.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
  response.writeHead(answer[0], { 'content-type': 'application/x-amz-json-1.1' })
  response.end(JSON.stringify(answer[1]))
})

beforeEach(async () => {
  asked = []
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${port}`)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

const secret = (text: string): void => {
  answer = [200, { Name: 'strata/settings', SecretString: text }]
}

it('the secret adds the named variables, and no others, to the environment', async () => {
  secret(JSON.stringify({ STRATA_MASTER_KEY: 'a'.repeat(64), KEY: 'k', OTHER: 'not asked for' }))
  const env = await withSecret({ ...NAMED, PLAIN: 'x' })
  expect(env).toEqual({ ...NAMED, PLAIN: 'x', STRATA_MASTER_KEY: 'a'.repeat(64), KEY: 'k' })
  expect(asked).toMatchObject([
    {
      headers: { 'x-amz-target': 'secretsmanager.GetSecretValue' },
      body: { SecretId: 'strata/settings' },
    },
  ])
})

it.each([
  [
    'one is missing',
    JSON.stringify({ KEY: 'worth-hiding' }),
    /has no string value for STRATA_MASTER_KEY$/,
  ],
  ['one is no text', JSON.stringify({ STRATA_MASTER_KEY: 7, KEY: 'k' }), /STRATA_MASTER_KEY$/],
  ['it is no JSON', 'worth-hiding', /must contain a JSON object$/],
  ['it is a list', '["worth-hiding"]', /must contain a JSON object$/],
])('when %s an error names the problem, and no value', async (_, text, said) => {
  secret(text)
  const error = await withSecret(NAMED).catch((thrown: Error) => thrown)
  expect((error as Error).message).toMatch(said)
  expect((error as Error).message).not.toContain('worth-hiding')
})

it('an unreadable secret is reported by name with the reason', async () => {
  answer = [400, { __type: 'AccessDeniedException', Message: 'not authorized' }]
  await expect(withSecret(NAMED)).rejects.toThrow(
    /STRATA_SECRET=strata\/settings cannot be read: AccessDeniedException: not authorized/,
  )
})
