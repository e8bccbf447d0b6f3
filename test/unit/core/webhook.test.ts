/** Standard Webhooks: the vectors, our sender against the reference library, and the receiver. */

import { describe, expect, it } from 'vitest'
import {
  messageId,
  newSecret,
  openWebhook,
  signature,
  signedHeaders,
  type WebhookEvent,
  webhookBody,
} from '../../../src/core/webhook/signature.ts'
import { type InboundHeaders, secretKey } from '../../../src/core/webhook/standard-webhooks.ts'
import { verifyWebhook } from '../../support/verify-webhook.ts'

const K24 = 'whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB'
const K64 = `whsec_${Buffer.from(Array.from({ length: 64 }, (_, i) => i)).toString('base64')}`
const B1 =
  '{"type":"run.succeeded","timestamp":"2026-01-01T00:00:00.000Z",' +
  '"data":{"run_id":"run_01","seq":7}}'
const id = (n: number) => `msg_${String(n).padStart(24, '0')}`
const T = 1_767_225_600

const VECTORS = [
  [
    'V1',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1_614_265_330,
    '{"test": 2432232314}',
    'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ],
  ['V2', K24, id(1), T, B1, '1AWYed3o/WeAD3z5O2L2obzz7sdXbVtET7OQo/aWPCc='],
  ['V3', K64, id(1), T, B1, 'dL2M6Kvn4IJ50OSyb/R2NiMpjfHvJytwGtTX4Dn8Gnc='],
  ['V4', K24, id(2), T, '{"t":"héllo 😀 中文"}', 'VCbaPC41O/m2bmcK0bH91VLCojp7v8YwpuC31w6B7OQ='],
  ['V5', K24, id(2), T, '{"t":"h\\u00e9llo"}', 'zND3wLuMKAoQQHnrjoK3WCBZn5+ybGwtauWLqwTKLPk='],
  ['V6', K24, id(3), T, '', 'Q+032uiEu+HGFpH6rro7lkwNgFypAnPWc1X1OcEjpSI='],
  ['V7', K24, id(3), T, '{"a":1}', 'GyvfbukT5Pmko0FrlPOXRC2cd0J/z9j6ZgWibpkK0GU='],
  ['V8', K24, id(3), T, '{"a":1}\n', 'eXT6CfecRlRE7asVFQy4OyC9w8CpsuFkqxXsV5uIxhM='],
  ['V9', K24, id(1), T + 5, B1, 'fAIBkcL1MEzZvxZDak7K3dbRVrZffni/zcauNGlN1Gs='],
] as const
const V2 = `v1,${VECTORS[1][5]}`
const V3 = `v1,${VECTORS[2][5]}`
const key = (secret: string) => secretKey(secret) ?? new Uint8Array()
const bytes = (text: string) => new TextEncoder().encode(text)

describe('webhook signing', () => {
  it.each(VECTORS)('%s', (_, secret, msg, timestamp, body, expected) => {
    const headers = signedHeaders([secret], msg, timestamp * 1_000 + 999, body)
    expect(headers).toEqual({
      'webhook-id': msg,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${expected}`,
    })
  })
  it('during a rotation both secrets sign, the new one first [V10 WS05]', () => {
    const headers = signedHeaders([K64, K24], id(1), T * 1_000, B1)
    expect(headers['webhook-signature']).toBe(`${V3} ${V2}`)
    expect(() => signedHeaders([K64, K24, K24], id(1), T, B1)).toThrow()
  })
  it('an ID with a dot is ambiguous and cannot be sent [V12 WS01]', () => {
    const both = 'v1,I3MTZIXiwpTTcC/QMK4NoueXMkHQcTyMlA4Xz+3xCwg='
    expect(signature(key(K24), 'a', 1, '2.x')).toBe(both)
    expect(signature(key(K24), 'a.1', 2, 'x')).toBe(both)
    expect(() => signedHeaders([K24], `${id(1)}.1`, 2_000, 'x')).toThrow()
    expect(messageId('dlv_0123456789abcdefghjkmnpqrs')).toMatch(/^msg_[A-Za-z0-9]{24,}$/)
  })
  it('the reference library accepts our signatures, with secrets of 24 to 64 bytes [WS01 WS02 WS04]', () => {
    const now = Date.UTC(2026, 10, 28)
    for (const size of [24, 32, 64]) {
      const secret = `whsec_${Buffer.alloc(size, 7).toString('base64')}`
      const headers = { ...signedHeaders([secret], id(1), now, B1) }
      expect(verifyWebhook(secret, { body: B1, headers }, now)).toEqual(JSON.parse(B1))
      expect(() => verifyWebhook(secret, { body: `${B1} `, headers }, now)).toThrow()
    }
  })
  it('a secret is whsec_ followed by 32 bytes in base64 [WS06]', () => {
    const secret = newSecret(Uint8Array.from({ length: 32 }, (_, i) => i))
    expect(secret).toBe('whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=')
    expect(() => newSecret(new Uint8Array(31))).toThrow()
  })
})

describe('the webhook body', () => {
  const event = (data: unknown): WebhookEvent => ({
    id: 'evt_1',
    type: 'run.completed',
    run_id: 'run_1',
    seq: 7,
    created_at: '2026-01-01T00:00:00.000Z',
    data,
  })
  it('contains type, timestamp, and the whole event [WS07]', () => {
    expect(JSON.parse(webhookBody(event({ a: 1 }), '/x'))).toEqual({
      type: 'run.completed',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: event({ a: 1 }),
    })
  })
  it('of 20 KB or more is thin: a URL to fetch the data instead of the data [WS07]', () => {
    const body = webhookBody(event({ text: 'é'.repeat(10_240) }), 'https://s.example/v1/runs/run_1')
    expect(body.length).toBeLessThan(1_000)
    const { data } = JSON.parse(body)
    expect(data).toMatchObject({ seq: 7, href: 'https://s.example/v1/runs/run_1' })
    expect(data.data).toBeUndefined()
  })
})

describe('webhook verification', () => {
  const now = T * 1_000
  const headers = (more: InboundHeaders = {}): InboundHeaders => ({
    'webhook-id': id(1),
    'webhook-timestamp': String(T),
    'webhook-signature': V2,
    ...more,
  })
  const open = (given: InboundHeaders, body: string | Uint8Array = B1, at = now, secrets = [K24]) =>
    openWebhook(given, typeof body === 'string' ? bytes(body) : body, secrets, at)
  const refused = { ok: false, error: 'unauthorized' }
  const signed = (body: string | Uint8Array, more: InboundHeaders = {}) =>
    headers({ 'webhook-signature': signature(key(K24), id(1), T, body), ...more })

  it.each(VECTORS.filter(([name]) => /V[1-5]|V9/.test(name)))(
    '%s is accepted [WR01]',
    (_, secret, msg, timestamp, body, value) => {
      const given = {
        'webhook-id': msg,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${value}`,
      }
      expect(open(given, body, timestamp * 1_000, [secret])).toEqual({
        ok: true,
        value: { id: msg, timestamp, payload: JSON.parse(body) },
      })
    },
  )
  it('V6 is verified and then refused, because an empty body is not JSON [WR01 WR18]', () => {
    const given = headers({ 'webhook-id': id(3), 'webhook-signature': `v1,${VECTORS[5][5]}` })
    expect(open(given, '')).toEqual({ ok: false, error: 'invalid_json' })
  })
  it('a message is accepted with the new secret, the old one, or both [WR01 WR19 V10]', () => {
    const given = headers({ 'webhook-signature': `${V3} ${V2}` })
    for (const secrets of [[K24], [K64], [K64, K24]]) {
      expect(open(given, B1, now, secrets).ok).toBe(true)
    }
    expect(open(headers(), B1, now, [K64, K24]).ok).toBe(true)
  })
  it('only the pinned Ed25519 key is accepted [WR01 WR20 V11]', () => {
    const pinned = 'whpk_6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw='
    const value =
      'v1a,azxH4NnlMErtL6+K70vluYZGDIAV7AEpXKfQqSB3UQz3isA1iIz1hWftupMcIikPZhRrro2c01s47CEOUmdgCw=='
    const given = headers({ 'webhook-signature': value })
    expect(open(given, B1, now, [pinned]).ok).toBe(true)
    expect(open(given, `${B1} `, now, [pinned])).toEqual(refused)
    expect(open(given, B1, now, [K24])).toEqual(refused)
    const other = `whpk_${Buffer.alloc(32, 3).toString('base64')}`
    expect(open(given, B1, now, [other])).toEqual(refused)
    for (const bad of [value.slice(0, -8), 'v1a,', 'v1a,AAAA', 'v1a,***']) {
      expect(open(headers({ 'webhook-signature': bad }), B1, now, [pinned]), bad).toEqual(refused)
    }
  })
  it('V2 with one character changed in any field is refused [WR02]', () => {
    expect(open(headers({ 'webhook-id': id(2) }))).toEqual(refused)
    expect(open(headers({ 'webhook-timestamp': String(T + 1) }))).toEqual(refused)
    expect(open(headers({ 'webhook-signature': V2.replace('1A', '1B') }))).toEqual(refused)
    expect(open(headers(), `${B1} `)).toEqual(refused)
    expect(open(headers(), B1, now, [K64])).toEqual(refused)
  })
  it('299 seconds of clock skew are accepted and 301 are refused, in both directions [WR03]', () => {
    for (const way of [1, -1]) {
      expect(open(headers(), B1, now + way * 299_000).ok).toBe(true)
      expect(open(headers(), B1, now + way * 301_000)).toEqual(refused)
    }
  })
  it('a timestamp of anything but digits is refused [WR04]', () => {
    for (const time of [`${T}junk`, `${T}.9`, ` ${T}`, `+${T}`, '', '1'.repeat(13)]) {
      expect(open(headers({ 'webhook-timestamp': time })), time).toEqual(refused)
    }
  })
  it('a missing or repeated header is refused [WR05]', () => {
    for (const name of Object.keys(headers())) {
      expect(open(headers({ [name]: undefined })), name).toEqual(refused)
      const value = headers()[name] as string
      expect(open(headers({ [name]: [value, value] })), name).toEqual(refused)
      expect(open(headers({ [name]: `${value}, ${value}` })), name).toEqual(refused)
    }
  })
  it('unknown schemes are skipped, and a header without a known one is refused [WR06]', () => {
    expect(open(headers({ 'webhook-signature': `v2,abc v1a,xyz ${V2}` })).ok).toBe(true)
    expect(open(headers({ 'webhook-signature': 'v2,abc v1a,xyz' }))).toEqual(refused)
  })
  it('eight signatures are read, nine are refused [WR07]', () => {
    const other = `v1,${'A'.repeat(43)}=`
    const list = (n: number) => [...Array.from({ length: n - 1 }, () => other), V2].join(' ')
    expect(open(headers({ 'webhook-signature': list(8) })).ok).toBe(true)
    expect(open(headers({ 'webhook-signature': list(9) }))).toEqual(refused)
  })
  it('a comma-separated list is refused [WR08]', () => {
    expect(open(headers({ 'webhook-signature': `${V3},${V2}` }))).toEqual(refused)
    expect(open(headers({ 'webhook-signature': `${V2}, ${V3}` }))).toEqual(refused)
  })
  it('empty, short, and malformed signatures are refused without throwing [WR09 WR10]', () => {
    for (const value of ['v1,', 'v1,AAAA', 'v1,***', 'v1', '', ' ', V2.slice(0, -1), `${V2}=`]) {
      expect(open(headers({ 'webhook-signature': value })), value).toEqual(refused)
    }
  })
  it('only secrets of 24 to 64 bytes are accepted [WR11]', () => {
    for (const secret of ['whsec_AA==', 'whsec_', '', 'whsec_!!', `whsec_${'A'.repeat(88)}`]) {
      expect(secretKey(secret), secret).toBeUndefined()
      const given = headers({ 'webhook-signature': signature(new Uint8Array([0]), id(1), T, B1) })
      expect(open(given, B1, now, [secret])).toEqual(refused)
    }
  })
  it('the raw bytes are verified: BOM, CRLF, and duplicate keys as sent [WR12]', () => {
    for (const body of ['\ufeff{"a":1}', '{"a":1}\r\n', '{"a":1,"a":2}']) {
      expect(open(signed(body), body).ok, body).toBe(true)
      expect(open(signed(body), JSON.stringify({ a: 1 })).ok, body).toBe(false)
    }
    const latin = Uint8Array.from([0x22, 0xe9, 0x22])
    expect(open(signed(latin), latin)).toEqual({ ok: false, error: 'invalid_json' })
  })
  it('a body over 256 KiB is refused before it is hashed [WR15]', () => {
    expect(open({}, 'x'.repeat(262_145))).toEqual({ ok: false, error: 'too_large' })
  })
  it('every failed verification returns the same response [WR16]', () => {
    expect(open({})).toEqual(refused)
  })
  it('IDs with a dot are refused [WR17]', () => {
    const given = {
      'webhook-id': 'a.1',
      'webhook-timestamp': '2',
      'webhook-signature': signature(key(K24), 'a.1', 2, 'x'),
    }
    expect(open(given, 'x', 2_000)).toEqual(refused)
  })
  it('a valid signature over a body that is not JSON is invalid_json, not a crash [WR18]', () => {
    expect(open(signed('not json'), 'not json')).toEqual({ ok: false, error: 'invalid_json' })
  })
})
