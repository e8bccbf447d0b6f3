import { describe, expect, it } from 'vitest'
import { testApi } from '../../../support/http.ts'

const CANARY = 'CANARY-4711'

describe('values of env and http_headers', () => {
  it('appear in no event, transcript, or approval, whatever their origin [I22 M31]', async () => {
    const web = { check: () => undefined, send: async () => ({ ok: false, error: 'x' }) as const }
    const api = await testApi({ web })
    const put = JSON.stringify({
      name: 'zz',
      command: 'x',
      env: { T: CANARY },
      headers: { A: CANARY },
    })
    const json = {
      input: `@call mcp_put_server ${put}\n@say done`,
      mcp_servers: {
        e: { url: 'https://x.example/mcp', http_headers: { 'X-Key': CANARY } },
        f: { command: 'x', env: { B: CANARY } },
      },
    }
    const { status, body } = await api.call('POST', '/v1/runs', { json })
    expect(status).toBe(202)
    await api.settle()
    // The script stands in the input, and so does what the caller wrote there.
    const input = json.input
    for (const path of ['', '/events', '/transcript', '/tree', '/children']) {
      const { text } = await api.call('GET', `/v1/runs/${body.id}${path}`)
      const shown = text.replaceAll(JSON.stringify(input).slice(1, -1), '')
      expect([path, shown.includes(CANARY)]).toEqual([path, false])
    }
    expect((await api.call('GET', '/v1/approvals')).text).not.toContain(CANARY)
    const events = (await api.call('GET', `/v1/runs/${body.id}/events`)).body.data
    expect(JSON.stringify(events[0].data.mcp_servers)).toContain('[redacted]')
  })
})

describe('a cancelled run', () => {
  it('reports no live children', async () => {
    const api = await testApi()
    const input = '@spawn 3 {"task":"@say x"}\n@await\n@say y'
    const { body } = await api.call('POST', '/v1/runs', { json: { input } })
    const wakes = api.world.queue.take()
    const { dispatch: handle } = await import('../../../../src/engine/dispatch.ts')
    const { withTime } = await import('../../../support/drive.ts')
    await withTime(api.world, Promise.all(wakes.map((wake) => handle(api.world, wake))))
    await api.call('POST', `/v1/runs/${body.id}/cancel`)
    await api.settle()
    const run = (await api.call('GET', `/v1/runs/${body.id}`)).body
    expect(run).toMatchObject({ status: 'cancelled', children: { total: 3, live: 0 } })
  })
})

describe('POST /v1/runs with Accept: text/event-stream', () => {
  it('422 requires a webhook secret, because the stream cannot show a generated one', async () => {
    const web = { check: () => undefined, send: async () => ({ ok: false, error: 'x' }) as const }
    const api = await testApi({ web })
    const { status, body } = await api.call('POST', '/v1/runs', {
      json: { input: 'x', webhook: { url: 'https://example.com' } },
      headers: { accept: 'text/event-stream' },
    })
    expect([status, body.errors[0].pointer]).toEqual([422, '/webhook/secret'])
  })
})
