/** Vectors of texts, asked of a server that speaks OpenAI's `/embeddings`. */

import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { modelConfigFromEnv } from '../../../../src/hosts/models/config.ts'
import { createModel } from '../../../../src/hosts/models/model.ts'
import { startCannedServer } from '../../../support/canned-server.ts'
import { cleanup } from '../../../support/cleanup.ts'

async function asked(reply: (response: ServerResponse) => void) {
  const server = await startCannedServer((_, response) => reply(response))
  cleanup.push(server.close)
  const p = { kind: 'openai-compatible', base_url: `${server.origin}/v1`, key: 'sk-embed-1234' }
  const STRATA_PROVIDERS = JSON.stringify({ providers: { p }, aliases: { Embedding: 'p/e' } })
  const model = createModel(modelConfigFromEnv({ STRATA_PROVIDERS }))
  const answer = await model.embedding!.embed(['a', 'b'], new AbortController().signal)
  return { answer, received: server.received[0]! }
}

const json =
  (status: number, body: unknown) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
const vectors = (...embeddings: readonly unknown[]) =>
  json(200, { data: embeddings.map((embedding, index) => ({ index, embedding })) })

it('all texts are embedded in one request, with the key', async () => {
  const { answer, received } = await asked(vectors([1, 2], [3, 4]))
  expect(answer).toEqual({
    ok: true,
    value: [
      [1, 2],
      [3, 4],
    ],
  })
  expect(received).toMatchObject({
    url: '/v1/embeddings',
    headers: { authorization: 'Bearer sk-embed-1234' },
  })
  expect(JSON.parse(received.body)).toEqual({
    model: 'e',
    input: ['a', 'b'],
    encoding_format: 'float',
  })
})

it.each([
  ['too few', vectors([1, 2]), 'rejected', '1 vectors for 2 texts'],
  ['no list', json(200, { data: null }), 'rejected', 'no vectors for 2 texts'],
  ['no numbers', vectors([1, 'x'], [3, 4]), 'rejected', 'no vectors for 2 texts'],
  ['null', json(200, null), 'rejected', 'no vectors for 2 texts'],
  ['429', json(429, { error: { message: 'slow down' } }), 'rate_limited', 'slow down'],
  ['401', json(401, { error: { message: 'no' } }), 'unauthorized', 'p rejected the API key: no'],
])('%s is a failure', async (_, reply, code, message) => {
  const { answer } = await asked(reply)
  expect(answer).toMatchObject({
    ok: false,
    error: { code, message: expect.stringContaining(message) },
  })
})

it('a page instead of JSON is a failure', async () => {
  const { answer } = await asked((response) => response.end('<html>'))
  expect(answer).toMatchObject({ ok: false, error: { code: 'unavailable' } })
})
