/** Inbound hooks by the schemes of services: each signature right, wrong, old, and repeated. */

import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type TestApi, testApi } from '../../../support/http.ts'

const SECRET = 'whsec_a secret of a service'
const OTHER = 'another secret, as long'

let api: TestApi
beforeEach(async () => {
  api = await testApi()
})

const hmac = (secret: string, data: string): string =>
  createHmac('sha256', secret).update(data).digest('hex')
const seconds = (): number => Math.floor(api.world.clock.now() / 1_000)
const create = async (scheme: string, more: object = {}): Promise<string> =>
  (await api.call('POST', '/v1/hooks', { json: { scheme, secret: SECRET, ...more } })).body.id
const send = (id: string, body: string, headers: Record<string, string>): Promise<Answer> =>
  api.call('POST', `/v1/hooks/${id}`, { body, headers, key: null })
const runs = async () => (await api.call('GET', '/v1/runs?limit=100')).body.data

type Signer = (body: string, secret?: string, at?: number) => Record<string, string>
const slack: Signer = (body, secret = SECRET, at = seconds()) => ({
  'x-slack-request-timestamp': String(at),
  'x-slack-signature': `v0=${hmac(secret, `v0:${at}:${body}`)}`,
})
const stripe: Signer = (body, secret = SECRET, at = seconds()) => ({
  'stripe-signature': `t=${at},v1=${hmac(secret, `${at}.${body}`)},v0=${'0'.repeat(64)}`,
})
const linear: Signer = (body, secret = SECRET) => ({ 'linear-signature': hmac(secret, body) })

const bodies: Readonly<Record<string, (at: number) => object>> = {
  slack: () => ({ type: 'event_callback', event_id: 'Ev1', event: { type: 'app_mention' } }),
  stripe: () => ({ id: 'evt_1', type: 'invoice.paid', data: { object: { amount: 5 } } }),
  linear: (at) => ({ type: 'Issue', action: 'create', webhookTimestamp: at * 1_000 }),
}
const KINDS = { slack: 'app_mention', stripe: 'invoice.paid', linear: 'Issue' }

describe.each([
  ['slack', slack],
  ['stripe', stripe],
  ['linear', linear],
] as const)('a hook of %s', (scheme, sign) => {
  const bodyAt = (at: number): string => JSON.stringify(bodies[scheme]!(at))

  it('starts a run for a valid signature over the raw body, and for no other', async () => {
    const id = await create(scheme, { template: '{{$event}}' })
    const body = bodyAt(seconds())
    const signature = Object.entries(sign(body)).find(([, value]) => /[0-9a-f]{64}/.test(value))!
    const wrong = [
      {},
      sign(body, OTHER),
      { ...sign(body), [signature[0]]: signature[1].toUpperCase() },
      { ...sign(body), [signature[0]]: signature[1].replace(/[0-9a-f]{64}/, '') },
    ]
    for (const headers of wrong) expect((await send(id, body, headers)).status).toBe(401)
    expect((await send(id, `${body} `, sign(body))).status).toBe(401)
    expect(await runs()).toHaveLength(0)
    expect((await send(id, body, sign(body))).status).toBe(202)
    expect((await runs())[0].input).toContain(KINDS[scheme])
  })

  it('refuses an old signature', async () => {
    const id = await create(scheme)
    const at = seconds() - 301
    expect((await send(id, bodyAt(at), sign(bodyAt(at), SECRET, at))).status).toBe(401)
    const near = seconds() - 299
    expect((await send(id, bodyAt(near), sign(bodyAt(near), SECRET, near))).status).toBe(202)
  })

  it('the same message with a new signature returns the run that it has already started', async () => {
    const id = await create(scheme)
    const [body, later] = [bodyAt(seconds()), bodyAt(seconds() + 1)]
    const first = await send(id, body, sign(body))
    const again = await send(id, later, sign(later, SECRET, seconds() + 1))
    expect([first.status, again.status]).toEqual([202, 200])
    expect(again.body.run_id).toBe(first.body.run_id)
  })

  it('starts a run only for its listed kinds', async () => {
    const id = await create(scheme, { events: ['nothing.else'] })
    const body = bodyAt(seconds())
    const answer = await send(id, body, sign(body))
    expect([answer.status, answer.body.run_id]).toEqual([200, null])
  })

  it('a valid signature over a body that is not JSON is reported as such', async () => {
    const id = await create(scheme)
    expect((await send(id, '{"a":', sign('{"a":'))).body.code).toBe('invalid_json')
  })

  it('needs the secret of the service, and accepts no public keys', async () => {
    const none = await api.call('POST', '/v1/hooks', { json: { scheme } })
    expect([none.status, none.body.errors[0].pointer]).toEqual([422, '/secret'])
    const short = await api.call('POST', '/v1/hooks', { json: { scheme, secret: 'short' } })
    expect([short.status, short.body.errors[0].pointer]).toEqual([422, '/secret'])
    const public_keys = [`whpk_${Buffer.alloc(32).toString('base64')}`]
    const keys = await api.call('POST', '/v1/hooks', {
      json: { scheme, secret: SECRET, public_keys },
    })
    expect([keys.status, keys.body.errors[0].pointer]).toEqual([422, '/public_keys'])
  })
})

describe('a Slack hook', () => {
  it('answers the challenge when the signature is valid, and starts no run', async () => {
    const id = await create('slack')
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc123' })
    const answer = await send(id, body, slack(body))
    expect([answer.status, answer.body]).toEqual([200, { run_id: null, challenge: 'abc123' }])
    expect((await send(id, body, slack(body, OTHER))).status).toBe(401)
    expect(await runs()).toHaveLength(0)
  })

  it('accepts commands and buttons as forms', async () => {
    const id = await create('slack', { template: '{{command}} {{text}} {{actions[0].value}}' })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const command = 'command=%2Freview&text=a.ts&trigger_id=1'
    expect((await send(id, command, { ...slack(command), ...form })).status).toBe(202)
    const payload = JSON.stringify({ type: 'block_actions', actions: [{ value: 'yes' }] })
    const button = `payload=${encodeURIComponent(payload)}`
    expect((await send(id, button, { ...slack(button), ...form })).status).toBe(202)
    const inputs = (await runs()).map(({ input }: { input: string }) => input).join('\n')
    expect(inputs).toContain('/review')
    expect(inputs).toContain('yes')
    const broken = 'payload=%7B'
    expect((await send(id, broken, { ...slack(broken), ...form })).body.code).toBe('invalid_json')
  })
})

it('Stripe: a retry with a different body is the same event by its signed ID', async () => {
  const id = await create('stripe')
  const of = (pending: number) =>
    JSON.stringify({ id: 'evt_9', type: 'x', pending_webhooks: pending })
  const first = await send(id, of(2), stripe(of(2)))
  const again = await send(id, of(1), stripe(of(1)))
  expect([first.status, again.status, again.body.run_id]).toEqual([202, 200, first.body.run_id])
})

it('Svix: Standard Webhooks with the older headers, and those of the standard are ignored', async () => {
  const made = (await api.call('POST', '/v1/hooks', { json: { scheme: 'svix' } })).body
  const body = '{"type":"a"}'
  const signature = new Webhook(made.secret).sign('msg_1', new Date(seconds() * 1_000), body)
  const headers = (name: string) => ({
    [`${name}-id`]: 'msg_1',
    [`${name}-timestamp`]: String(seconds()),
    [`${name}-signature`]: signature,
  })
  expect((await send(made.id, body, headers('webhook'))).status).toBe(401)
  expect((await send(made.id, body, headers('svix'))).status).toBe(202)
})
