/** Open fan-outs: tasks come by pages, in any order and more than once, until the seal. */

import { describe, expect, it } from 'vitest'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { settle } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { receivers } from '../../../support/receivers.ts'
import { together } from '../../../support/together.ts'

const say = (count: number, of = 'part') =>
  Array.from({ length: count }, (_, index) => ({
    task: `@say ${of} ${index}`,
    label: `${of}${index}`,
  }))

const open = async (api: TestApi, more: object = {}): Promise<string> => {
  const { status, body } = await api.call('POST', '/v1/fanouts', { json: { open: true, ...more } })
  expect([status, body.open, body.pages]).toEqual([202, true, 0])
  return body.id
}
const add = (api: TestApi, id: string, page: number, tasks: readonly unknown[]) =>
  api.call('POST', `/v1/fanouts/${id}/tasks`, { json: { page, tasks } })
const seal = (api: TestApi, id: string, pages: number) =>
  api.call('POST', `/v1/fanouts/${id}/seal`, { json: { pages } })
const look = async (api: TestApi, id: string) => (await api.call('GET', `/v1/fanouts/${id}`)).body
const eventsOf = async (api: TestApi, id: string) =>
  (await api.call('GET', `/v1/fanouts/${id}/events`)).body.data

/** Every task as the list shows it. */
async function tasksOf(api: TestApi, id: string) {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects.
  const all: any[] = []
  let cursor = ''
  do {
    const query = `?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
    const { body } = await api.call('GET', `/v1/fanouts/${id}/tasks${query}`)
    all.push(...body.data)
    cursor = body.next_cursor ?? ''
  } while (cursor !== '')
  return all
}

describe('an open fan-out', () => {
  it.each([settle, together])(
    'runs every task of every page once in any order, and ends once after it is sealed',
    async (drive) => {
      const web = receivers()
      const api = await testApi({ web })
      const secret = `whsec_${btoa('x'.repeat(32))}`
      const webhook = {
        url: 'https://r.example/',
        secret,
        events: ['fanout.completed', 'subagent.announced'],
      }
      const id = await open(api, { label: 'big', webhook })
      const pages = [say(7, 'a'), say(3, 'b'), say(11, 'c')]
      for (const page of [2, 0, 2]) {
        const { status, body } = await add(api, id, page, pages[page]!)
        expect([status, body.page, body.tasks]).toEqual([202, page, pages[page]!.length])
        expect(body.replayed).toBe(body.pages === 2 && page === 2)
      }
      await drive(api.world)
      const early = await look(api, id)
      expect(early).toMatchObject({ status: 'running', open: true, pages: 2 })
      expect(early.children).toMatchObject({ total: 18, completed: 18 })

      const missing = await seal(api, id, 3)
      expect([missing.status, missing.body.missing_pages]).toEqual([409, [1]])
      expect((await add(api, id, 1, pages[1]!)).status).toBe(202)
      expect((await add(api, id, 1, pages[0]!)).status).toBe(409)
      expect((await seal(api, id, 2)).status).toBe(409)
      const sealed = await seal(api, id, 3)
      expect([sealed.status, sealed.body.open]).toEqual([200, false])
      expect((await seal(api, id, 3)).status).toBe(200)
      expect((await seal(api, id, 4)).status).toBe(409)
      expect((await add(api, id, 3, say(1))).status).toBe(409)
      expect((await add(api, id, 0, pages[0]!)).status).toBe(202)
      await drive(api.world)

      const after = await look(api, id)
      expect(after).toMatchObject({
        status: 'completed',
        label: 'big',
        released_by: 'joined',
        pages: 3,
      })
      expect(after.children).toMatchObject({ total: 21, completed: 21, live: 0, queued: 0 })
      expect(after.usage.model_calls).toBe(21)
      expect(after.results).toEqual([])
      const tasks = await tasksOf(api, id)
      expect(tasks.map(({ index }) => index)).toEqual(
        pages.flatMap((page, number) => page.map((_, at) => number * 1_000 + at)),
      )
      const said = pages.flatMap((page) => page.map(({ task }) => task.replace('@say ', '')))
      expect(tasks.map(({ result }) => result)).toEqual(said)
      expect(new Set(tasks.map(({ run_id }) => run_id)).size).toBe(21)
      const types = web.got.map(({ json }) => json.type)
      expect(types.filter((type) => type === 'fanout.completed')).toHaveLength(1)
      expect(types.filter((type) => type === 'subagent.announced')).toHaveLength(21)
      const seen = (await eventsOf(api, id)).map(({ type }: { type: string }) => type)
      expect(seen.filter((type: string) => type === 'fanout.extended')).toHaveLength(3)
      expect(seen.at(-1)).toBe('fanout.completed')
      const listed = (await api.call('GET', '/v1/fanouts')).body.data
      expect(listed.map((one: { id: string }) => one.id)).toEqual([id])
    },
  )

  it('without tasks ends when it is sealed; pages and tasks have limits, which are reported', async () => {
    const api = await testApi()
    const id = await open(api)
    const wrong = await add(api, id, 1_000, say(1))
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, '/page'])
    const empty = await add(api, id, 0, [])
    expect([empty.status, empty.body.errors[0].pointer]).toEqual([422, '/tasks'])
    const bad = await add(api, id, 0, [{ task: 'x' }, { task: 'y', agent: 'nobody' }])
    expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/tasks/1/agent'])
    expect((await seal(api, id, 0)).status).toBe(200)
    await settle(api.world)
    expect(await look(api, id)).toMatchObject({ status: 'completed', children: { total: 0 } })
    const whole = (await api.call('POST', '/v1/fanouts', { json: { tasks: say(2) } })).body.id
    expect((await add(api, whole, 0, say(1))).status).toBe(409)
    expect((await seal(api, whole, 0)).status).toBe(409)
    expect((await add(api, 'fan_00000000000000000000000000', 0, say(1))).status).toBe(404)
    for (const json of [
      {},
      { open: true, tasks: say(1) },
      { open: true, join: { policy: 'any' } },
    ]) {
      expect((await api.call('POST', '/v1/fanouts', { json })).status).toBe(422)
    }
    expect((await tasksOf(api, whole)).length).toBe(2)
    const headers = { accept: 'text/event-stream' }
    const tree = `/v1/fanouts/${id}/events?include=subagents`
    expect((await api.call('GET', tree, { headers })).status).toBe(400)
  })

  it('reports in the 202 what the tasks of a page lack, by index', async () => {
    const api = await testApi()
    const id = await open(api)
    const tasks = [...say(1), { task: '@say x', role: 'nobody' }]
    for (const replayed of [false, true]) {
      const { body } = await add(api, id, 2, tasks)
      expect(body.replayed).toBe(replayed)
      expect(body.warnings).toMatchObject([{ code: 'role_layer_invalid', tasks: [2_001] }])
    }
  })

  it('that is never sealed fails after a day without a page and cancels its live tasks', async () => {
    const api = await testApi()
    const id = await open(api)
    await add(api, id, 0, say(2))
    await settle(api.world)
    api.world.clock.advance(23 * 3_600_000)
    await tick(api.world)
    await settle(api.world)
    await add(api, id, 1, say(1))
    await settle(api.world)
    api.world.clock.advance(23 * 3_600_000)
    await tick(api.world)
    await settle(api.world)
    expect((await look(api, id)).status).toBe('running')
    api.world.clock.advance(2 * 3_600_000)
    await tick(api.world)
    await settle(api.world)
    expect(await look(api, id)).toMatchObject({ status: 'failed', error: { code: 'not_sealed' } })
    expect((await tasksOf(api, id)).map(({ status }) => status)).toEqual(Array(3).fill('completed'))
  })

  it('that is cancelled with 200 begins no further task and ends the live ones', async () => {
    const api = await testApi({ settings: { maxLiveChildren: 4 } })
    const id = await open(api)
    for (let page = 0; page < 6; page += 1) await add(api, id, page, say(3, `p${page}x`))
    const { status, body } = await api.call('POST', `/v1/fanouts/${id}/cancel`, { json: {} })
    expect(status).toBe(200)
    expect(body.children.total).toBe(18)
    await settle(api.world)
    const after = await look(api, id)
    expect(after.status).toBe('cancelled')
    const { completed, cancelled, live, queued } = after.children
    expect([completed + cancelled, live, queued]).toEqual([18, 0, 0])
    expect((await add(api, id, 6, say(1))).status).toBe(409)
  })

  it('divides its budget among pages and tasks, and its closing run reads what fits', async () => {
    const api = await testApi({ settings: { maxLiveChildren: 8 } })
    const costly = Array.from({ length: 20 }, () => ({ task: '@call file_list {}\n@say done' }))
    const id = await open(api, { limits: { max_model_calls: 50 } })
    for (const page of [0, 1, 2]) await add(api, id, page, costly)
    await seal(api, id, 3)
    await settle(api.world)
    const poor = await look(api, id)
    expect(poor).toMatchObject({ status: 'completed', released_by: 'budget' })
    expect(poor.usage.model_calls).toBeLessThanOrEqual(50)
    expect(poor.children.completed + poor.children.cancelled).toBe(60)

    const closing = await open(api, { then: { input: '@say saw {results}' } })
    for (const page of [0, 1]) await add(api, closing, page, say(5, `q${page}x`))
    await seal(api, closing, 2)
    await settle(api.world)
    const rich = await look(api, closing)
    expect(rich.output.text).toBe('saw 10')
    const [first] = (await api.call('GET', `/v1/runs/${rich.closing_run_id}/transcript`)).body.data
    expect(JSON.stringify(first)).toContain('saw')
  })

  it("fails as a whole when a task fails the join, and the task's message gives the reason", async () => {
    const api = await testApi({ settings: { maxLiveChildren: 4 } })
    const id = await open(api, { join: { on_child_failure: 'fail' } })
    await add(api, id, 0, [...say(2), { task: '@fail 400\n@say x' }])
    await add(api, id, 1, say(2))
    await seal(api, id, 2)
    await settle(api.world)
    const after = await look(api, id)
    expect(after).toMatchObject({ status: 'failed', error: { code: 'child_failed' } })
    const { total, live, queued } = after.children
    expect([total, live, queued]).toEqual([5, 0, 0])
  })
})
