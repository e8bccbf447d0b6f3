import { beforeEach, describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { waiting } from '../../../../src/hosts/node/lane-queue.ts'
import { settle } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { requestsOf } from '../../../support/script.ts'
import { testLanes } from '../../../support/test-lanes.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const later = async (ms: number) => {
  api.world.clock.advance(ms)
  await tick(api.world)
  await settle(api.world)
}
const post = (json: object) => api.call('POST', '/v1/runs', { json: { input: '@say hi', ...json } })
const get = async (id: string) => (await api.call('GET', `/v1/runs/${id}`)).body
const inTime = (ms: number) => new Date(api.world.clock.now() + ms).toISOString()

describe('start_at', () => {
  it('a run is queued until then without a model call, and then starts by itself', async () => {
    const start_at = inTime(3 * HOUR)
    const made = await post({ start_at })
    expect(made.body).toMatchObject({ status: 'queued', start_at })
    await settle(api.world)
    await later(3 * HOUR - MINUTE)
    expect((await get(made.body.id)).status).toBe('queued')
    expect(requestsOf(api.world)).toEqual([])
    await later(MINUTE)
    expect(await get(made.body.id)).toMatchObject({ status: 'completed', output: { text: 'hi' } })
  })

  it('an early pass has no cost and changes nothing', async () => {
    const { id } = (await post({ start_at: inTime(HOUR) })).body
    const before = await api.world.store.read(`test/run/${id}`)
    for (let minute = 0; minute < 30; minute += 1) await later(MINUTE)
    expect(await api.world.store.read(`test/run/${id}`)).toEqual(before)
  })

  it('can be cancelled before then, and an invalid or too distant time is refused', async () => {
    const { id } = (await post({ start_at: inTime(HOUR) })).body
    await api.call('POST', `/v1/runs/${id}/cancel`)
    await settle(api.world)
    expect((await get(id)).status).toBe('cancelled')
    await later(2 * HOUR)
    expect(requestsOf(api.world)).toEqual([])
    for (const start_at of ['soon', inTime(31 * 24 * HOUR)]) {
      const { status, body } = await post({ start_at })
      expect([status, body.errors[0].pointer]).toEqual([422, '/start_at'])
    }
    const session = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    const joined = await post({ start_at: inTime(HOUR), session_id: session })
    expect(joined.body.detail).toContain('a schedule with `at`')
  })

  it('a time in the past means now', async () => {
    const { body } = await post({ start_at: inTime(-HOUR) })
    expect(body).not.toHaveProperty('start_at')
    await settle(api.world)
    expect((await get(body.id)).status).toBe('completed')
  })
})

describe('expires_in', () => {
  it('a run that waits too long for its session ends with the reason, and the next one gets its turn', async () => {
    const session = (await api.call('POST', '/v1/sessions', { json: {} })).body.id
    const first = await post({ session_id: session, input: '@call ask_user {"question":"Go?"}' })
    await settle(api.world)
    const second = await post({ session_id: session, expires_in: 60, on_busy: 'enqueue' })
    const third = await post({ session_id: session, on_busy: 'enqueue' })
    await later(30_000)
    expect((await get(second.body.id)).status).toBe('waiting')
    await later(31_000)
    expect(await get(second.body.id)).toMatchObject({
      status: 'timed_out',
      error: { code: 'expired' },
      started_at: null,
    })
    await api.call('POST', `/v1/runs/${first.body.id}/cancel`)
    await settle(api.world)
    await later(MINUTE)
    expect((await get(third.body.id)).status).toBe('completed')
  })

  it('is measured from start_at, and a run that began in time continues', async () => {
    const { body } = await post({ start_at: inTime(HOUR), expires_in: 120 })
    expect(body.expires_at).toBe(inTime(HOUR + 2 * MINUTE))
    await later(HOUR)
    expect((await get(body.id)).status).toBe('completed')
    // Nobody was there: it has not begun in time.
    const missed = (await post({ start_at: inTime(HOUR), expires_in: 120 })).body
    await later(2 * HOUR)
    expect(await get(missed.id)).toMatchObject({ status: 'timed_out', error: { code: 'expired' } })
    expect(requestsOf(api.world)).toHaveLength(1)
  })

  it('of a fan-out applies to each task: it begins in time or not at all', async () => {
    const tasks = [{ task: '@say a' }, { task: '@say b' }]
    const json = { tasks, start_at: inTime(HOUR), expires_in: 120, priority: 3 }
    const late = (await api.call('POST', '/v1/fanouts', { json })).body.id
    const timely = (
      await api.call('POST', '/v1/fanouts', { json: { tasks, start_at: inTime(3 * HOUR) } })
    ).body.id
    await settle(api.world)
    expect(requestsOf(api.world)).toEqual([])
    await later(2 * HOUR)
    await later(2 * HOUR)
    const shown = async (id: string) => (await api.call('GET', `/v1/fanouts/${id}`)).body
    expect((await shown(late)).children).toMatchObject({ timed_out: 2, completed: 0 })
    expect((await shown(timely)).children).toMatchObject({ timed_out: 0, completed: 2 })
  })
})

describe('priority', () => {
  const wake = (name: string, priority?: number, started = false) => ({
    ...({ partition: `t/run/${name}`, lane: 'main', started, staleCount: 0 } as const),
    ...(priority === undefined ? {} : { priority }),
  })

  it("orders a tenant's queued runs in a lane, after started runs and by arrival among equals", () => {
    const line = waiting()
    const given = [
      wake('a'),
      wake('b', 5),
      wake('c', -1),
      wake('d', 5),
      wake('e', 9, true),
      wake('f'),
    ]
    for (const one of given) line.add(one)
    line.add(wake('c', 7))
    expect(line.size('main')).toBe(6)
    const order = given.map(() => line.next('main')!.partition.slice('t/run/'.length))
    expect(order).toEqual(['e', 'b', 'd', 'a', 'f', 'c'])
    expect([line.next('main'), line.size('main')]).toEqual([undefined, 0])
  })

  it('scheduled runs have the width of their lane, whatever other load there is [CR-28]', async () => {
    let now = 0
    let most = 0
    const ends: (() => void)[] = []
    const queue = testLanes({
      widths: { main: 1, subagent: 1, background: 3 },
      handle: async ({ lane }) => {
        if (lane !== 'background') return new Promise<void>((resolve) => ends.push(resolve))
        now += 1
        most = Math.max(most, now)
        await new Promise(setImmediate)
        now -= 1
      },
    })
    const of = (name: string, lane: 'main' | 'background') => ({ ...wake(name), lane })
    await queue.send([of('other', 'main')])
    await queue.send(Array.from({ length: 12 }, (_, index) => of(`s${index}`, 'background')))
    while (queue.load().background.waiting + queue.load().background.handled > 0)
      await new Promise(setImmediate)
    expect(most).toBe(3)
    for (const end of ends) end()
    await queue.idle()
  })

  it('is shown, bounded, and reported as ignored where the queue is strictly ordered', async () => {
    expect((await post({ priority: 7 })).body.priority).toBe(7)
    expect((await post({ priority: 11 })).status).toBe(422)
    const cloud = await testApi({ settings: { keepsOrder: true } })
    const { body } = await cloud.call('POST', '/v1/runs', { json: { input: 'x', priority: 7 } })
    expect(body.warnings).toMatchObject([{ code: 'priority_ignored' }])
    const plain = await cloud.call('POST', '/v1/runs', { json: { input: 'x' } })
    expect(plain.body).not.toHaveProperty('warnings')
  })
})
