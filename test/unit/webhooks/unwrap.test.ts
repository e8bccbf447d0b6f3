/** The receiver's side of webhooks, against our own signer and the reference library's. */

import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newSecret, signedHeaders } from '../../../src/core/webhook/signature.ts'
import { unwrap, WebhookError } from '../../../src/webhooks/index.ts'

const NOW = 1_767_225_600_000
const ID = 'msg_abcdefghijklmnopqrstuvwxyz'
const secret = newSecret(new Uint8Array(32).fill(7))
const older = newSecret(new Uint8Array(32).fill(9))
const event = {
  ...{ id: 'evt_1', type: 'run.completed', run_id: 'run_1', seq: 4 },
  ...{ created_at: '2026-01-01T00:00:00Z', output: { text: 'grün' } },
}
const body = JSON.stringify({ type: event.type, timestamp: event.created_at, data: event })
const signed = (text = body, secrets: readonly string[] = [secret]) =>
  ({ ...signedHeaders(secrets, ID, NOW, text) }) as Record<string, string>
const options = { now: NOW + 1_000 }
const code = (asked: Promise<unknown>) =>
  asked.then(
    () => 'taken',
    (error: unknown) => (error instanceof WebhookError ? error.code : String(error)),
  )

describe('unwrap', () => {
  it('returns the event from text or bytes, with Headers or a record in any case', async () => {
    const bytes = new TextEncoder().encode(body)
    const upper = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]),
    )
    for (const raw of [body, bytes, bytes.buffer])
      for (const headers of [signed(), upper, new Headers(signed())])
        expect(await unwrap(raw, headers, secret, options)).toEqual(event)
  })

  it('accepts either secret during a rotation', async () => {
    expect(await unwrap(body, signed(body, [secret, older]), older, options)).toEqual(event)
    expect(await unwrap(body, signed(body, [older]), [secret, older], options)).toEqual(event)
    expect(await code(unwrap(body, signed(body, [older]), secret, options))).toBe('unauthorized')
  })

  it('accepts what the reference library signs', async () => {
    const at = new Date(NOW)
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(NOW / 1_000),
      'webhook-signature': new Webhook(secret).sign(ID, at, body),
    }
    expect(await unwrap(body, headers, secret, options)).toEqual(event)
  })

  it('refuses other bytes, other times, and missing, duplicate, and malformed headers', async () => {
    const good = signed()
    const late = { now: NOW + 301_000 }
    const wrong: readonly [string, Record<string, string>, { now: number }][] = [
      [`${body} `, good, options],
      [body, good, late],
      [body, good, { now: NOW - 301_000 }],
      [body, {}, options],
      [body, { ...good, 'webhook-id': 'msg_other' }, options],
      [body, { ...good, 'Webhook-Id': ID }, options],
      [body, { ...good, 'webhook-timestamp': `${NOW / 1_000}junk` }, options],
      [body, { ...good, 'webhook-signature': 'v1,' }, options],
      [body, { ...good, 'webhook-signature': 'v1,!!!!' }, options],
      [body, { ...good, 'webhook-signature': 'v2,AAAA' }, options],
      [body, { ...good, 'webhook-signature': `v1,a,${good['webhook-signature']}` }, options],
    ]
    for (const [raw, headers, at] of wrong)
      expect(await code(unwrap(raw, headers, secret, at)), JSON.stringify(headers)).toBe(
        'unauthorized',
      )
  })

  it('reports signed bytes that contain no event', async () => {
    for (const text of ['', 'null', '7', '{', '{"type":"a"}', '{"type":"a","data":{"type":"b"}}'])
      expect(await code(unwrap(text, signed(text), secret, options)), text).toBe('invalid_json')
  })

  it('throws a TypeError for an invalid secret before it reads the message', async () => {
    for (const bad of ['', 'whsec_', 'whsec_AAAA', 'whsec_!', [] as string[]])
      await expect(unwrap(body, signed(), bad, options)).rejects.toThrow(TypeError)
    await expect(unwrap(body, signed(), undefined as never, options)).rejects.toThrow(TypeError)
  })
})
