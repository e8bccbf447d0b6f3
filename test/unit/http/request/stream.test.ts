import { describe, expect, it } from 'vitest'
import type { Event } from '../../../../src/core/run/views/event.ts'
import { command } from '../../../../src/engine/logs/run.ts'
import type { RunRequest } from '../../../../src/engine/run/request.ts'
import { memoryClock } from '../../../../src/hosts/memory/clock.ts'
import { sseResponse } from '../../../../src/http/stream/sse.ts'
import { encode } from '../../../../src/lib/bytes.ts'
import type { Model } from '../../../../src/ports/world.ts'
import { settle, startRun } from '../../../support/drive.ts'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'
import { scriptModel } from '../../../support/script.ts'

interface Block {
  readonly id?: string
  readonly event?: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  readonly data?: any
  readonly comment?: string
  readonly retry?: string
}

function blocksOf(text: string): Block[] {
  return text.split('\n\n').flatMap((block) => {
    if (block === '') return []
    const out: Record<string, unknown> = {}
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^(\w*): ?(.*)$/s.exec(line) ?? []
      out[name === '' ? 'comment' : name] = name === 'data' ? JSON.parse(value) : value
    }
    return [out as Block]
  })
}

const SSE = { accept: 'text/event-stream' }
const stream = (api: TestApi, id: string, query = '', more: Record<string, string> = {}) =>
  api.call('GET', `/v1/runs/${id}/events${query}`, { headers: { ...SSE, ...more } })
const tree = (api: TestApi, id: string, last?: string): Promise<Answer> =>
  stream(api, id, '?include=subagents', last === undefined ? {} : { 'last-event-id': last })
const eventsIn = (answer: Answer): Event[] =>
  blocksOf(answer.text).flatMap(({ data }) => (data?.seq ? [data as Event] : []))
const pages = async (api: TestApi, id: string): Promise<Event[]> =>
  (await api.call('GET', `/v1/runs/${id}/events`)).body.data
const placeOf = ({ run_id, seq }: Event) => `${run_id} ${seq}`

/** The partitions that are read from now on. */
function readsOf({ world }: TestApi): ReadonlySet<string> {
  const seen = new Set<string>()
  const { store } = world
  const { read } = store
  store.read = (partition, after) => {
    seen.add(partition)
    return read.call(store, partition, after)
  }
  return seen
}

async function family() {
  const api = await testApi({ settings: { maxDepth: 2 } })
  const child = JSON.stringify('@spawn 1 {"task":"@say leaf"}\n@await\n@say branch')
  const input = `@spawn 2 {"task":${child},"label":"w{i}"}\n@await\n@say done`
  const id = await startRun(api.world, { input })
  await settle(api.world)
  return { api, id }
}

