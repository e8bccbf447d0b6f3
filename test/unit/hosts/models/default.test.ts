/** With a server alone, the default model is the first that it lists. */

import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { startCannedServer } from '../../../support/canned-server.ts'
import { cleanup } from '../../../support/cleanup.ts'

const KEY = 'sk-default-0123456789'

async function listing(answer: (response: ServerResponse, call: number) => void) {
  let call = 0
  const server = await startCannedServer((_, response) => answer(response, call++))
  cleanup.push(server.close)
  const env = { OPENAI_BASE_URL: `${server.origin}/v1`, OPENAI_API_KEY: KEY }
  return { server, env, model: createModel(modelConfigFromEnv(env)) }
}
const json = (response: ServerResponse, body: unknown, status = 200) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
const LIST = { object: 'list', data: [{ id: 'meta/Llama-4' }, { id: 'other' }] }

it('the default model is read once per process, with the key, and every alias resolves to it', async () => {
  const { model, server, env } = await listing((response) => json(response, LIST))
  expect(model.find(undefined)).toMatchObject({ ok: false })
  await model.ready?.()
  expect(model.find(undefined)).toMatchObject({ ok: true, value: { id: 'openai/meta/Llama-4' } })
  expect(model.find('sonnet')).toEqual(model.find(undefined))
  const again = createModel(modelConfigFromEnv(env))
  await again.ready?.()
  expect(again.find(undefined)).toMatchObject({ ok: true })
  expect(server.received).toHaveLength(1)
  expect(server.received[0]).toMatchObject({
    url: '/v1/models',
    headers: { authorization: `Bearer ${KEY}` },
  })
})

it('a failed read is an error with a remedy, and the next read retries', async () => {
  const { model } = await listing((response, call) =>
    call === 0 ? json(response, { error: KEY }, 500) : json(response, LIST),
  )
  await model.ready?.()
  const failed = model.find(undefined)
  expect(!failed.ok && failed.error.message).toMatch(
    /responded with 500 to GET \/models.*STRATA_MODEL/,
  )
  expect(JSON.stringify(failed)).not.toContain(KEY)
  await model.ready?.()
  expect(model.find(undefined)).toMatchObject({ ok: true })
})

it.each([
  ['no list', { data: [] }],
  ['something else', ['x']],
])('%s yields no default model', async (_, body) => {
  const { model } = await listing((response) => json(response, body))
  await model.ready?.()
  expect(model.find(undefined)).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('is empty') },
  })
})

it('no model list is read when the deployment sets its model', () => {
  const env = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', STRATA_MODEL: 'openai/x' }
  expect(createModel(modelConfigFromEnv(env))).not.toHaveProperty('ready')
})
