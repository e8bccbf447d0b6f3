/** Filters of the list of deliveries, replays of the same filters, and the bodies of deliveries. */

import { beforeEach, describe, expect, it } from 'vitest'
import { newDelivery } from '../../../../src/core/webhook/delivery.ts'
import { createDelivery, PAYLOAD } from '../../../../src/engine/webhook/delivery.ts'
import { random } from '../../../../src/lib/id.ts'
import { settle, startRun, TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { type Receivers, receivers } from '../../../support/receivers.ts'

interface Shown {
  readonly id: string
  readonly status: string
  readonly event_type: string
  readonly run_id: string
  readonly endpoint_id: string
  readonly created_at: string
}

const URL = 'https://one.example/hook'
const MINUTE = 60_000
let api: TestApi
let web: Receivers
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web })
})

const endpointOf = async (more: object = {}): Promise<string> =>
  (await api.call('POST', '/v1/webhook-endpoints', { json: { url: URL, ...more } })).body.id
const run = async (input = '@say hello'): Promise<string> => {
  const id = await startRun(api.world, { input })
  await settle(api.world)
  api.world.clock.advance(MINUTE)
  return id
}
const idsOf = async (query = ''): Promise<string[]> => {
  const { status, body } = await api.call('GET', `/v1/webhook-deliveries?${query}`)
  if (status !== 200) throw new Error(`${query}: ${status} ${JSON.stringify(body)}`)
  return body.data.map(({ id }: { id: string }) => id)
}
const replay = async (json: object) => {
  const { status, body } = await api.call('POST', '/v1/webhook-deliveries/replay', { json })
  return { status, body }
}
const refusal = async (method: 'GET' | 'POST', path: string, json?: object) => {
  const { status, body } = await api.call(method, path, json && { json })
  return [status, body.code, body.errors?.[0]?.pointer]
}

describe('GET /v1/webhook-deliveries with filters', () => {
  it('200 each filter selects exactly the deliveries that match it, and filters combine with AND', async () => {
    const one = await endpointOf({ events: ['run.completed', 'run.failed'] })
    await endpointOf({ url: 'https://two.example', events: ['run.*'] })
    const first = await run()
    const between = new Date(api.world.clock.now()).toISOString()
    web.answer(URL, { status: 410 })
    const second = await run('@error 400')
    const all = (await api.call('GET', '/v1/webhook-deliveries?limit=100')).body.data
    const expected = (test: (delivery: Shown) => boolean) =>
      all.filter(test).map(({ id }: { id: string }) => id)
    const cases: [string, (delivery: Shown) => boolean][] = [
      ['status=disabled', ({ status }) => status === 'disabled'],
      ['status=delivered,disabled', ({ status }) => ['delivered', 'disabled'].includes(status)],
      ['event_type=run.completed', ({ event_type }) => event_type === 'run.completed'],
      [
        'event_type=run.cancelled,run.failed',
        ({ event_type }) => ['run.cancelled', 'run.failed'].includes(event_type),
      ],
      [`run_id=${first}`, ({ run_id }) => run_id === first],
      [`run_id=${second}&endpoint_id=${one}`, (d) => d.run_id === second && d.endpoint_id === one],
      [`created[gte]=${between}`, ({ created_at }) => created_at >= between],
      [
        `created[lt]=${between}&endpoint_id=${one}`,
        (d) => d.run_id === first && d.endpoint_id === one,
      ],
      [`run_id=${first}&status=disabled`, () => false],
      [`run_id=fan_${'0'.repeat(26)}`, () => false],
    ]
    for (const [query, test] of cases) {
      expect([query, await idsOf(`limit=100&${query}`)]).toEqual([query, expected(test)])
      // The pages of one list are the list, and a cursor continues only its own filter.
      const page = await api.call('GET', `/v1/webhook-deliveries?limit=1&${query}`)
      expect(page.body.data.length).toBe(Math.min(1, expected(test).length))
      if (!page.body.next_cursor) continue
      const rest = `cursor=${encodeURIComponent(page.body.next_cursor)}`
      expect(await idsOf(`${rest}&limit=100&${query}`)).toEqual(expected(test).slice(1))
      const other = await api.call('GET', `/v1/webhook-deliveries?${rest}`)
      expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor'])
    }
  })

  it('400 an unknown status, event type, time, or ID is refused by its name', async () => {
    const list = (query: string) => refusal('GET', `/v1/webhook-deliveries?${query}`)
    expect(await list('status=lost')).toEqual([400, 'invalid_query', '/status/0'])
    expect(await list('event_type=run.exploded')).toEqual([400, 'invalid_query', '/event_type/0'])
    expect(await list('run_id=ses_1')).toEqual([400, 'invalid_query', '/run_id'])
    expect(await list('created[gte]=today')).toEqual([400, 'invalid_query', '/created[gte]'])
    expect(await list('endpoint_id=whe_1&status=failed')).toEqual([404, 'not_found', undefined])
  })

  it('200 a page reads at most 2,000 deliveries, and its cursor continues', async () => {
    const endpoint = await endpointOf()
    for (let count = 0; count < 2_010; count += 1) {
      const about = { id: random('dlv', api.world.clock.random(17)), tenant: TENANT, run_id: null }
      const event = { seq: 0, event_type: 'run.failed', url: URL, endpoint_id: endpoint }
      await createDelivery(api.world, newDelivery({ ...about, ...event }, count), '{}', null)
    }
    const query = 'event_type=run.completed'
    const { body } = await api.call('GET', `/v1/webhook-deliveries?${query}`)
    expect(body).toMatchObject({ data: [], has_more: true })
    const rest = encodeURIComponent(body.next_cursor)
    const next = await api.call('GET', `/v1/webhook-deliveries?${query}&cursor=${rest}`)
    expect(next.body).toEqual({ data: [], has_more: false, next_cursor: null })
  })
})