describe('?include=subagents', () => {
  it('sends every event of the tree once, and those of a subagent before the notice of its end', async () => {
    const { api, id } = await family()
    const got = eventsIn(await tree(api, id))
    const runs = [...new Set(got.map(({ run_id }) => run_id))]
    expect(runs).toHaveLength(5)
    for (const run of runs) {
      expect(got.filter(({ run_id }) => run_id === run)).toEqual(await pages(api, run))
    }
    for (const [index, { type, data }] of got.entries()) {
      if (type !== 'subagent.announced') continue
      const child = (data.announce as { run_id: string }).run_id
      const own = got.map(({ run_id }, place) => (run_id === child ? place : -1))
      expect(Math.max(...own)).toBeLessThan(index)
    }
    expect(got.at(-1)).toMatchObject({ run_id: id, type: 'run.completed' })
  })

  it('resumes after any ID without a gap, and run and seq identify duplicates', async () => {
    const { api, id } = await family()
    const whole = blocksOf((await tree(api, id)).text)
    const all = new Set(eventsIn(await tree(api, id)).map(placeOf))
    for (const [index, block] of whole.entries()) {
      if (block.id === undefined) continue
      expect(block.id).not.toMatch(/^\d+$/)
      const before = whole.slice(0, index + 1).flatMap(({ data }) => (data?.seq ? [data] : []))
      const answer = await tree(api, id, block.id)
      if (index === whole.length - 1) {
        expect(answer.status).toBe(204)
        continue
      }
      const after = eventsIn(answer)
      expect(new Set([...before, ...after].map(placeOf))).toEqual(all)
      const again = after.filter(({ run_id }) => run_id === id)
      expect(again[0]?.seq).toBe((block.data?.seq as number) + 1)
    }
  })

  it('an ID from another run, another list, or no run is refused [C01 C02]', async () => {
    const { api, id } = await family()
    const other = await startRun(api.world, { input: '@say x' })
    await settle(api.world)
    const [block] = blocksOf((await tree(api, other)).text)
    const bent = `${block!.id!.slice(0, -2)}xx`
    for (const last of [block!.id!, bent, '3', '{"p":{"S":"test/run"}}', 'x'.repeat(10_000)]) {
      const { status, body } = await tree(api, id, last)
      expect([status, body.code]).toEqual([400, 'invalid_cursor'])
    }
  })

  it("sends the ends of runs cancelled with the root before the root's own end", async () => {
    const api = await testApi()
    const input = '@spawn 2 {"task":"@fail 503\\n@say never"}\n@await\n@say never'
    const id = await startRun(api.world, { input })
    await settle(api.world)
    // Committed, and so far nobody below has heard of it.
    await command(api.world, `test/run/${id}`, [
      { type: 'cancel.requested', by: 'api', reason: null },
    ])
    const { status, children } = (await api.call('GET', `/v1/runs/${id}`)).body
    expect([status, children.live]).toEqual(['cancelled', 2])
    // The reader has come to the end of the root's log before anybody below has ended.
    const { data } = (await api.call('GET', `/v1/runs/${id}/children`)).body
    const reads = readsOf(api)
    const pending = tree(api, id)
    while (!data.every((child: { id: string }) => reads.has(`test/run/${child.id}`)))
      await new Promise(setImmediate)
    await settle(api.world)
    const got = eventsIn(await pending)
    const runs = [...new Set(got.map(({ run_id }) => run_id))]
    expect(runs).toHaveLength(3)
    for (const run of runs) {
      expect(got.filter(({ run_id }) => run_id === run)).toEqual(await pages(api, run))
      expect(got.findLast(({ run_id }) => run_id === run)?.type).toBe('run.cancelled')
    }
    expect(got.at(-1)).toMatchObject({ run_id: id, type: 'run.cancelled' })
    const last = blocksOf((await tree(api, id)).text).at(-1)!.id!
    expect((await tree(api, id, last)).status).toBe(204)
  })

  it('does not wait for subagents that may outlive the completed root', async () => {
    const api = await testApi()
    const input =
      '@spawn 1 {"task":"@say a"}\n@spawn 1 {"task":"@fail 503\\n@say b"}\n@await 1\n@say x'
    const join = { policy: 'any', cancel_rest: false } as const
    const run = { input, join: { ...join, deadline_seconds: null, on_child_failure: 'continue' } }
    const id = await startRun(api.world, run as RunRequest)
    await settle(api.world)
    const got = eventsIn(await tree(api, id))
    expect(got.at(-1)).toMatchObject({ run_id: id, type: 'run.completed' })
    expect((await api.call('GET', `/v1/runs/${id}`)).body.children.live).toBe(1)
  })

  it('is accepted only for a stream', async () => {
    const { api, id } = await family()
    const { status } = await api.call('GET', `/v1/runs/${id}/events?include=subagents`)
    expect(status).toBe(400)
  })
})

