/** The list of sessions by their latest activity. */

import { describe, expect, it } from 'vitest'
import { activeSessionsList } from '../../../../src/engine/partition/keys.ts'
import { TENANT } from '../../../support/drive.ts'
import { testApi } from '../../../support/http.ts'

type Api = Awaited<ReturnType<typeof testApi>>

interface Listed {
  readonly id: string
  readonly active_at: string
}

/** Each change happens a second after the one before. */
async function start() {
  const api = await testApi()
  const later = () => api.world.clock.advance(1_000)
  const create = async (json: object = {}): Promise<string> => {
    later()
    return (await api.call('POST', '/v1/sessions', { json })).body.id
  }
  const run = async (json: object): Promise<string> => {
    later()
    const { body } = await api.call('POST', '/v1/runs', { json })
    await api.settle()
    return body.session_id
  }
  const rename = async (id: string, json: object) => {
    later()
    expect((await api.call('PATCH', `/v1/sessions/${id}`, { json })).status).toBe(200)
  }
  return { api, create, run, rename }
}

async function page(api: Api, query: string) {
  const { status, body } = await api.call('GET', `/v1/sessions?${query}`)
  expect(status).toBe(200)
  const data = body.data as Listed[]
  return { ids: data.map(({ id }) => id), data, next: encodeURIComponent(body.next_cursor ?? '') }
}

describe('sessions by activity', () => {
  it('begin with the most recently active one, of every origin', async () => {
    const { api, create, run, rename } = await start()
    const first = await create()
    const alone = await run({ input: '@say alone' })
    const second = await create()
    const continued = await run({ input: '@say own' })
    const third = await create()
    const order = async () => (await page(api, 'order=active')).ids
    expect(await order()).toEqual([third, continued, second, alone, first])
    await run({ input: '@say more', session_id: first })
    expect(await order()).toEqual([first, third, continued, second, alone])
    await run({ input: '@say more', session_id: continued })
    expect(await order()).toEqual([continued, first, third, second, alone])
    await rename(second, { title: 'renamed' })
    const { ids, data } = await page(api, 'order=active')
    expect(ids).toEqual([second, continued, first, third, alone])
    const times = data.map(({ active_at }) => active_at)
    expect(times).toEqual([...times].sort().reverse())
    // By default they stand by creation, as before.
    const created = [third, continued, second, alone, first]
    expect((await page(api, '')).ids).toEqual(created)
    expect((await page(api, 'order=created')).ids).toEqual(created)
  })

  it('stay consistent across pages while others move to the front', async () => {
    const { api, create, run } = await start()
    const made: string[] = []
    for (let at = 0; at < 9; at += 1) {
      made.unshift(at % 2 ? await create() : await run({ input: `@say ${at}` }))
    }
    const one = await page(api, 'order=active&limit=3')
    expect(one.ids).toEqual(made.slice(0, 3))
    // One that was shown and one that was not: both stand before the cursor now.
    await run({ input: '@say again', session_id: made[1] })
    await run({ input: '@say again', session_id: made[4] })
    await create()
    const two = await page(api, `order=active&limit=3&cursor=${one.next}`)
    const three = await page(api, `order=active&limit=3&cursor=${two.next}`)
    expect([...two.ids, ...three.ids]).toEqual(made.slice(3).filter((id) => id !== made[4]))
    expect(three.next).toBe('')
    expect((await page(api, 'order=active&limit=3')).ids.slice(1)).toEqual([made[4], made[1]])
  })

  it('are filtered as usual, without deleted ones', async () => {
    const { api, create, run, rename } = await start()
    const first = await create({ title: 'otter one' })
    const second = await create({ title: 'otter two' })
    const own = await run({ input: '@say otter' })
    await run({ input: '@say again', session_id: own })
    await rename(first, { archived: true })
    expect((await page(api, 'order=active')).ids).toEqual([own, second])
    expect((await page(api, 'order=active&archived=include')).ids).toEqual([first, own, second])
    expect((await page(api, 'order=active&archived=only')).ids).toEqual([first])
    expect((await page(api, 'order=active&q=two')).ids).toEqual([second])
    expect((await page(api, 'order=active&kind=subagent')).ids).toEqual([])
    for (const id of [own, second]) await api.call('DELETE', `/v1/sessions/${id}`)
    await api.settle()
    expect((await page(api, 'order=active&archived=include')).ids).toEqual([first])
    expect(await api.world.store.list(activeSessionsList(TENANT))).toHaveLength(1)
  })

  it('refuse an unknown order and a cursor of the other order (400)', async () => {
    const { api, create } = await start()
    for (let at = 0; at < 3; at += 1) await create()
    const { next } = await page(api, 'order=active&limit=2')
    for (const query of ['order=asc', 'order=ACTIVE', `order=created&limit=2&cursor=${next}`]) {
      expect((await api.call('GET', `/v1/sessions?${query}`)).status, query).toBe(400)
    }
  })
})
