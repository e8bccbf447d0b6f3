import { describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { dueAtAnyTime } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'

type Api = Awaited<ReturnType<typeof testApi>>

const start = async () => {
  const api = await testApi()
  const session = (await api.call('POST', '/v1/sessions', { json: { agent: 'general' } })).body
  const send = async (input: string, more: Record<string, unknown> = {}) =>
    (await api.call('POST', '/v1/runs', { json: { input, session_id: session.id, ...more } })).body
  const run = async (id: string) => (await api.call('GET', `/v1/runs/${id}`)).body
  return { api, session, send, run }
}
const texts = async (api: Api, id: string): Promise<string[]> => {
  const { data } = (await api.call('GET', `/v1/sessions/${id}/messages`)).body
  return data.map(
    (one: { text?: string; parts?: { text: string }[] }) => one.text ?? one.parts?.[0]?.text,
  )
}

describe('a session', () => {
  it('runs are serial, first come first served, and share the transcript [MC-18]', async () => {
    const { api, session, send, run } = await start()
    const sent = []
    for (let i = 0; i < 4; i += 1) sent.push(await send(`@say answer ${i}`))
    expect(sent.map(({ status, waiting_on }) => [status, waiting_on])).toEqual([
      ['queued', null],
      ['waiting', 'session'],
      ['waiting', 'session'],
      ['waiting', 'session'],
    ])
    await api.settle()
    const runs = await Promise.all(sent.map(({ id }) => run(id)))
    expect(runs.map(({ status }) => status)).toEqual(Array(4).fill('completed'))
    for (let i = 1; i < 4; i += 1) {
      expect(Date.parse(runs[i].started_at)).toBeGreaterThanOrEqual(
        Date.parse(runs[i - 1].ended_at),
      )
    }
    expect(await texts(api, session.id)).toEqual(
      [0, 1, 2, 3].flatMap((i) => [`@say answer ${i}`, `answer ${i}`]),
    )
    const listed = (await api.call('GET', `/v1/sessions/${session.id}/runs`)).body.data
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(sent.map(({ id }) => id))
  })

  it('a later run sees the answers of earlier ones', async () => {
    const { api, send } = await start()
    await send('@say the word is fish')
    await api.settle()
    await send('@say noted')
    await api.settle()
    const model = api.world.model as unknown as { requests: { messages: unknown[] }[] }
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('the word is fish')
  })

  it('on_busy reject returns 409, and interrupt cancels the active run and comes next', async () => {
    const { api, send, run, session } = await start()
    const first = await send('@say one')
    const second = await send('@say two')
    const busy = await api.call('POST', '/v1/runs', {
      json: { input: 'x', session_id: session.id, on_busy: 'reject' },
    })
    expect([busy.status, busy.body.code]).toEqual([409, 'session_busy'])
    const third = await send('@say three', { on_busy: 'interrupt' })
    await api.settle()
    expect((await run(first.id)).status).toBe('cancelled')
    expect((await run(third.id)).status).toBe('completed')
    const after = await run(second.id)
    expect(after.status).toBe('completed')
    expect(Date.parse(after.started_at)).toBeGreaterThanOrEqual(
      Date.parse((await run(third.id)).ended_at),
    )
  })

  it('a run cancelled while it waits does not block the session [F16]', async () => {
    const { api, send, run } = await start()
    await send('@say one')
    const second = await send('@say two')
    const third = await send('@say three')
    await api.call('POST', `/v1/runs/${second.id}/cancel`)
    await api.settle()
    expect((await run(second.id)).status).toBe('cancelled')
    expect((await run(third.id)).status).toBe('completed')
  })

  it('a live run that owns its session is waited for, refused, or interrupted like any other [MC-18]', async () => {
    const { api, send, run } = await start()
    const own = async (input: string) =>
      (await api.call('POST', '/v1/runs', { json: { input } })).body
    const first = await own('@say first')
    const at = { session_id: first.session_id }
    const busy = await api.call('POST', '/v1/runs', {
      json: { input: 'x', ...at, on_busy: 'reject' },
    })
    expect([busy.status, busy.body.code]).toEqual([409, 'session_busy'])
    const waits = await send('@say second', at)
    expect([waits.status, waits.waiting_on]).toEqual(['waiting', 'session'])
    await api.settle()
    expect((await run(waits.id)).status).toBe('completed')
    const both = ['@say first', 'first', '@say second', 'second']
    expect(await texts(api, first.session_id)).toEqual(both)
    const slow = await own('@say never')
    const jumps = { session_id: slow.session_id, on_busy: 'interrupt' }
    const next = await send('@say instead', jumps)
    await api.settle()
    expect((await run(slow.id)).status).toBe('cancelled')
    expect((await run(next.id)).status).toBe('completed')
    expect(await api.world.store.due(Number.MAX_SAFE_INTEGER)).toMatchObject({ entries: [] })
  })

  it('a run that waits for a run-owned session gets its turn although its process died at once [F16]', async () => {
    const { api, send, run } = await start()
    const first = (await api.call('POST', '/v1/runs', { json: { input: '@say first' } })).body
    const { store } = api.world
    const { commit } = store
    let dead = false
    // The ticket is there; the run whose session it is has not been told, and nothing else happens.
    store.commit = async (partition, writes, head) => {
      if (dead) throw new Error('the process has died')
      dead = writes.some(({ key }) => key.startsWith('t/'))
      return commit.call(store, partition, writes, head)
    }
    await send('@say second', { session_id: first.session_id })
    store.commit = commit
    for (let minute = 0; minute < 5; minute += 1) {
      await api.settle()
      api.world.clock.advance(61_000)
      await tick(api.world)
    }
    await api.settle()
    const { data } = (await api.call('GET', `/v1/sessions/${first.session_id}/runs`)).body
    expect(data).toHaveLength(2)
    expect((await run(data[1].id)).status).toBe('completed')
    expect(await texts(api, first.session_id)).toEqual([
      '@say first',
      'first',
      '@say second',
      'second',
    ])
  })

  it('a session owned by a live run can be deleted with all waiting runs', async () => {
    const { api, send, run } = await start()
    const first = (await api.call('POST', '/v1/runs', { json: { input: '@say first' } })).body
    const second = await send('@say second', { session_id: first.session_id })
    expect((await api.call('DELETE', `/v1/sessions/${first.session_id}`)).status).toBe(204)
    for (let minute = 0; minute < 3; minute += 1) {
      await api.settle()
      api.world.clock.advance(61_000)
      await tick(api.world)
    }
    await api.settle()
    expect((await run(first.id)).status).toBe('cancelled')
    expect((await run(second.id)).status).toBe('cancelled')
    expect((await api.call('GET', `/v1/sessions/${first.session_id}`)).status).toBe(404)
    expect(await api.world.store.due(Number.MAX_SAFE_INTEGER)).toMatchObject({ entries: [] })
  })

  it('continues in a session owned by an ended run', async () => {
    const api = await testApi()
    const first = (await api.call('POST', '/v1/runs', { json: { input: '@say first' } })).body
    await api.settle()
    const json = { input: '@say second', session_id: first.session_id }
    await api.call('POST', '/v1/runs', { json })
    await api.settle()
    expect(await texts(api, first.session_id)).toEqual([
      '@say first',
      'first',
      '@say second',
      'second',
    ])
  })

  it('a run-owned session exists from the start, with that run and its creator', async () => {
    const api = await testApi()
    const json = { input: '@spawn 1 {"task":"@say leaf"}\n@await\n@say first' }
    const first = (await api.call('POST', '/v1/runs', { json })).body
    const at = `/v1/sessions/${first.session_id}`
    const live = (await api.call('GET', at)).body
    expect(live).toMatchObject({ kind: 'main', current_run_id: first.id, parent_session_id: null })
    await api.settle()
    const ended = (await api.call('GET', at)).body
    expect(ended).toMatchObject({ kind: 'main', current_run_id: null, created_by_run_id: null })
    const [child] = (await api.call('GET', `/v1/runs/${first.id}/children`)).body.data
    const below = (await api.call('GET', `/v1/sessions/${child.session_id}`)).body
    expect(below).toMatchObject({
      kind: 'subagent',
      parent_session_id: first.session_id,
      created_by_run_id: first.id,
    })
    const ids = async () =>
      (await api.call('GET', `${at}/runs`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([first.id])
    const next = { input: '@say second', session_id: first.session_id }
    const second = (await api.call('POST', '/v1/runs', { json: next })).body
    await api.settle()
    expect(await ids()).toEqual([first.id, second.id])
  })

  it('a deleted run-owned session is not recreated by its run', async () => {
    const api = await testApi()
    const make = async (input: string) =>
      (await api.call('POST', '/v1/runs', { json: { input } })).body
    const ended = await make('@say first')
    await api.settle()
    const goneOn = await make('@say first')
    await api.settle()
    const more = { input: '@say second', session_id: goneOn.session_id }
    await api.call('POST', '/v1/runs', { json: more })
    const live = await make('@say never')
    for (const run of [live, ended, goneOn]) {
      const at = `/v1/sessions/${run.session_id}`
      expect((await api.call('DELETE', at)).status).toBe(204)
      await api.settle()
      expect((await api.call('DELETE', at)).status).toBe(404)
      expect((await api.call('GET', `${at}/messages`)).status).toBe(404)
      const again = { input: 'x', session_id: run.session_id }
      expect((await api.call('POST', '/v1/runs', { json: again })).status).toBe(404)
      const rows = await api.world.store.read(`test/session/${run.session_id}`)
      expect(rows.map(({ key }) => key)).toEqual(['head'])
    }
    expect((await api.call('GET', `/v1/runs/${live.id}`)).body.status).toBe('cancelled')
    expect((await api.call('GET', '/v1/sessions')).body.data).toEqual([])
    expect(await dueAtAnyTime(api.world)).toEqual([])
  })

  it('an interrupted deletion is completed by the next reader', async () => {
    const { api, send, run, session } = await start()
    const first = await send('@say one')
    const second = await send('@say two')
    const partition = `test/session/${session.id}`
    const { store } = api.world
    const commit = store.commit.bind(store)
    let marked = false
    Object.assign(store, {
      commit: async (...given: Parameters<typeof commit>) => {
        if (marked) throw new Error('the process is gone')
        const result = await commit(...given)
        marked = given[0] === partition && JSON.stringify(given[2]).includes('deleted\\":true')
        return result
      },
    })
    expect((await api.call('DELETE', `/v1/sessions/${session.id}`)).status).toBe(500)
    Object.assign(store, { commit })
    api.world.clock.advance(61_000)
    await tick(api.world)
    await api.settle()
    expect((await run(first.id)).status).toBe('cancelled')
    expect((await run(second.id)).status).toBe('cancelled')
    expect(await store.read(partition)).toEqual([])
  })

  it('lists filter by kind, page by page, with separate cursors', async () => {
    const { api, send, session } = await start()
    const hook = (await api.call('POST', '/v1/hooks', { json: { scheme: 'standard' } })).body
    expect(hook.id).toMatch(/^hk_/)
    const first = await send('@spawn 1 {"task":"@say leaf"}\n@await\n@say one')
    await api.settle()
    const [child] = (await api.call('GET', `/v1/runs/${first.id}/children`)).body.data
    const json = { input: '@say more', session_id: child.session_id }
    await api.call('POST', '/v1/runs', { json })
    await api.call('POST', '/v1/sessions', { json: {} })
    await api.settle()
    const ids = async (query: string) =>
      (await api.call('GET', `/v1/sessions?${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('kind=subagent')).toEqual([child.session_id])
    expect(await ids('kind=hook')).toEqual([])
    const all = await ids('kind=main')
    expect(all).toContain(session.id)
    expect(all).toHaveLength(2)
    const page = (await api.call('GET', '/v1/sessions?kind=main&limit=1')).body
    expect(page).toMatchObject({ has_more: true, data: [{ id: all[0] }] })
    const cursor = encodeURIComponent(page.next_cursor)
    expect(await ids(`kind=main&limit=1&cursor=${cursor}`)).toEqual([all[1]])
    const other = await api.call('GET', `/v1/sessions?kind=subagent&cursor=${cursor}`)
    expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
  })

  it('DELETE cancels live runs, and then the session is not found', async () => {
    const { api, send, run, session } = await start()
    const first = await send('@say one')
    const second = await send('@say two')
    expect((await api.call('DELETE', `/v1/sessions/${session.id}`)).status).toBe(204)
    await api.settle()
    expect((await run(first.id)).status).toBe('cancelled')
    expect((await run(second.id)).status).toBe('cancelled')
    expect((await api.call('GET', `/v1/sessions/${session.id}`)).status).toBe(404)
    const late = await api.call('POST', '/v1/runs', {
      json: { input: 'x', session_id: session.id },
    })
    expect(late.status).toBe(404)
  })

  it('a deleted session leaves its runs listed with their cost [X-26]', async () => {
    const { api, send, run, session } = await start()
    const first = await send('@spawn 1 {"task":"@say part"}\n@await\n@say one')
    await api.settle()
    const before = await run(first.id)
    expect(before.usage.model_calls).toBeGreaterThan(2)
    expect((await api.call('DELETE', `/v1/sessions/${session.id}`)).status).toBe(204)
    await api.settle()
    expect(await run(first.id)).toEqual(before)
    const { data } = (await api.call('GET', '/v1/runs')).body
    expect(data).toMatchObject([{ id: first.id, status: 'completed', usage: before.usage }])
  })

  it('1,000 concurrent messages to 100 sessions stay strictly in order, and no message is lost', async () => {
    const api = await testApi()
    const sessions: string[] = []
    for (let i = 0; i < 100; i += 1) {
      sessions.push((await api.call('POST', '/v1/sessions', { json: {} })).body.id)
    }
    const sends = sessions.flatMap((session_id, at) =>
      Array.from({ length: 10 }, (_, i) =>
        api.call('POST', '/v1/runs', { json: { input: `@say ${at}.${i}`, session_id } }),
      ),
    )
    const runs = (await Promise.all(sends)).map(({ status, body }) => ({ status, id: body.id }))
    expect(runs.every(({ status }) => status === 202)).toBe(true)
    await api.settle()
    for (const [at, id] of sessions.entries()) {
      // Each message and its answer side by side, in the order in which the session took them.
      const listed = (await api.call('GET', `/v1/sessions/${id}/runs`)).body.data
      const said = listed.map((one: { output: { text: string } }) => one.output.text)
      expect(said.toSorted()).toEqual(Array.from({ length: 10 }, (_, i) => `${at}.${i}`))
      expect(await texts(api, id)).toEqual(said.flatMap((text: string) => [`@say ${text}`, text]))
      for (const [place, one] of listed.entries()) {
        const next = listed[place + 1]
        if (next)
          expect(Date.parse(next.started_at)).toBeGreaterThanOrEqual(Date.parse(one.ended_at))
      }
    }
  })
})

describe('POST /v1/runs/{id}/messages', () => {
  it('202 delivers a message once, after the call in progress, and it is answered', async () => {
    const api = await testApi()
    const { body } = await api.call('POST', '/v1/runs', { json: { input: 'hello' } })
    const at = `/v1/runs/${body.id}/messages`
    const headers = { 'idempotency-key': 'message-1' }
    const sent = await api.call('POST', at, { json: { content: '@say heard you' }, headers })
    const again = await api.call('POST', at, { json: { content: '@say heard you' }, headers })
    expect([sent.status, again.status]).toEqual([202, 202])
    expect(again.body.message_id).toBe(sent.body.message_id)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const other = await api.call('POST', at, { json: { content: 'no' }, headers })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
    await api.settle()
    const transcript = (await api.call('GET', `/v1/runs/${body.id}/transcript`)).body.data
    const users = transcript.filter(({ role }: { role: string }) => role === 'user')
    expect(users.map(({ text }: { text: string }) => text)).toEqual(['hello', '@say heard you'])
    const run = (await api.call('GET', `/v1/runs/${body.id}`)).body
    expect(run.output.text).toBe('heard you')
    const late = await api.call('POST', at, { json: { content: 'late' } })
    expect([late.status, late.body.code]).toEqual([409, 'run_ended'])
  })
})
