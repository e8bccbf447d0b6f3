import { describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { putFiles } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { agent, skill } from '../../../support/layers.ts'

const create = async (api: TestApi, json: object = {}, headers = {}): Promise<string> => {
  await api.world.clock.advance(1)
  const answer = await api.call('POST', '/v1/runs', { json: { input: '@say x', ...json }, headers })
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
  return answer.body.id
}
const get = async (api: TestApi, path: string) => (await api.call('GET', path)).body

describe('GET /v1/runs/{id}/config', () => {
  const FILES = {
    'base/.agents/agents/scout.md': agent('You look.', 'scout', 'tools: [Read, WebSearch]\n'),
    'base/.agents/skills/deploy/SKILL.md': skill('Deploys.', 'deploy'),
    'base/.agents/config.toml':
      '[mcp_servers.gone]\nurl = "https://gone.example/mcp"\nhttp_headers = { "X-Key" = "hush" }\n' +
      '[mcp_servers.off]\nurl = "https://off.example/mcp"\nenabled = false\n',
  }

  it('200 returns the configuration that the run received even after files change, without values', async () => {
    const api = await testApi()
    await putFiles(api.world, FILES)
    const id = await create(api, { agent: 'scout', limits: { max_steps: 7 } })
    await api.settle()
    const run = await get(api, `/v1/runs/${id}`)
    await putFiles(api.world, { 'base/.agents/agents/scout.md': agent('You do else.', 'scout') })
    const config = await get(api, `/v1/runs/${id}/config`)
    expect(config).toMatchObject({
      run_id: id,
      object: 'run.config',
      agent: { id: 'scout', layer: 'base/', path: 'base/.agents/agents/scout.md' },
      model: run.model,
      limits: { max_steps: 7 },
      config_digest: run.config_digest,
      layers: expect.arrayContaining([{ kind: 'base', layer: 'base/' }]),
    })
    expect(config.prompt).toContain('You look.')
    expect(config.agent.body_digest).toMatch(/^[0-9a-f]{64}$/)
    const tools = config.tools.map(({ name }: { name: string }) => name)
    expect(tools).toContain('file_read')
    expect(tools).not.toContain('web_search')
    expect(config.missing_tools).toEqual([
      expect.objectContaining({ tool: 'web_search', why: expect.stringContaining('provider') }),
    ])
    const missing = Object.fromEntries(
      config.missing_servers.map(({ name, code }: { name: string; code: string }) => [name, code]),
    )
    expect(missing).toMatchObject({ off: 'disabled' })
    expect(Object.keys(missing).sort()).toEqual(['gone', 'off'])
    expect(config.notes.join('\n')).toContain('gone')
    expect(config.skills).toEqual([expect.objectContaining({ id: 'deploy' })])
    expect(JSON.stringify(config)).not.toContain('hush')
    const after = await create(api, { agent: 'scout' })
    await api.settle()
    expect((await get(api, `/v1/runs/${after}/config`)).prompt).toContain('You do else.')
  })

  it('409 for a run that has not started, and 404 for an unknown run', async () => {
    const api = await testApi()
    const id = await create(api)
    const early = await api.call('GET', `/v1/runs/${id}/config`)
    expect([early.status, early.body.code]).toEqual([409, 'conflict'])
    expect(early.body.detail).toContain('has not started')
    await api.call('POST', `/v1/runs/${id}/cancel`)
    const never = await api.call('GET', `/v1/runs/${id}/config`)
    expect(never.body.detail).toContain('ended before it started')
    const none = await api.call('GET', `/v1/runs/run_${'0'.repeat(26)}/config`)
    expect(none.status).toBe(404)
  })
})

describe('wait=N', () => {
  it('200 runs, fan-outs, and sessions are returned when they end or when the time is up', async () => {
    const api = await testApi()
    const id = await create(api)
    const tasks = [{ task: '@say y' }]
    const fan = (await api.call('POST', '/v1/fanouts', { json: { tasks } })).body.id
    const session = (await get(api, `/v1/runs/${id}`)).session_id
    const paths = [`/v1/runs/${id}`, `/v1/fanouts/${fan}`, `/v1/sessions/${session}`]
    const late = await Promise.all(paths.map((path) => get(api, `${path}?wait=1`)))
    expect([late[0].status, late[1].status, late[2].current_run_id]).toEqual([
      'queued',
      'running',
      id,
    ])
    const waiting = Promise.all(paths.map((path) => get(api, `${path}?wait=60`)))
    await api.settle()
    const [run, fanout, idle] = await waiting
    expect([run.status, fanout.status, idle.current_run_id]).toEqual([
      'completed',
      'completed',
      null,
    ])
    const before = api.world.clock.now()
    await Promise.all(paths.map((path) => get(api, `${path}?wait=60`)))
    expect(api.world.clock.now() - before).toBeLessThan(1_000)
    for (const wait of ['61', '-1', 'x']) {
      expect((await api.call('GET', `/v1/runs/${id}?wait=${wait}`)).status).toBe(400)
    }
  })
})

describe('DELETE of an ended resource', () => {
  it('204 deletes a run with its subagents, and 409 while it is live or for a subagent', async () => {
    const api = await testApi()
    const id = await create(api, { input: '@spawn 1 {"task":"@say part"}\n@await\n@say all' })
    const live = await api.call('DELETE', `/v1/runs/${id}`)
    expect([live.status, live.body.detail]).toEqual([409, expect.stringContaining('cancel')])
    await api.settle()
    const [child] = (await get(api, `/v1/runs/${id}/children`)).data
    const below = await api.call('DELETE', `/v1/runs/${child.id}`)
    expect([below.status, below.body.code]).toEqual([409, 'conflict'])
    expect((await api.call('DELETE', `/v1/runs/${id}`)).status).toBe(204)
    expect((await api.call('GET', `/v1/runs/${id}`)).status).toBe(404)
    expect((await api.call('GET', `/v1/runs/${child.id}`)).status).toBe(404)
    expect((await get(api, '/v1/runs')).data).toEqual([])
    expect((await get(api, '/v1/runs?status=completed')).data).toEqual([])
    expect((await api.call('DELETE', `/v1/runs/${id}`)).status).toBe(404)
    await tick(api.world)
    await api.settle()
    expect(await api.world.store.read(`test/run/${id}`)).toEqual([])
  })

  it('204 deletes a fan-out with its runs, and 410 for a retry with its key', async () => {
    const api = await testApi()
    const json = { tasks: [{ task: '@say a' }, { task: '@say b' }] }
    const headers = { 'idempotency-key': 'delete-me-1' }
    const { id } = (await api.call('POST', '/v1/fanouts', { json, headers })).body
    expect((await api.call('DELETE', `/v1/fanouts/${id}`)).status).toBe(409)
    await api.settle()
    const { results } = await get(api, `/v1/fanouts/${id}`)
    expect((await api.call('DELETE', `/v1/fanouts/${id}`)).status).toBe(204)
    expect((await api.call('GET', `/v1/fanouts/${id}`)).status).toBe(404)
    expect((await api.call('GET', `/v1/runs/${results[0].run_id}`)).status).toBe(404)
    expect((await api.call('POST', '/v1/fanouts', { json, headers })).status).toBe(410)
    const run = { json: { input: '@say x' }, headers: { 'idempotency-key': 'delete-me-2' } }
    const made = (await api.call('POST', '/v1/runs', run)).body.id
    await api.settle()
    expect((await api.call('DELETE', `/v1/runs/${made}`)).status).toBe(204)
    expect((await api.call('POST', '/v1/runs', run)).status).toBe(410)
  })

  it('204 preserves what was written to a session that continues', async () => {
    const api = await testApi()
    const session = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    const first = await create(api, { session_id: session, input: '@say remembered' })
    await api.settle()
    const second = await create(api, { session_id: session })
    await api.settle()
    expect((await api.call('DELETE', `/v1/runs/${first}`)).status).toBe(204)
    const { data } = await get(api, `/v1/sessions/${session}/messages`)
    expect(JSON.stringify(data)).toContain('remembered')
    const runs = (await get(api, `/v1/sessions/${session}/runs`)).data
    expect(runs.map(({ id }: { id: string }) => id)).toEqual([second])
  })
})

describe('GET /v1/sessions', () => {
  it('200 lists every conversation, stored or not, once and in order across pages', async () => {
    const api = await testApi()
    const wanted: string[] = []
    const own = async () => {
      const id = await create(api)
      wanted.push((await get(api, `/v1/runs/${id}`)).session_id)
      return wanted.at(-1)!
    }
    const stored = async () => {
      await api.world.clock.advance(1)
      wanted.push((await api.call('POST', '/v1/sessions', { json: {} })).body.id)
      return wanted.at(-1)!
    }
    await own()
    const gone_on = await own()
    const made = await stored()
    await api.settle()
    await create(api, { session_id: made })
    await create(api, { session_id: gone_on })
    await own()
    const dropped = await own()
    await stored()
    await api.settle()
    expect((await api.call('DELETE', `/v1/sessions/${dropped}`)).status).toBe(204)
    const left = wanted.filter((id) => id !== dropped).reverse()
    for (const limit of [1, 2, 3, 50]) {
      const seen: string[] = []
      let cursor = ''
      do {
        const body = await get(api, `/v1/sessions?limit=${limit}${cursor && `&cursor=${cursor}`}`)
        expect(body.data.length).toBeLessThanOrEqual(limit)
        seen.push(...body.data.map(({ id }: { id: string }) => id))
        cursor = body.next_cursor
      } while (cursor)
      expect(seen).toEqual(left)
    }
    const { data } = await get(api, '/v1/sessions')
    for (const one of data) expect(await get(api, `/v1/sessions/${one.id}`)).toMatchObject(one)
  })
})
