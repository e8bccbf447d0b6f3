/** Deliveries are found by status, endpoint, run and time; each shows the body that was sent. */

import { beforeEach, describe, expect, it } from 'vitest'
import { settle, startRun } from '../support/drive.ts'
import { type TestApi, testApi } from '../support/http.ts'
import { type Receivers, receivers } from '../support/receivers.ts'

let api: TestApi
let web: Receivers
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web })
})

const HOUR = 3_600_000
const made = async (url: string): Promise<string> =>
  (await api.call('POST', '/v1/webhook-endpoints', { json: { url, events: ['run.completed'] } }))
    .body.id
const run = async (): Promise<string> => {
  const id = await startRun(api.world, { input: '@say hello' })
  await settle(api.world)
  api.world.clock.advance(HOUR)
  return id
}
interface Found {
  readonly id: string
  readonly status: string
  readonly run_id: string
  readonly endpoint_id: string
  readonly created_at: string
}
const found = async (query: string): Promise<readonly Found[]> => {
  const { status, body } = await api.call('GET', `/v1/webhook-deliveries?${query}`)
  expect([query, status]).toEqual([query, 200])
  return body.data
}

describe('deliveries by their properties', () => {
  it('are found by endpoint, run, status and time, alone and together, page by page', async () => {
    const [good, bad] = [await made('https://good.example/'), await made('https://bad.example/')]
    web.answer('https://bad.example/', { status: 410 })
    const runs = [await run(), await run(), await run()]
    const all = await found('')
    // A receiver that answers 410 gets no more.
    expect(all.length).toBe(4)
    const ids = (list: readonly Found[]) => list.map(({ id }) => id)
    for (const [query, wanted] of [
      [`endpoint_id=${bad}`, (one: Found) => one.endpoint_id === bad],
      [`run_id=${runs[1]}`, (one: Found) => one.run_id === runs[1]],
      ['status=delivered', (one: Found) => one.status === 'delivered'],
      ['status=delivered,disabled', () => true],
      [`endpoint_id=${good}&status=disabled`, () => false],
      [
        `endpoint_id=${bad}&status=disabled&run_id=${runs[0]}`,
        (one: Found) =>
          one.endpoint_id === bad && one.status === 'disabled' && one.run_id === runs[0],
      ],
      [`created[gte]=${all[2]!.created_at}`, (one: Found) => one.created_at >= all[2]!.created_at],
      [`created[lt]=${all[2]!.created_at}`, (one: Found) => one.created_at < all[2]!.created_at],
    ] as const) {
      const wantedIds = ids(all.filter(wanted))
      expect([query, ids(await found(`${query}&limit=100`))]).toEqual([query, wantedIds])
      const paged: string[] = []
      for (let cursor = ''; ; ) {
        const { body } = await api.call('GET', `/v1/webhook-deliveries?${query}&limit=1${cursor}`)
        paged.push(...ids(body.data))
        if (body.next_cursor === null) break
        cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
      }
      expect([query, paged]).toEqual([query, wantedIds])
    }
    expect(all.some(({ status }) => status === 'disabled')).toBe(true)
  })

  it('are sent again by the same properties', async () => {
    await made('https://good.example/')
    const [one] = [await run(), await run()]
    const { body } = await api.call('POST', '/v1/webhook-deliveries/replay', {
      json: { status: 'delivered', run_id: one },
    })
    const [first] = await found(`run_id=${one}`)
    expect(body.replayed).toEqual([first!.id])
  })

  it('refuse a status and a time that are none', async () => {
    for (const query of ['status=lost', 'status=', 'created[gte]=yesterday', 'since=x'])
      expect((await api.call('GET', `/v1/webhook-deliveries?${query}`)).status).toBe(400)
  })
})

it('the body that was sent is shown to a key that may read runs, to no other', async () => {
  await made('https://good.example/')
  await run()
  const [{ id }] = (await found('')) as [Found]
  const whole = (await api.call('GET', `/v1/webhook-deliveries/${id}`)).body
  expect(whole.payload).toBe(web.got[0]!.body)
  expect(JSON.parse(whole.payload).type).toBe('run.completed')
  const { body } = await api.call('POST', '/v1/keys', { json: { scopes: ['webhooks:read'] } })
  const narrow = await api.call('GET', `/v1/webhook-deliveries/${id}`, { key: body.key })
  expect([narrow.status, narrow.body.payload, narrow.body.id]).toEqual([200, null, id])
})
