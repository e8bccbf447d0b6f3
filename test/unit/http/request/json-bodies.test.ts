import { describe, expect, it } from 'vitest'
import { testApi } from '../../../support/http.ts'

describe('JSON bodies', () => {
  it('400 for a duplicate member with its pointer, on every route alike [J07]', async () => {
    const api = await testApi()
    const headers = { 'content-type': 'application/json' }
    const cases = [
      ['POST', '/v1/runs', '{"input":"@say x","metadata":{"a":"1","a":"2"}}', '/metadata/a'],
      ['PUT', '/v1/policy', '{"deny":{"tools":["x"]},"deny":{}}', '/deny'],
      ['POST', '/v1/hooks', '{"scheme":"standard","scheme":"github"}', '/scheme'],
    ] as const
    for (const [method, path, body, pointer] of cases) {
      const answer = await api.call(method, path, { body, headers })
      expect([answer.status, answer.body.code], path).toEqual([400, 'invalid_json'])
      expect(answer.body.errors[0].pointer, path).toBe(pointer)
    }
    expect(api.errors).toEqual([])
  })

  it('400 and never 500 for a body or an /mcp call beyond the limits [J05]', async () => {
    const api = await testApi()
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const call = (given: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"skill_list","arguments":${given}}}`
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const wide = `[${Array(100_000).fill(0)}]`
    for (const given of [deep, wide, '{"a":1,"a":2}']) {
      const answer = await api.call('POST', '/mcp', { body: call(given), headers })
      expect([answer.status, answer.body.error?.code], given.slice(0, 20)).toEqual([400, -32_700])
      const run = await api.call('POST', '/v1/runs', { body: `{"input":${given}}`, headers })
      expect(run.status, given.slice(0, 20)).toBe(400)
    }
    expect(api.errors).toEqual([])
  })
})
