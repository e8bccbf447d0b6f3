/**
 * Google's streamGenerateContent, by key and by Vertex AI.
 * https://ai.google.dev/api/generate-content, https://ai.google.dev/gemini-api/docs/thinking,
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference and
 * https://developers.google.com/identity/protocols/oauth2/service-account (read 2026-11-23).
 */

import { createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { modelFetch } from '../../../../../src/hosts/node/model-fetch.ts'
import { events, KEY, refuses, wired, wireSuite } from './wire.ts'

const usageMetadata = {
  promptTokenCount: 12,
  cachedContentTokenCount: 8,
  candidatesTokenCount: 3,
  thoughtsTokenCount: 2,
  totalTokenCount: 17,
}
const said = (parts: readonly object[], finishReason?: string) => ({
  candidates: [
    { content: { parts, role: 'model' }, index: 0, ...(finishReason ? { finishReason } : {}) },
  ],
  usageMetadata,
  modelVersion: 'gemini-2.5-flash',
})
const error = (code: number, status: string, message: string) => ({
  error: { code, status, message },
})
const TEXT = events([
  said([{ text: 'hm', thought: true }]),
  said([{ text: 'Hel' }]),
  said([{ text: 'lo' }], 'STOP'),
])
const DIALECT = {
  text: TEXT,
  call: events([said([{ functionCall: { name: 'file_read', args: { path: 'a' } } }], 'STOP')]),
  refusal: events([said([], 'SAFETY')]),
  busy: refuses(429, error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded'), { 'retry-after': '7' }),
  tooLong: refuses(
    400,
    error(
      400,
      'INVALID_ARGUMENT',
      'The input token count (9) exceeds the maximum number of tokens allowed (8).',
    ),
  ),
  picture: (data: string) => ({ mimeType: 'image/png', data }),
  pdf: (data: string) => ({ mimeType: 'application/pdf', data }),
  badKey: refuses(403, error(403, 'PERMISSION_DENIED', `API key not valid: ${KEY}`)),
}

const WIRE = { provider: { kind: 'google', key: KEY }, base: '/v1beta', model: 'gemini-2.5-flash' }
wireSuite('google', WIRE, DIALECT)

it('google: the key is sent as a header, a thinking budget as a separate member', async () => {
  const { say, server, sent } = await wired(WIRE, TEXT)
  await say({ settings: { thinking_budget: 64, temperature: 0, stop: ['END'] } })
  expect(server.received[0]).toMatchObject({
    url: '/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': KEY },
  })
  expect(sent().generationConfig).toMatchObject({
    ...{ temperature: 0, stopSequences: ['END'], thinkingConfig: { thinkingBudget: 64 } },
  })
})

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const service_account = JSON.stringify({
  client_email: 'agent@project.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  private_key_id: 'key-1',
})
const exchanges: string[] = []
const VERTEX = {
  provider: { kind: 'vertex', project: 'p-1', location: 'europe-west1', service_account },
  base: '/v1beta1/projects/p-1/locations/europe-west1/publishers/google',
  model: 'gemini-2.5-flash',
  connect: (): typeof fetch => {
    const real = modelFetch()
    return async (input, init) => {
      if (String(input) !== 'https://oauth2.googleapis.com/token') return real(input, init)
      exchanges.push(String(init?.body))
      return Response.json({ access_token: KEY, expires_in: 3_600 })
    }
  },
}
wireSuite('vertex', VERTEX, DIALECT)

it('vertex: an assertion signed by the service account is exchanged once for consecutive calls', async () => {
  const { say, server } = await wired(VERTEX, TEXT)
  exchanges.length = 0
  await say()
  await say({ model: 'p/gemini-2.5-flash' })
  expect(exchanges).toHaveLength(1)
  const assertion = new URLSearchParams(exchanges[0]).get('assertion') ?? ''
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  expect(verify.verify(publicKey, signature, 'base64url')).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'agent@project.iam.gserviceaccount.com',
    aud: 'https://oauth2.googleapis.com/token',
  })
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${KEY}`,
    `Bearer ${KEY}`,
  ])
})
