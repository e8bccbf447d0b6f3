import { beforeEach, describe, expect, it } from 'vitest'
import { newDelivery } from '../../../../src/core/webhook/delivery.ts'
import { createDelivery } from '../../../../src/engine/webhook/delivery.ts'
import { tick } from '../../../../src/engine/worker/tick.ts'
import { random } from '../../../../src/lib/id.ts'
import { factsOf, settle, startRun, TENANT } from '../../../support/drive.ts'
import { type TestApi, testApi } from '../../../support/http.ts'
import { type Receivers, receivers } from '../../../support/receivers.ts'
import { verifyWebhook } from '../../../support/verify-webhook.ts'

const URL = 'https://one.example/hook'
const MINUTE = 60_000
const DAY = 86_400_000
let api: TestApi
let web: Receivers
beforeEach(async () => {
  web = receivers()
  api = await testApi({ web })
})

const create = async (more: object = {}, headers: Record<string, string> = {}) =>
  (await api.call('POST', '/v1/webhook-endpoints', { json: { url: URL, ...more }, headers })).body
const run = async (input = '@say hello'): Promise<string> => {
  const id = await startRun(api.world, { input })
  await settle(api.world)
  return id
}
const later = async (ms: number) => {
  api.world.clock.advance(ms)
  await tick(api.world)
  await settle(api.world)
}
const deliveries = async (query = '') =>
  (await api.call('GET', `/v1/webhook-deliveries${query}`)).body.data
const endpoint = async (id: string) => (await api.call('GET', `/v1/webhook-endpoints/${id}`)).body
const verify = (secret: string, got: Parameters<typeof verifyWebhook>[1]) =>
  verifyWebhook(secret, got, api.world.clock.now())

describe('webhook endpoints', () => {
  it('a secret is shown once, when it is created, and appears in no list and no row [WS06]', async () => {
    const made = await create()
    expect(made).toMatchObject({ object: 'webhook_endpoint', url: URL, enabled: true })
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await endpoint(made.id)).not.toHaveProperty('secret')
    const { body } = await api.call('GET', '/v1/webhook-endpoints')
    expect(body.data).toMatchObject([{ id: made.id }])
    expect(JSON.stringify(body)).not.toContain('whsec_')
    const rows = await api.world.store.read(`test/endpoint/${made.id}`)
    expect(JSON.stringify(rows)).not.toContain(made.secret.slice('whsec_'.length))
    const own = await create({ url: 'https://two.example', secret: made.secret })
    expect(own).not.toHaveProperty('secret')
  })

  it('the same Idempotency-Key creates one endpoint and shows its secret again', async () => {
    const headers = { 'idempotency-key': 'endpoint-1' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({}, headers)))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(new Set(answers.map(({ secret }) => secret)).size).toBe(1)
    const other = await api.call('POST', '/v1/webhook-endpoints', {
      json: { url: 'https://other.example' },
      headers,
    })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  it('an unknown event, a blocked URL, and a weak secret are refused [WS24]', async () => {
    const refused = async (json: object) => {
      const { status, body } = await api.call('POST', '/v1/webhook-endpoints', { json })
      return [status, body.code, body.errors?.[0]?.pointer]
    }
    expect(await refused({ url: URL, events: ['run.exploded'] })).toEqual([
      422,
      'invalid_request',
      '/events/0',
    ])
    expect(await refused({ url: 'http://x' })).toEqual([422, 'blocked_url', '/url'])
    expect(await refused({ url: URL, secret: 'whsec_AA==' })).toEqual([
      422,
      'invalid_request',
      '/secret',
    ])
  })

  it('receive the end of a run once, signed, with the whole event and the seq that orders it [WS23]', async () => {
    const { secret } = await create()
    const id = await run()
    const [got, ...more] = web.at(URL)
    expect(more).toEqual([])
    const facts = await factsOf(api.world, id)
    expect(verify(secret, got!)).toMatchObject({
      type: 'run.completed',
      data: { run_id: id, seq: facts.length, type: 'run.completed' },
    })
    expect(got?.headers['webhook-id']).toMatch(/^msg_[A-Za-z0-9]{24,}$/)
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, run_id: id })
  })

  it('filter by type and by family, and ends of subagents come from their parent', async () => {
    const subagents = 'https://subagents.example'
    const all = 'https://all.example'
    await create()
    await create({ url: subagents, events: ['subagent.*'] })
    await create({ url: all, events: ['run.*', 'subagent.failed'] })
    const input = '@spawn 2 {"task":"@say part {i}"}\n@await\n@say done'
    await run(input)
    const types = (url: string) => web.at(url).map(({ json }) => json.type)
    expect(types(URL)).toEqual(['run.completed'])
    expect(types(all)).toEqual(['run.completed'])
    expect(types(subagents).sort()).toEqual([
      'subagent.announced',
      'subagent.announced',
      'subagent.spawned',
      'subagent.spawned',
    ])
  })

  it('a run without endpoints uses two commits and has no pending deliveries', async () => {
    const id = await run()
    const [head] = await api.world.store.heads([`test/run/${id}`])
    expect(head?.version).toBe(2)
  })

  it('an endpoint created while the run was parked receives its end', async () => {
    const id = await startRun(api.world, { input: '@call unknown {}\n@then\n@say x' })
    await create()
    await settle(api.world)
    expect(web.at(URL)).toMatchObject([{ json: { data: { run_id: id } } }])
  })
})

