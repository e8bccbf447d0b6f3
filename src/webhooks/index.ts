/**
 * Implements `strata/webhooks`, which verifies webhooks at the receiver, for any runtime with
 * WebCrypto. It has no dependencies, not even on Node.
 */

import {
  fromBase64,
  type InboundHeaders,
  type SignedParts,
  secretKey,
  signedParts,
} from '../core/webhook/standard-webhooks.ts'
import type { WebhookEvent } from './event.ts'

export type { WebhookEvent, WebhookType } from './event.ts'

/**
 * Reason why a webhook message is invalid; `unauthorized` has no details, because they would help
 * an attacker.
 */
export type WebhookFault = 'unauthorized' | 'invalid_json'

/**
 * Error for a message that was not signed with the secret, or not signed recently; respond with
 * status 400.
 */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookFault

  constructor(code: WebhookFault) {
    super(
      code === 'unauthorized'
        ? 'The signature matches no configured secret, or the timestamp differs from the ' +
            'current time by more than five minutes.'
        : 'The signed body is not a Strata event.',
    )
    this.code = code
  }
}

export interface UnwrapOptions {
  /** Current time for checking signatures, in milliseconds since 1970. Default: now. */
  readonly now?: number
}

/**
 * Verifies a webhook's signature (Standard Webhooks 1.0) and returns its event.
 *
 * Accepts both body formats, including CloudEvents. Pass the raw body, not a re-serialized one, and
 * the request's headers. `secrets` is the endpoint's `whsec_…` secret, or several secrets during a
 * rotation. Messages can arrive more than once and out of order: use the event's `id` to detect
 * duplicates and `seq` to order the events of a run. Rejects with a `WebhookError`, or with a
 * `TypeError` if a secret is malformed.
 *
 *     const event = await unwrap(await request.text(), request.headers, process.env.SECRET)
 *     if (event.type === 'run.completed') console.log(event.run_id, event.output?.text)
 */
export async function unwrap(
  body: string | Uint8Array | ArrayBuffer,
  headers: Headers | InboundHeaders,
  secrets: string | readonly string[],
  { now = Date.now() }: UnwrapOptions = {},
): Promise<WebhookEvent> {
  const keys = [secrets].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('unwrap requires a secret')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const parts = signedParts(lowerCase(headers), now)
  if (!parts || !(await isSigned(keys, parts, bytes))) throw new WebhookError('unauthorized')
  return eventIn(bytes)
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = typeof secret === 'string' ? secretKey(secret) : undefined
  if (key) return key
  throw new TypeError('a secret must be `whsec_` followed by 24 to 64 bytes in base64')
}

function lowerCase(headers: Headers | InboundHeaders): InboundHeaders {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers)
  const lowered: Record<string, string | readonly string[] | undefined> = {}
  for (const [name, value] of pairs) {
    const key = name.toLowerCase()
    // Duplicate headers that differ only in case are ambiguous, so both are ignored.
    lowered[key] = key in lowered ? undefined : value
  }
  return lowered
}

async function isSigned(
  keys: readonly Uint8Array<ArrayBuffer>[],
  { id, time, signatures }: SignedParts,
  body: Uint8Array,
): Promise<boolean> {
  const head = new TextEncoder().encode(`${id}.${time}.`)
  const data = new Uint8Array(head.length + body.length)
  data.set(head)
  data.set(body, head.length)
  for (const raw of keys) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
    for (const candidate of signatures) {
      const signatureBytes = candidate.startsWith('v1,')
        ? fromBase64(candidate.slice('v1,'.length))
        : undefined
      // The signature is verified in constant time.
      if (signatureBytes && (await crypto.subtle.verify('HMAC', key, signatureBytes, data)))
        return true
    }
  }
  return false
}

function eventIn(bytes: Uint8Array): WebhookEvent {
  let read: { type?: unknown; data?: { type?: unknown } | null } | null
  try {
    read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new WebhookError('invalid_json')
  }
  const { type, data } = read ?? {}
  if (typeof type !== 'string' || data?.type !== type) throw new WebhookError('invalid_json')
  return data as WebhookEvent
}
