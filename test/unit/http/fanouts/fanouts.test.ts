import { describe, expect, it } from 'vitest'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { ok } from '../../../../src/lib/outcome.ts'
import type { WebRequest } from '../../../../src/ports/world.ts'
import { testApi } from '../../../support/http.ts'
import { scriptModel } from '../../../support/script.ts'
import { together } from '../../../support/together.ts'

const say = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ task: `@say part ${index}`, label: `l${index}` }))

/** A web that takes every message. */
function receiver() {
  const posts: WebRequest[] = []
  const web = {
    check: () => undefined,
    send: async (request: WebRequest) => {
      posts.push(request)
      return ok({ status: 204, headers: {}, body: '' })
    },
  }
  return { posts, web }
}

describe('POST /v1/fanouts', () => {
  it('202 accepts the tasks and names the fan-out in Location, and GET returns all results', async () => {
    const api = await testApi()
    const { status, headers, body } = await api.call('POST', '/v1/fanouts', {
      json: { tasks: say(3), then: { input: '@say all {results}' } },
    })
    expect(status).toBe(202)
    expect(headers.get('location')).toBe(`/v1/fanouts/${body.id}`)
    expect(body).toMatchObject({
      object: 'fanout',
      status: 'running',
      children: { total: 3, queued: 3 },
      closing_run_id: null,
    })
    await api.settle()
    const after = (await api.call('GET', `/v1/fanouts/${body.id}`)).body
    expect(after).toMatchObject({
      status: 'completed',
      children: { total: 3, completed: 3, live: 0, queued: 0 },
      output: { text: 'all 3' },
    })
    expect(
      after.results.map((one: { result: string; label: string }) => [one.label, one.result]),
    ).toEqual([0, 1, 2].map((index) => [`l${index}`, `part ${index}`]))
    const run = (await api.call('GET', `/v1/runs/${after.results[0].run_id}`)).body
    expect(run).toMatchObject({ kind: 'subagent', fanout_id: body.id, parent_run_id: null })
    const closing = (await api.call('GET', `/v1/runs/${after.closing_run_id}`)).body
    expect(closing).toMatchObject({ kind: 'main', fanout_id: body.id, status: 'completed' })
  })

  it('a task reports why its run ended, and its output so far when it ended early', async () => {
    const api = await testApi()
    const cut = { task: '@finish length\n@say half of it' }
    const broken = { task: '@text so far\n@call file_list {}\n@then\n@fail 400' }
    const json = { tasks: [{ task: '@say whole' }, cut, broken] }
    const { body } = await api.call('POST', '/v1/fanouts', { json })
    const queued = (await api.call('GET', `/v1/fanouts/${body.id}/tasks`)).body.data
    expect(queued.map((one: { stop_reason: null }) => one.stop_reason)).toEqual([null, null, null])
    await api.settle()
    const told = [
      { stop_reason: 'end_turn', result: 'whole' },
      { stop_reason: 'max_tokens', result: 'half of it' },
      { stop_reason: 'error', status: 'failed', result: null, partial: 'so far' },
    ]
    const { results } = (await api.call('GET', `/v1/fanouts/${body.id}`)).body
    expect(results).toMatchObject(told)
    expect(results.map((one: object) => 'partial' in one)).toEqual([false, false, true])
    expect((await api.call('GET', `/v1/fanouts/${body.id}/tasks`)).body.data).toEqual(results)
  })

  it('accepts 1,000 tasks in one call and refuses 1,001', async () => {
    const api = await testApi()
    const { status, body } = await api.call('POST', '/v1/fanouts', { json: { tasks: say(1_000) } })
    expect(status).toBe(202)
    await api.settle()
    const after = (await api.call('GET', `/v1/fanouts/${body.id}`)).body
    expect(after.children).toMatchObject({ total: 1_000, completed: 1_000 })
    expect(new Set(after.results.map((one: { run_id: string }) => one.run_id)).size).toBe(1_000)
    const tooMany = await api.call('POST', '/v1/fanouts', { json: { tasks: say(1_001) } })
    expect([tooMany.status, tooMany.body.errors[0].pointer]).toEqual([422, '/tasks'])
  })

  it('accepts a body of up to 1 MiB', async () => {
    const api = await testApi()
    const json = (bytes: number) => ({ tasks: [{ task: 'x'.repeat(bytes) }] })
    expect((await api.call('POST', '/v1/fanouts', { json: json(900_000) })).status).toBe(202)
    const large = await api.call('POST', '/v1/fanouts', { json: json(1_100_000) })
    expect([large.status, large.body.code]).toEqual([413, 'too_large'])
  })

  it('422 points at the invalid task and stores nothing', async () => {
    const api = await testApi()
    const tasks = [...say(3), { task: 'x', agent: 'ghost' }]
    const { status, body } = await api.call('POST', '/v1/fanouts', { json: { tasks } })
    expect([status, body.code]).toEqual([422, 'unknown_agent'])
    expect(body.errors).toEqual([{ pointer: '/tasks/3/agent', message: 'unknown agent' }])
    expect(body.available).toContain('general')
    const unknown = await api.call('POST', '/v1/fanouts', {
      json: { tasks: [{ task: 'x', lane: 'main' }] },
    })
    expect(unknown.body.errors[0].pointer).toBe('/tasks/0/lane')
    expect((await api.call('GET', '/v1/fanouts')).body.data).toEqual([])
    expect((await api.call('GET', '/v1/runs')).body.data).toEqual([])
  })

  it('the same Idempotency-Key and body return the same fan-out', async () => {
    const api = await testApi()
    const headers = { 'idempotency-key': 'fan-out-0001' }
    const post = (json: unknown) => api.call('POST', '/v1/fanouts', { json, headers })
    const first = await post({ tasks: say(2) })
    const again = await post({ tasks: say(2) })
    expect(again.body.id).toBe(first.body.id)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await post({ tasks: say(3) })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
  })
})

