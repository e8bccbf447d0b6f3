/** Refusals of models whose headers come and whose bodies never end. */

import { expect, it } from 'vitest'
import { startCannedServer } from '../support/canned-server.ts'
import { cleanup } from '../support/cleanup.ts'
import { startNodeApi } from '../support/node-api.ts'
import { runToEnd } from '../support/node-client.ts'

it.each([
  [503, 'openai-compatible', 'model_unavailable'],
  [401, 'openai-compatible', 'model_unauthorized'],
  [503, 'anthropic', 'model_unavailable'],
  [401, 'google', 'model_unauthorized'],
] as const)(
  'status %i of %s is processed without waiting for the end of its body',
  async (status, kind, code) => {
    let calls = 0
    const server = await startCannedServer((_, response) => {
      calls += 1
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      response.write('{"error":{"message":"busy')
    })
    cleanup.push(server.close)
    const provider = { kind, base_url: `${server.origin}/v1`, key: 'k-1234' }
    const STRATA_PROVIDERS = JSON.stringify({ providers: { a: provider }, default: 'a/one' })
    const api = await startNodeApi({ STRATA_PROVIDERS, STRATA_MODEL: '' })
    const run = await runToEnd(api, { input: 'hi', limits: { timeout_seconds: 60 } })
    expect(run.error.code).toBe(code)
    expect(run.error.message).toContain(String(status === 503 ? 503 : 'API key'))
    expect(calls).toBe(status === 503 ? 3 : 1)
  },
)