describe('changing an endpoint', () => {
  it('requires no precondition, but honors If-Match', async () => {
    const { id } = await create()
    const path = `/v1/webhook-endpoints/${id}`
    const first = await api.call('GET', path)
    const etag = first.headers.get('etag')!
    const patch = (json: object, match?: string) =>
      api.call('PATCH', path, { json, headers: match ? { 'if-match': match } : {} })
    expect((await patch({ description: 'a' }, etag)).body).toMatchObject({ description: 'a' })
    expect((await patch({ description: 'b' }, etag)).status).toBe(412)
    expect((await patch({ events: ['subagent.*'] })).body).toMatchObject({
      events: ['subagent.*'],
      description: 'a',
    })
    expect((await patch({ url: 'http://x' })).body.code).toBe('blocked_url')
    const gone = await api.call('DELETE', path, { headers: { 'if-match': etag } })
    expect(gone.status).toBe(412)
    expect((await api.call('DELETE', path)).status).toBe(204)
    expect((await api.call('GET', path)).status).toBe(404)
    expect((await api.call('DELETE', path)).status).toBe(404)
    const { body } = await api.call('GET', '/v1/audit')
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'delete',
      'update',
      'update',
      'create',
    ])
  })

  it('applies to the next attempt, which goes to the new URL [WS19]', async () => {
    const { id } = await create()
    web.answer(URL, { status: 500 })
    await run()
    const moved = 'https://moved.example'
    await api.call('PATCH', `/v1/webhook-endpoints/${id}`, { json: { url: moved } })
    await later(10_000)
    expect(web.at(moved)).toHaveLength(1)
    expect(web.at(moved)[0]?.headers['webhook-id']).toBe(web.at(URL)[0]?.headers['webhook-id'])
    expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: 2, url: moved }])
  })

  it('a pending delivery to a deleted endpoint is dropped and audited [WS19]', async () => {
    const { id } = await create()
    web.answer(URL, { status: 500 })
    await run()
    await api.call('DELETE', `/v1/webhook-endpoints/${id}`)
    await later(10_000)
    expect(web.at(URL)).toHaveLength(1)
    expect(await deliveries()).toMatchObject([
      { status: 'dropped', last_error: 'the endpoint was deleted', next_at: null },
    ])
    const { body } = await api.call('GET', '/v1/audit')
    expect(body.data[0]).toMatchObject({ kind: 'endpoint', action: 'delete', name: id })
  })

  it('a URL that policy refuses by then gets no request [WS21]', async () => {
    await create()
    web.blocked.add(URL)
    await run()
    expect(web.got).toEqual([])
    expect(await deliveries()).toMatchObject([{ last_error: 'the URL is not allowed' }])
  })

  it('endpoints of another tenant receive nothing and are not found here [WS21]', async () => {
    const { id } = await create()
    const { createKey } = await import('../../../../src/engine/tenant/api-keys.ts')
    const { key } = await createKey(api.world, 'other', ['*'])
    expect((await api.call('GET', `/v1/webhook-endpoints/${id}`, { key })).status).toBe(404)
    expect((await api.call('GET', '/v1/webhook-endpoints', { key })).body.data).toEqual([])
    await api.call('POST', '/v1/runs', { json: { input: '@say x' }, key })
    await settle(api.world)
    expect(web.got).toEqual([])
  })
})