describe('POST /v1/webhook-deliveries/replay', () => {
  it('200 a dry run names what the list shows and sends nothing, and 202 sends exactly this', async () => {
    const one = await endpointOf({ events: ['run.completed', 'run.failed'] })
    await endpointOf({ url: 'https://two.example', events: ['run.*'] })
    const first = await run()
    const to = new Date(api.world.clock.now()).toISOString()
    await run('@error 400')
    const cases: [string, object][] = [
      ['status=delivered', { status: 'delivered' }],
      ['status=delivered,failed', { status: ['delivered', 'failed'] }],
      ['status=delivered&event_type=run.failed', { status: 'delivered', event_type: 'run.failed' }],
      [
        `status=delivered&event_type=run.cancelled,run.completed&run_id=${first}`,
        { status: 'delivered', event_type: ['run.cancelled', 'run.completed'], run_id: first },
      ],
      [
        `status=delivered&endpoint_id=${one}&created[lt]=${to}`,
        { status: 'delivered', endpoint_id: one, to },
      ],
      [`status=delivered&created[gte]=${to}`, { status: 'delivered', from: to }],
    ]
    for (const [query, json] of cases) {
      const listed = await idsOf(`limit=100&${query}`)
      expect([query, listed.length > 0]).toEqual([query, true])
      const before = web.got.length
      const dry = await replay({ ...json, dry_run: true })
      expect([query, dry]).toEqual([
        query,
        {
          status: 200,
          body: {
            dry_run: true,
            replayed: listed,
            in_progress: [],
            next_cursor: null,
            has_more: false,
          },
        },
      ])
      await settle(api.world)
      expect(web.got.length).toBe(before)
      const sent = await replay(json)
      expect([sent.status, sent.body.dry_run, sent.body.replayed]).toEqual([202, false, listed])
      await settle(api.world)
      expect(web.got.length).toBe(before + listed.length)
    }
  })

  it('names deliveries that match while an attempt is in progress, in a dry run as well', async () => {
    const endpoint = await endpointOf()
    const about = { id: random('dlv', api.world.clock.random(17)), tenant: TENANT, run_id: null }
    const event = { seq: 0, event_type: 'run.failed', url: URL, endpoint_id: endpoint }
    const made = newDelivery({ ...about, ...event }, api.world.clock.now())
    await createDelivery(api.world, made, '{}', null)
    for (const dry_run of [true, false]) {
      const { body } = await replay({ status: 'pending', dry_run })
      expect(body).toMatchObject({ dry_run, replayed: [], in_progress: [about.id] })
    }
  })

  it('422 an unknown member or value is refused with its pointer', async () => {
    const post = (json: object) => refusal('POST', '/v1/webhook-deliveries/replay', json)
    expect(await post({ event_type: 'run.exploded' })).toEqual([
      422,
      'invalid_request',
      '/event_type',
    ])
    expect(await post({ status: [] })).toEqual([422, 'invalid_request', '/status'])
    expect(await post({ run_id: 'ses_1' })).toEqual([422, 'invalid_request', '/run_id'])
  })

  it('400 the cursor of a dry run does not continue a replay', async () => {
    const endpoint = await endpointOf()
    for (let count = 0; count < 51; count += 1) {
      const about = { id: random('dlv', api.world.clock.random(17)), tenant: TENANT, run_id: null }
      const event = { seq: 0, event_type: 'run.failed', url: URL, endpoint_id: endpoint }
      const made = newDelivery({ ...about, ...event }, count)
      await createDelivery(api.world, { ...made, status: 'failed' }, '{}', null)
    }
    const { body } = await replay({ dry_run: true })
    expect([body.replayed.length, body.has_more]).toEqual([50, true])
    const cursor = body.next_cursor
    expect((await replay({ cursor })).status).toBe(400)
    expect((await replay({ cursor, dry_run: true })).body).toMatchObject({ has_more: false })
  })
})

describe('GET /v1/webhook-deliveries/{id}', () => {
  it.each(['standard', 'cloudevents'])('200 shows the body as it is sent (%s)', async (format) => {
    await endpointOf({ format })
    await run()
    const [id] = await idsOf()
    const { body } = await api.call('GET', `/v1/webhook-deliveries/${id}`)
    expect(body.payload).toBe(web.at(URL)[0]!.body)
    expect(body).not.toHaveProperty('payload_omitted')
    const list = (await api.call('GET', '/v1/webhook-deliveries')).body.data
    expect(list[0]).not.toHaveProperty('payload')
  })

  it('200 says why there is no body: the key may not read runs, or the row has expired', async () => {
    await endpointOf()
    await run()
    const [id] = await idsOf()
    const json = { name: 'narrow', scopes: ['webhooks:read'] }
    const { key } = (await api.call('POST', '/v1/keys', { json })).body
    const headers = { authorization: `Bearer ${key}` }
    const narrow = await api.call('GET', `/v1/webhook-deliveries/${id}`, { headers })
    expect(narrow.body).toMatchObject({ id, payload: null, payload_omitted: 'scope' })
    await api.world.store.commit(`test/delivery/${id}`, [{ op: 'delete', key: PAYLOAD }])
    const { body } = await api.call('GET', `/v1/webhook-deliveries/${id}`)
    expect(body).toMatchObject({ id, payload: null, payload_omitted: 'expired' })
  })
})