describe("a fan-out's stream", () => {
  const path = (id: string, query = '') => `/v1/fanouts/${id}/events${query}`
  const create = async (api: TestApi, tasks: readonly string[]): Promise<string> => {
    const json = { tasks: tasks.map((task) => ({ task })), then: { input: '@say all' } }
    return (await api.call('POST', '/v1/fanouts', { json })).body.id
  }

  it('with ?include=subagents contains all events of every task before the notice of its end', async () => {
    const api = await testApi({ settings: { maxDepth: 2 } })
    const id = await create(api, ['@spawn 1 {"task":"@say leaf"}\n@await\n@say a', '@say b'])
    await settle(api.world)
    const answer = await api.call('GET', path(id, '?include=subagents'), { headers: SSE })
    const got = eventsIn(answer)
    const runs = [...new Set(got.map(({ run_id }) => run_id))]
    // Two tasks, the subagent of one of them, the closing run and the fan-out itself.
    expect(runs).toHaveLength(5)
    for (const run of runs.filter((run) => run !== id)) {
      expect(got.filter(({ run_id }) => run_id === run)).toEqual(await pages(api, run))
    }
    expect(got.at(-1)).toMatchObject({ run_id: id, type: 'fanout.completed' })
    const last = blocksOf(answer.text).at(-1)!.id!
    const again = await api.call('GET', path(id, '?include=subagents'), {
      headers: { ...SSE, 'last-event-id': last },
    })
    expect(again.status).toBe(204)
  })

  it('closes after a minute without events, states when to reconnect, and resumes', async () => {
    const api = await testApi({ settings: { singleProcess: false } })
    const id = await create(api, ['@fail 503 100\n@say x'])
    await settle(api.world)
    api.world.queue.take()
    const began = api.world.clock.monotonic()
    const blocks = blocksOf((await api.call('GET', path(id), { headers: SSE })).text)
    expect(blocks.at(-1)).toMatchObject({ retry: '5000' })
    expect(api.world.clock.monotonic() - began).toBeLessThan(80_000)
    const last = blocks.findLast(({ id: place }) => place !== undefined)!.id!
    const headers = { ...SSE, 'last-event-id': last }
    expect(eventsIn(await api.call('GET', path(id), { headers }))).toEqual([])
    const far = { ...SSE, 'last-event-id': '99' }
    expect((await api.call('GET', path(id), { headers: far })).body.code).toBe('event_ahead')
  })
})

describe('an idle stream', () => {
  it('closes after a minute when the run is parked, states when to reconnect, and resumes [C13]', async () => {
    const { api, id } = await parked()
    const began = api.world.clock.monotonic()
    const answer = await stream(api, id)
    const blocks = blocksOf(answer.text)
    expect(blocks.at(-1)).toMatchObject({ retry: '5000' })
    expect(api.world.clock.monotonic() - began).toBeGreaterThanOrEqual(60_000)
    expect(api.world.clock.monotonic() - began).toBeLessThan(80_000)
    expect(blocks.filter(({ comment }) => comment === 'ping').length).toBeGreaterThanOrEqual(3)
    const last = blocks.findLast(({ id: place }) => place !== undefined)!
    const again = await stream(api, id, '', { 'last-event-id': last.id! })
    expect(eventsIn(again)).toEqual([])
    expect(again.status).toBe(200)
  })

  it('stays open with a ping every 15 seconds while the run works for ten minutes [C13]', async () => {
    const slow = scriptModel()
    const clock = memoryClock()
    const model: Model = {
      ...slow,
      async respond(request, options) {
        await clock.sleep(600_000)
        return slow.respond(request, options)
      },
    }
    const api = await testApi({ model, clock })
    const id = await startRun(api.world, { input: '@say late' })
    const [answer] = await Promise.all([stream(api, id), settle(api.world)])
    const blocks = blocksOf(answer.text)
    expect(blocks.at(-1)?.event).toBe('run.completed')
    const pings = blocks.filter(({ comment }) => comment === 'ping').length
    expect(pings).toBeGreaterThanOrEqual(600 / 20)
    expect(eventsIn(answer)).toEqual(await pages(api, id))
  })

  it('polls after 250 ms rising to one second where no feed notifies it', async () => {
    const feed = { publish: () => {}, subscribe: () => () => {} }
    const { api, id } = await parked({ feed })
    const { store } = api.world
    let reads = 0
    const read = store.read
    Object.assign(store, {
      read: (...given: Parameters<typeof read>) => {
        reads += 1
        return read.apply(store, given)
      },
    })
    await stream(api, id)
    // 0.25 + 0.5 s, then every second for the rest of the minute.
    expect(reads).toBeGreaterThan(55)
    expect(reads).toBeLessThan(70)
  })
})

async function parked(more: object = {}) {
  const api = await testApi({ settings: { singleProcess: false }, ...more })
  const id = await startRun(api.world, { input: '@fail 503 100\n@say x' })
  await settle(api.world)
  const { body } = await api.call('GET', `/v1/runs/${id}`)
  expect(body.status).toBe('waiting')
  api.world.queue.take()
  return { api, id }
}