describe('secret rotation', () => {
  it('both secrets sign for 24 hours, the new one first, and then only the new one [WS05 V10]', async () => {
    const { id, secret: old } = await create()
    const rotated = await api.call('POST', `/v1/webhook-endpoints/${id}/rotate-secret`)
    const fresh = rotated.body.secret
    expect(rotated.status).toBe(200)
    expect(fresh).not.toBe(old)
    await run()
    const [both] = web.at(URL)
    expect(both?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    verify(old, both!)
    verify(fresh, both!)
    api.world.clock.advance(DAY)
    await run()
    const after = web.at(URL)[1]!
    expect(() => verify(old, after)).toThrow()
    verify(fresh, after)
  })

  it('the oldest of three secrets no longer signs, and the same key rotates once [WS05]', async () => {
    const { id, secret } = await create()
    const rotate = (key: string) =>
      api.call('POST', `/v1/webhook-endpoints/${id}/rotate-secret`, {
        headers: { 'idempotency-key': key },
      })
    const second = await rotate('rotate-1')
    const again = await rotate('rotate-1')
    expect(again.body.secret).toBe(second.body.secret)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const third = await rotate('rotate-2')
    await run()
    const [got] = web.at(URL)
    expect(got?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(() => verify(secret, got!)).toThrow()
    verify(second.body.secret, got!)
    verify(third.body.secret, got!)
  })

  it('a key refused because of the current state can be used again [D11]', async () => {
    const headers = { 'idempotency-key': 'refused-once-1' }
    const post = (path: string, json?: object) =>
      api.call('POST', `/v1/webhook-endpoints${path}`, { headers, ...(json && { json }) })
    expect((await post(`/whe_${'0'.repeat(26)}/rotate-secret`)).status).toBe(404)
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create({ url: `https://${index}.example` })),
    )
    expect((await post('', { url: URL })).body.code).toBe('rate_limited')
    await api.call('DELETE', `/v1/webhook-endpoints/${made[0].id}`)
    expect((await post('', { url: URL, description: 'the last one' })).status).toBe(201)
  })

  it('the key that created the endpoint shows its first secret again, never a rotated one', async () => {
    const json = { url: URL }
    const headers = { 'idempotency-key': 'made-once-1' }
    const make = async () =>
      (await api.call('POST', '/v1/webhook-endpoints', { json, headers })).body
    const made = await make()
    const rotate = () => api.call('POST', `/v1/webhook-endpoints/${made.id}/rotate-secret`)
    expect(made.secret).toMatch(/^whsec_/)
    await rotate()
    expect(await make()).toMatchObject({ id: made.id, secret: made.secret })
    await rotate()
    expect((await make()).secret).toBeUndefined()
  })

  it('a key rotates once, whatever rotations followed, and shows its secret while it is stored [WS05]', async () => {
    const { id } = await create()
    const rotate = (key: string) =>
      api.call('POST', `/v1/webhook-endpoints/${id}/rotate-secret`, {
        headers: { 'idempotency-key': key },
      })
    const first = await rotate('rotate-1')
    const second = await rotate('rotate-2')
    const again = await rotate('rotate-1')
    expect([again.status, again.body.secret]).toEqual([200, first.body.secret])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    await run()
    verify(first.body.secret, web.at(URL)[0]!)
    verify(second.body.secret, web.at(URL)[0]!)
    const third = (await api.call('POST', `/v1/webhook-endpoints/${id}/rotate-secret`)).body.secret
    const gone = await rotate('rotate-1')
    expect([gone.status, gone.body.secret]).toEqual([200, undefined])
    expect(gone.headers.get('idempotency-replayed')).toBe('true')
    expect((await rotate('rotate-2')).body.secret).toBe(second.body.secret)
    await run()
    verify(second.body.secret, web.at(URL)[1]!)
    verify(third, web.at(URL)[1]!)
  })

  it('a hundred keys rotate within two days, and the next one is refused without forgetting any', async () => {
    const { id } = await create()
    const rotate = (key?: string) =>
      api.call('POST', `/v1/webhook-endpoints/${id}/rotate-secret`, {
        headers: key === undefined ? {} : { 'idempotency-key': key },
      })
    for (let i = 0; i < 100; i += 1) expect((await rotate(`rotate-${i}`)).status).toBe(200)
    const { status, body } = await rotate('rotate-100')
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    const old = await rotate('rotate-0')
    expect(old.headers.get('idempotency-replayed')).toBe('true')
    expect((await rotate()).status).toBe(200)
    api.world.clock.advance(2 * DAY)
    expect((await rotate('rotate-100')).status).toBe(200)
  })
})