describe('GET /v1/fanouts', () => {
  it('lists the newest first, and only those of the tenant', async () => {
    const api = await testApi()
    const ids: string[] = []
    for (let index = 0; index < 3; index += 1) {
      ids.push((await api.call('POST', '/v1/fanouts', { json: { tasks: say(1) } })).body.id)
      api.world.clock.advance(5)
    }
    const { data, has_more } = (await api.call('GET', '/v1/fanouts?limit=2')).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]])
    expect(has_more).toBe(true)
    for (const id of ['fan_0', `fan_${'0'.repeat(26)}`, 'run_x']) {
      expect((await api.call('GET', `/v1/fanouts/${id}`)).status).toBe(404)
      expect((await api.call('POST', `/v1/fanouts/${id}/cancel`)).status).toBe(404)
    }
  })

  it('numbers their events without gaps and reports each end once', async () => {
    const api = await testApi()
    const { id } = (await api.call('POST', '/v1/fanouts', { json: { tasks: say(2) } })).body
    await api.settle()
    const { data } = (await api.call('GET', `/v1/fanouts/${id}/events`)).body
    expect(data.map(({ seq }: { seq: number }) => seq)).toEqual(
      data.map((_: unknown, index: number) => index + 1),
    )
    const types = data.map(({ type }: { type: string }) => type)
    expect(types[0]).toBe('fanout.created')
    expect(types.filter((type: string) => type === 'subagent.announced')).toHaveLength(2)
    expect(types.at(-1)).toBe('fanout.completed')
    const page = (await api.call('GET', `/v1/fanouts/${id}/events?after=1&limit=2`)).body
    expect(page.data.map(({ seq }: { seq: number }) => seq)).toEqual([2, 3])
    const at = `/v1/fanouts/${id}/events?limit=2&cursor=`
    const next = (await api.call('GET', at + encodeURIComponent(page.next_cursor))).body
    expect(next.data.map(({ seq }: { seq: number }) => seq)).toEqual([4, 5])
  })
})

describe('POST /v1/fanouts/{id}/cancel', () => {
  it('cancels and reports live tasks, and a second call changes nothing', async () => {
    const api = await testApi()
    const { id } = (await api.call('POST', '/v1/fanouts', { json: { tasks: say(5) } })).body
    const cancelled = await api.call('POST', `/v1/fanouts/${id}/cancel`)
    expect(cancelled.status).toBe(200)
    expect(cancelled.body).toMatchObject({ status: 'cancelled', cancelled_children: [] })
    await api.settle()
    const again = await api.call('POST', `/v1/fanouts/${id}/cancel`)
    expect(again.body).toMatchObject({ status: 'cancelled', ended_at: cancelled.body.ended_at })
    const { results, children } = (await api.call('GET', `/v1/fanouts/${id}`)).body
    expect(children).toMatchObject({ cancelled: 5, completed: 0 })
    expect(results.every(({ status }: { status: string }) => status === 'cancelled')).toBe(true)
  })
})