describe('live text and subagent starts', () => {
  const delta = (epoch: number, step: number, text: string, at = 0, began = epoch) =>
    ({ type: 'delta', epoch, step, began, at, delta: { type: 'text', text } }) as const
  const turns = async (count = 10): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
  }
  const heard = (answer: Answer) =>
    blocksOf(answer.text)
      .filter(({ event }) => event === 'assistant.delta')
      .map(({ data }) => data)

  /** A run whose model answers when the test lets it. */
  async function asking(settings: object = {}) {
    const model = scriptModel()
    const { promise: gate, resolve: answer } = Promise.withResolvers<void>()
    const respond: Model['respond'] = async (...call) => {
      await gate
      return model.respond(...call)
    }
    const api = await testApi({ settings, model: { ...model, respond } })
    const id = await startRun(api.world, { input: '@say hello' })
    const settled = settle(api.world)
    const hasStarted = async () => (await pages(api, id)).some(({ type }) => type === 'run.started')
    const end = async () => {
      answer()
      await settled
    }
    return { api, id, hasStarted, end }
  }
  /** The same, whose start is stored. */
  async function asked(settings: object = {}) {
    const run = await asking(settings)
    while (!(await run.hasStarted())) await turns(1)
    return run
  }

  it('read by a client of another process come after a start that is stored at once', async () => {
    const { api, id, hasStarted, end } = await asking({ singleProcess: false, flushMs: 5_000 })
    const { feed, clock } = api.world
    await turns(50)
    clock.advance(1_000)
    await turns(50)
    expect(await hasStarted()).toBe(false)
    feed.publish(`test/run/${id}`, { type: 'read' })
    await turns(50)
    expect(await hasStarted()).toBe(true)
    await end()
  })

  it('arrive after the start of the run, in any order of arrival', async () => {
    const api = await testApi()
    const id = await startRun(api.world, { input: '@say hello' })
    const { feed, clock } = api.world
    const pending = stream(api, id)
    await turns(20)
    const child = { run_id: `${id}x`, parent_run_id: id, call: 'c1', agent: 'general' }
    const data = { ...child, model: 'test/model', label: null }
    feed.publish(`test/run/${id}`, { type: 'ephemeral', name: 'subagent.started', data })
    feed.publish(`test/run/${id}`, delta(1, 0, 'hel'))
    clock.advance(60)
    await turns(20)
    await settle(api.world)
    const order = blocksOf((await pending).text).flatMap(({ event }) => event ?? [])
    expect(order.slice(0, 3)).toEqual(['run.created', 'run.started', 'subagent.started'])
  })

  it('are merged and carry run and epoch, and a new epoch invalidates the earlier text', async () => {
    const { api, id, end } = await asked()
    const partition = `test/run/${id}`
    const { feed, clock } = api.world
    const pending = stream(api, id)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
    for (const [at, text] of ['a', 'b', 'c'].entries())
      feed.publish(partition, delta(1, 0, text, at))
    clock.advance(60)
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    feed.publish(partition, delta(2, 0, 'x'))
    clock.advance(60)
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    await end()
    const blocks = blocksOf((await pending).text)
    const deltas = blocks.filter(({ event }) => event === 'assistant.delta')
    expect(deltas.map(({ data }) => data)).toEqual([
      { run_id: id, epoch: 1, step: 0, at: 0, text: 'abc' },
      { run_id: id, epoch: 2, step: 0, reset: true },
      { run_id: id, epoch: 2, step: 0, at: 0, text: 'x' },
    ])
    expect(deltas.every(({ id: place }) => place === undefined)).toBe(true)
  })

  it('begin with all text so far for a reader that joins mid-answer, after the events before it', async () => {
    const { api, id, end } = await asked({ singleProcess: false })
    const partition = `test/run/${id}`
    const { feed, clock } = api.world
    for (const [at, text] of ['a', 'b', 'c'].entries())
      feed.publish(partition, delta(1, 0, text, at))
    const pending = stream(api, id)
    await turns()
    feed.publish(partition, delta(1, 0, 'd', 3))
    // Pieces may come twice.
    feed.publish(partition, delta(1, 0, 'cd', 2))
    clock.advance(60)
    await turns()
    await end()
    const answer = await pending
    expect(heard(answer)).toEqual([
      { run_id: id, epoch: 1, step: 0, at: 0, text: 'abc' },
      { run_id: id, epoch: 1, step: 0, at: 3, text: 'd' },
    ])
    expect(blocksOf(answer.text)[0]).toMatchObject({ event: 'run.created' })
  })

  it('show the text of an attempt in progress, and not that of a failed one', async () => {
    const { api, id } = await parked()
    const partition = `test/run/${id}`
    const { feed, clock } = api.world
    const now = clock.now()
    feed.publish(partition, delta(1, 0, 'failed', 0, now - 1))
    const first = stream(api, id)
    await turns()
    clock.advance(60_000)
    await turns(50)
    expect(heard(await first)).toEqual([])
    feed.publish(partition, delta(1, 0, 'goes on', 0, now + 1_000))
    const second = stream(api, id)
    await turns()
    clock.advance(60_000)
    await turns(50)
    expect(heard(await second)).toEqual([{ run_id: id, epoch: 1, step: 0, at: 0, text: 'goes on' }])
  })

  it('are dropped with the commit that follows the answer', async () => {
    const api = await testApi({ settings: { singleProcess: false } })
    const { feed } = api.world
    const said: unknown[] = []
    const look = (): number => {
      said.length = 0
      feed.subscribe('test/run/x', (item) => void said.push(item), true)()
      return said.length
    }
    feed.publish('test/run/x', delta(1, 0, 'abc'))
    feed.publish('test/run/x', { type: 'changed' })
    expect(look()).toBe(1)
    feed.publish('test/run/x', { type: 'answered' })
    expect(look()).toBe(1)
    feed.publish('test/run/x', { type: 'changed' })
    expect(look()).toBe(0)
  })

  it("report a subagent's start to every reader of its parent", async () => {
    const api = await testApi()
    const id = await startRun(api.world, { input: '@spawn 2 {"task":"@say x"}\n@await\n@say y' })
    const [answer] = await Promise.all([stream(api, id), settle(api.world)])
    const started = blocksOf(answer.text).filter(({ event }) => event === 'subagent.started')
    expect(started).toHaveLength(2)
    expect(started[0]).toMatchObject({ data: { parent_run_id: id, agent: 'general' } })
  })
})