describe('endpoint health', () => {
  it('a 410 disables at once, and other endpoints are notified [WS10]', async () => {
    const watcher = 'https://watcher.example'
    const { id } = await create()
    await create({ url: watcher, events: ['endpoint.disabled'] })
    web.answer(URL, { status: 410 })
    await run()
    expect(await endpoint(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' })
    await settle(api.world)
    expect(web.at(watcher)).toMatchObject([
      {
        json: {
          type: 'endpoint.disabled',
          data: { run_id: null, data: { endpoint_id: id, reason: 'gone', url: URL } },
        },
      },
    ])
    await run()
    expect(web.at(URL)).toHaveLength(1)
    const { body } = await api.call('GET', '/v1/audit')
    expect(body.data[0]).toMatchObject({ action: 'disable', by: 'system', name: id })
  })

  it('five days of failures alone disable it, and failed deliveries can be sent again [WS15]', async () => {
    const { id } = await create()
    web.answer(URL, null)
    await run()
    expect((await endpoint(id)).failing_since).not.toBeNull()
    for (let hours = 0; hours < 5 * 24 + 2; hours += 2) {
      await later(60 * MINUTE)
      await run()
      await later(60 * MINUTE)
    }
    expect(await endpoint(id)).toMatchObject({ enabled: false, disabled_reason: 'failing' })
    const before = web.got.length
    await later(20 * DAY)
    expect(web.got).toHaveLength(before)
    const lost = (await deliveries('?limit=100')).filter(
      ({ status }: { status: string }) => status === 'disabled',
    )
    expect(lost.length).toBeGreaterThan(0)
    web.answer(URL, { status: 204 })
    await api.call('PATCH', `/v1/webhook-endpoints/${id}`, { json: { enabled: true } })
    await api.call('POST', `/v1/webhook-deliveries/${lost[0].id}/replay`)
    await settle(api.world)
    expect(web.got.length).toBe(before + 1)
    expect(await endpoint(id)).toMatchObject({ enabled: true, failing_since: null })
  })

  it('one success resets the five days', async () => {
    const { id } = await create()
    web.answer(URL, { status: 500 })
    await run()
    expect((await endpoint(id)).failing_since).not.toBeNull()
    web.answer(URL, { status: 200 })
    await later(10_000)
    expect((await endpoint(id)).failing_since).toBeNull()
  })

  it('a working endpoint costs no write (rule 30)', async () => {
    const { id } = await create()
    const version = async () => (await api.world.store.heads([`test/endpoint/${id}`]))[0]?.version
    for (let count = 0; count < 5; count += 1) await run()
    expect(web.got).toHaveLength(5)
    expect(await version()).toBe(1)
    web.answer(URL, { status: 500 })
    for (let count = 0; count < 5; count += 1) await run()
    expect(await version()).toBe(2)
  })

  it('an endpoint is paused after 20 failures in a row, without losing attempts [WS18]', async () => {
    const { id } = await create()
    web.answer(URL, { status: 503 })
    for (let count = 0; count < 21; count += 1) await run()
    api.world.clock.advance(1_000)
    const { open_until } = await endpoint(id)
    expect(open_until).not.toBeNull()
    const before = web.got.length
    await run()
    expect(web.got).toHaveLength(before)
    const [newest] = await deliveries()
    expect(newest).toMatchObject({ status: 'pending', attempts: 0 })
    expect(newest.next_at >= open_until).toBe(true)
    web.answer(URL, { status: 204 })
    await later(2 * MINUTE)
    expect(await endpoint(id)).toMatchObject({ open_until: null, failing_since: null })
    for (let count = 0; count < 10; count += 1) await later(5 * MINUTE)
    expect((await deliveries()).every((one: { status: string }) => one.status === 'delivered'))
  })
})

describe('deliveries', () => {
  it('a test event is marked as one, and its attempts can be read [WS25 WS26]', async () => {
    const { id, secret } = await create()
    web.answer(URL, { status: 502, body: `no ${'x'.repeat(10_000)}` })
    const headers = { 'idempotency-key': 'try-it-out' }
    const path = `/v1/webhook-endpoints/${id}/test`
    const sent = await api.call('POST', path, { headers })
    const again = await api.call('POST', path, { headers })
    expect([sent.status, again.status]).toEqual([202, 202])
    expect(again.body.id).toBe(sent.body.id)
    await settle(api.world)
    expect(web.got).toHaveLength(1)
    expect(verify(secret, web.got[0]!)).toMatchObject({
      type: 'endpoint.test',
      data: { test: true, run_id: null, seq: 0 },
    })
    const { body } = await api.call('GET', `/v1/webhook-deliveries/${sent.body.id}`)
    expect(body).toMatchObject({ status: 'pending', attempts: 1, last_status: 502 })
    expect(body.history).toMatchObject([{ status: 502, duration_ms: 0 }])
    expect(body.next_at).not.toBeNull()
    expect(body.last_body.length).toBe(4_096)
  })

  it('a delivery is resent under its ID and recorded [WS16]', async () => {
    await create()
    web.answer(URL, { status: 400 })
    const id = await run()
    const [pending] = await deliveries()
    const replay = () => api.call('POST', `/v1/webhook-deliveries/${pending.id}/replay`)
    web.answer(URL, { status: 200 })
    await later(10_000)
    expect((await replay()).status).toBe(202)
    await settle(api.world)
    const ids = web.at(URL).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
    expect(ids).toHaveLength(3)
    const { body } = await api.call('GET', `/v1/webhook-deliveries/${pending.id}`)
    expect(body).toMatchObject({ run_id: id, status: 'delivered', redrives: 1, attempts: 1 })
    expect(body.history.map(({ redrive = 0 }) => redrive)).toEqual([0, 0, 1])
    const none = await api.call('POST', `/v1/webhook-deliveries/dlv_${'0'.repeat(26)}/replay`)
    expect(none.status).toBe(404)
  })

  it('a waiting delivery is sent now with all its attempts, and 409 while an attempt runs [WS16]', async () => {
    await create()
    web.answer(URL, { status: 500 })
    await run()
    for (let count = 0; count < 2; count += 1) await later(10_000)
    const [waiting] = await deliveries()
    expect(waiting).toMatchObject({ status: 'pending', attempts: 2 })
    const replay = () => api.call('POST', `/v1/webhook-deliveries/${waiting.id}/replay`)
    const sent = await replay()
    expect([sent.status, sent.body.attempts, sent.body.redrives]).toEqual([202, 0, 1])
    const again = await replay()
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect(again.body.detail).toContain('in progress')
    web.answer(URL, { status: 200 })
    await settle(api.world)
    const { body } = await api.call('GET', `/v1/webhook-deliveries/${waiting.id}`)
    expect(body).toMatchObject({ status: 'delivered', attempts: 1, next_at: null })
    expect(body.history.map(({ redrive = 0 }) => redrive)).toEqual([0, 0, 1])
    const before = web.got.length
    await later(60 * MINUTE)
    expect(web.got).toHaveLength(before)
  })

  it('a manual delivery bypasses the pause of its endpoint, and a range waits for it [WS16]', async () => {
    const { id } = await create()
    web.answer(URL, { status: 503 })
    for (let count = 0; count < 21; count += 1) await run()
    await later(10_000)
    const { open_until } = await endpoint(id)
    expect(open_until).not.toBeNull()
    const [newest, second] = await deliveries()
    expect([newest.status, second.status]).toEqual(['pending', 'pending'])
    const before = web.got.length
    const { body } = await api.call('POST', '/v1/webhook-deliveries/replay', {
      json: { status: 'pending' },
    })
    expect(body.replayed).toContain(second.id)
    await settle(api.world)
    expect(web.got).toHaveLength(before)
    web.answer(URL, { status: 204 })
    const sent = await api.call('POST', `/v1/webhook-deliveries/${newest.id}/replay`)
    expect(sent.status).toBe(202)
    await settle(api.world)
    expect(web.got).toHaveLength(before + 1)
    expect((await deliveries())[0]).toMatchObject({ id: newest.id, status: 'delivered' })
    expect(await endpoint(id)).toMatchObject({ open_until: null })
  })

  it('a range of deliveries, or all failed ones, can be resent [WS16]', async () => {
    const { id } = await create()
    const start = api.world.clock.now()
    for (let count = 0; count < 3; count += 1) {
      await run()
      api.world.clock.advance(MINUTE)
    }
    const at = (minutes: number) => new Date(start + minutes * MINUTE).toISOString()
    const replay = async (json: object) =>
      (await api.call('POST', '/v1/webhook-deliveries/replay', { json })).body
    expect(await replay({})).toMatchObject({ replayed: [], has_more: false })
    const middle = await replay({ status: 'delivered', from: at(0.5), to: at(1.5) })
    expect(middle.replayed).toHaveLength(1)
    await settle(api.world)
    expect(web.got).toHaveLength(4)
    const abroad = (minutes: number) => at(minutes + 90).replace('Z', '+01:30')
    const same = { status: 'delivered', from: abroad(0.5), to: abroad(1.5) }
    expect((await replay(same)).replayed).toEqual(middle.replayed)
    await settle(api.world)
    const all = await replay({ status: 'delivered', endpoint_id: id })
    expect(all.replayed).toHaveLength(3)
    const other = { status: 'delivered', endpoint_id: `whe_${'0'.repeat(26)}` }
    expect((await replay(other)).replayed).toEqual([])
    expect(await replay({ endpoint_id: 'whe_nope' })).toMatchObject({ status: 404 })
  })

  it('400 a cursor of one range continues only that range', async () => {
    const { id } = await create()
    for (let count = 0; count < 510; count += 1) {
      const about = { id: random('dlv', api.world.clock.random(17)), tenant: TENANT, run_id: null }
      const event = { seq: 0, event_type: 'ping', url: URL, endpoint_id: id }
      await createDelivery(api.world, newDelivery({ ...about, ...event }, count), '{}', null)
    }
    const replay = (json: object) =>
      api.call('POST', '/v1/webhook-deliveries/replay', { json: { status: 'failed', ...json } })
    const { body } = await replay({ endpoint_id: id })
    expect(body).toMatchObject({ replayed: [], has_more: true })
    const cursor = body.next_cursor
    const wider = [
      {},
      { endpoint_id: id, status: 'delivered' },
      { endpoint_id: id, from: new Date(0).toISOString() },
      { endpoint_id: `whe_${'0'.repeat(26)}` },
    ]
    for (const other of wider) {
      const { status, body: said } = await replay({ ...other, cursor })
      expect([other, status, said.code]).toEqual([other, 400, 'invalid_cursor'])
    }
    expect((await replay({ endpoint_id: id, cursor })).body).toMatchObject({ has_more: false })
  })

  it('can be listed for one endpoint', async () => {
    const { id } = await create()
    const two = await create({ url: 'https://two.example' })
    await run()
    await run()
    expect(await deliveries()).toHaveLength(4)
    const own = await deliveries(`?endpoint_id=${id}`)
    expect(own.map(({ endpoint_id }: { endpoint_id: string }) => endpoint_id)).toEqual([id, id])
    const page = await api.call('GET', `/v1/webhook-deliveries?endpoint_id=${two.id}&limit=1`)
    expect(page.body.data).toHaveLength(1)
    expect(page.body.has_more).toBe(true)
  })
})