describe('the webhook of a fan-out', () => {
  it('receives its end once by default, and its secret is shown once', async () => {
    const { posts, web } = receiver()
    const api = await testApi({ web })
    const json = { tasks: say(2), webhook: { url: 'https://example.test/hook' } }
    const created = await api.call('POST', '/v1/fanouts', { json })
    expect(created.body.webhook_secret).toMatch(/^whsec_/)
    await api.settle()
    expect(posts).toHaveLength(1)
    const told = JSON.parse(posts[0]!.body!)
    expect(told).toMatchObject({
      type: 'fanout.completed',
      data: { run_id: created.body.id, data: { children: { completed: 2 } } },
    })
    const { data } = (await api.call('GET', '/v1/webhook-deliveries')).body
    expect(data).toMatchObject([{ event_type: 'fanout.completed', status: 'delivered' }])
    const shown = await api.call('GET', `/v1/fanouts/${created.body.id}`)
    expect(shown.text).not.toContain('whsec_')
  })

  it("receives each child's end when configured for that, and fanout.cancelled", async () => {
    const { posts, web } = receiver()
    const api = await testApi({ web })
    const events = ['subagent.announced', 'subagent.failed', 'fanout.completed', 'fanout.cancelled']
    const webhook = { url: 'https://example.test/hook', events }
    const tasks = [...say(2), { task: '@fail 400' }]
    await api.call('POST', '/v1/fanouts', { json: { tasks, webhook } })
    await api.settle()
    const types = posts.map(({ body }) => JSON.parse(body!).type).sort()
    expect(types).toEqual([
      'fanout.completed',
      'subagent.announced',
      'subagent.announced',
      'subagent.failed',
    ])
    const next = await api.call('POST', '/v1/fanouts', { json: { tasks, webhook } })
    await api.call('POST', `/v1/fanouts/${next.body.id}/cancel`)
    await api.settle()
    expect(posts.map(({ body }) => JSON.parse(body!).type)).toContain('fanout.cancelled')
  })

  it('receives the approvals that its tasks request', async () => {
    const { posts, web } = receiver()
    const api = await testApi({ web })
    await api.call('PUT', '/v1/policy', {
      json: { approvals: { file_write: 'ask' } },
      headers: { 'if-none-match': '*' },
    })
    const webhook = { url: 'https://example.test/hook', events: ['approval.requested'] }
    const task = '@call file_write {"path":"a.txt","content":"x"}\n@say {last}'
    const { body } = await api.call('POST', '/v1/fanouts', { json: { tasks: [{ task }], webhook } })
    await api.settle()
    const pending_input = (await api.call('GET', '/v1/approvals')).body.data
    expect(pending_input).toHaveLength(1)
    expect(posts.map((post) => JSON.parse(post.body!).type)).toEqual(['approval.requested'])
    const decide = (json: Record<string, unknown>) =>
      api.call('POST', `/v1/approvals/${pending_input[0].id}/decision`, { json })
    const refused = await decide({ decision: 'deny', arguments: { path: 'b.txt' } })
    expect([refused.status, refused.body.errors?.[0].pointer]).toEqual([422, '/arguments'])
    await decide({ decision: 'approve' })
    await api.settle()
    expect((await api.call('GET', `/v1/fanouts/${body.id}`)).body.status).toBe('completed')
  })

  it('needs an allowed URL', async () => {
    const web = { check: () => 'not there', send: receiver().web.send }
    const api = await testApi({ web })
    const json = { tasks: say(1), webhook: { url: 'https://10.0.0.1/' } }
    const { status, body } = await api.call('POST', '/v1/fanouts', { json })
    expect([status, body.code]).toEqual([422, 'blocked_url'])
    expect((await api.call('GET', '/v1/fanouts')).body.data).toEqual([])
  })
})

describe('a reader of a fan-out', () => {
  const start = async (json: Record<string, unknown>) => {
    const clock = memoryClock()
    const api = await testApi({ clock, model: scriptModel(clock) })
    const { id } = (await api.call('POST', '/v1/fanouts', { json })).body
    const look = async () => (await api.call('GET', `/v1/fanouts/${id}`)).body
    return { api, look }
  }
  const statuses = (body: { results: { status: string }[] }) =>
    body.results.map(({ status }) => status)
  const SLOW = { task: '@slow 900000\n@say late' }

  it('gets the ended tasks at once, and the others as still running [SW-04]', async () => {
    const { api, look } = await start({ tasks: [{ task: '@say quick' }, SLOW, SLOW] })
    await together(api.world, async () => statuses(await look()).includes('completed'))
    const body = await look()
    expect(body.status).toBe('running')
    expect(statuses(body)).toEqual(['completed', 'live', 'live'])
    expect(body.results[0].result).toBe('quick')
  })

  it('gets the same results each time [SW-05 X-12]', async () => {
    const { api, look } = await start({ tasks: say(3), then: { input: '@say all' } })
    await together(api.world)
    const first = await look()
    api.world.clock.advance(3_600_000)
    await together(api.world)
    expect(await look()).toEqual(first)
    expect(first.status).toBe('completed')
  })

  it('sees no results after a deadline before any end, which is not an error [SW-07]', async () => {
    const join = { policy: 'all', deadline_seconds: 5 }
    const { api, look } = await start({ tasks: [SLOW, SLOW], join })
    await together(api.world)
    const body = await look()
    expect(body).toMatchObject({ status: 'completed', error: null, children: { completed: 0 } })
    expect(body.results.every(({ result }: { result: string | null }) => result === null)).toBe(
      true,
    )
  })

  it('sees an error and no result for a task that failed after producing output [SW-08]', async () => {
    const task = '@text nearly there\n@call file_list {}\n@fail 400'
    const { api, look } = await start({ tasks: [{ task }] })
    await together(api.world)
    const [result] = (await look()).results
    expect(result).toMatchObject({ status: 'failed', result: null, structured: null })
    expect(result.error.code).toBe('model_rejected')
  })
})