describe('a slow reader', () => {
  const LINE = `data: ${'x'.repeat(10_000)}\n\n`

  it('is waited for up to a limit, and disconnected after half a minute without reading [C14]', async () => {
    const clock = memoryClock()
    let sent = 0
    let ended = false
    const response = sseResponse(clock, {}, async (sink) => {
      for (; sent < 1_000; sent += 1) {
        if (!(await sink.room())) break
        sink.send(LINE)
      }
      ended = true
    })
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate)
    expect(sent * LINE.length).toBeLessThan(300_000)
    expect(ended).toBe(false)
    clock.advance(30_000)
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
    expect(ended).toBe(true)
    expect((await response.text()).length).toBe(sent * LINE.length)
  })

  it('that keeps reading gets everything [C14]', async () => {
    const clock = memoryClock()
    const response = sseResponse(clock, {}, async (sink) => {
      for (let count = 0; count < 200; count += 1) {
        expect(await sink.room()).toBe(true)
        sink.send(LINE)
      }
    })
    let size = 0
    for await (const chunk of response.body!) size += chunk.length
    expect(size).toBe(200 * encode(LINE).length)
  })
})

describe('pages of events', () => {
  const get = (api: TestApi, path: string) => api.call('GET', path)

  it('continue from an opaque cursor of this log alone, or after a seq [C01 C02]', async () => {
    const api = await testApi()
    const [id, other] = [
      await startRun(api.world, { input: '@call file_list {}\n@say x' }),
      await startRun(api.world, { input: '@say y' }),
    ]
    await settle(api.world)
    const whole = await pages(api, id)
    const events = `/v1/runs/${id}/events`
    const first = (await get(api, `${events}?limit=2`)).body
    expect(first.data).toEqual(whole.slice(0, 2))
    expect(first.next_cursor).not.toMatch(/^\d+$/)
    const cursor = encodeURIComponent(first.next_cursor)
    const rest = (await get(api, `${events}?cursor=${cursor}`)).body
    expect(rest).toEqual({ data: whole.slice(2), next_cursor: null, has_more: false })
    expect((await get(api, `${events}?after=2`)).body.data).toEqual(whole.slice(2))
    const codes = async (...paths: readonly string[]) =>
      Promise.all(paths.map(async (path) => (await get(api, path)).body.code))
    expect(
      await codes(
        `/v1/runs/${other}/events?cursor=${cursor}`,
        `${events}?cursor=2`,
        `${events}?cursor=${cursor}&after=1`,
      ),
    ).toEqual(['invalid_cursor', 'invalid_cursor', 'invalid_query'])
    expect((await stream(api, id, `?cursor=${cursor}`)).status).toBe(400)
  })
})
