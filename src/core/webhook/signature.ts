/**
 * Standard Webhooks 1.0 for both directions: signs outgoing messages and verifies inbound messages.
 * Uses a local HMAC because the reference library reads the clock itself. Its verifier is also
 * laxer: it accepts `1767225600junk` as a time and a one-byte secret.
 */

import { createPublicKey, verify } from 'node:crypto'
import { assert } from '../../lib/assert.ts'
import { byteLength, cut, decodeStrict, encode, equalSecret } from '../../lib/bytes.ts'
import { hmacBase64 } from '../../lib/hmac.ts'
import { type JsonBounds, readJson } from '../../lib/json.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { LIMITS } from '../limits.ts'
import type { Usage } from '../message.ts'
import type { RunError } from '../run/log/facts.ts'
import { enveloped, type WebhookFormat } from './format.ts'
import { type InboundHeaders, secretKey, signedParts } from './standard-webhooks.ts'

// ── Sending ────────────────────────────────────────────────────────────────────────────────────

/**
 * Webhook event as clients receive it; `seq` lets a client sort events that arrive out of order.
 */
export interface WebhookEvent {
  readonly id: string
  readonly type: string
  /** ID of the run that the event belongs to; null for an event of the tenant, or a test. */
  readonly run_id: string | null
  readonly seq: number
  /** RFC 3339. */
  readonly created_at: string
  /** Set for a test of the endpoint, which has no event. */
  readonly test?: true
  /**
   * Session, metadata, and usage of the run or fan-out, for receivers without other context; absent
   * for other events.
   */
  readonly about?: WebhookAbout
  readonly data: unknown
}

export interface WebhookAbout {
  /** ID of the run's session; null for a fan-out. */
  readonly session_id: string | null
  readonly metadata: Readonly<Record<string, string>>
  /** Usage when the message was created. For a terminal event, the total usage. */
  readonly usage: Usage
  /** Output in a terminal event, if any: the output in `data` with its full text. */
  readonly output?: WebhookOutput
  readonly error?: RunError
  /**
   * Link with which a person decides an approval. Null if the link could not be created; absent if
   * the policy disables links.
   */
  readonly decide_url?: string | null
}
export interface WebhookOutput {
  readonly text: string
  /** Set if the text is only the beginning of a longer text. */
  readonly truncated?: true
  readonly structured?: unknown
}

/** Number of bytes kept of a text that is too long for a webhook message. */
const MAX_TEXT_BYTES = 4_096

/**
 * Returns the exact webhook body to sign and send. An event that would be too large omits `data`
 * and has an `href` to the full event. The output is shortened if necessary.
 */
export function webhookBody(
  event: WebhookEvent,
  href: string,
  format: WebhookFormat = 'standard',
): string {
  const { data, about = {}, ...thin } = event
  const body = (payload: object) => JSON.stringify(enveloped(event, payload, format))
  const fits = (text: string) => byteLength(text) < LIMITS.webhook_body_bytes
  const fullBody = body({ ...thin, ...about, data })
  if (fits(fullBody)) return fullBody
  const lean = body({ ...thin, ...about, href })
  if (fits(lean)) return lean
  const { output, error, ...details } = about as Partial<WebhookAbout>
  const short = output && { text: cut(output.text, MAX_TEXT_BYTES), truncated: true }
  const shortError = error && { ...error, message: cut(error.message, MAX_TEXT_BYTES) }
  const cutShort = {
    ...details,
    ...(short && { output: short }),
    ...(shortError && { error: shortError }),
  }
  return body({ ...thin, ...cutShort, href })
}

/**
 * Returns a webhook message ID without a dot: `msg_` and part of the delivery ID. All attempts of a
 * delivery have the same ID.
 */
export const messageId = (deliveryId: string): string =>
  `msg_${deliveryId.slice(deliveryId.indexOf('_') + 1)}`

export interface WebhookHeaders {
  readonly 'webhook-id': string
  /** Time of this delivery attempt, in seconds since 1970. */
  readonly 'webhook-timestamp': string
  /** Message signatures, one per secret, newest secret first. */
  readonly 'webhook-signature': string
}

/**
 * Returns the webhook headers of one delivery attempt. `now` is in milliseconds; `secrets` are
 * `whsec_…`, newest first, at most two (during a rotation).
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): WebhookHeaders {
  // Dots separate the ID and the time in the signed text, so an ID with a dot would be ambiguous.
  assert(/^msg_[A-Za-z0-9]{24,}$/.test(id), 'invalid webhook ID format')
  assert(secrets.length === 1 || secrets.length === 2, 'a webhook must have one or two signatures')
  const timestamp = Math.floor(now / 1_000)
  const signatures = secrets.map((secret) => {
    const key = secretKey(secret)
    assert(key, 'invalid stored webhook secret')
    return signature(key, id, timestamp, body)
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** Returns `v1,` followed by the signature of `id.timestamp.body`. */
export const signature = (
  key: Uint8Array,
  id: string,
  timestamp: number | string,
  body: string | Uint8Array,
): string => `v1,${hmacBase64(key, `${id}.${timestamp}.`, body)}`

// ── Secrets ────────────────────────────────────────────────────────────────────────────────────

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Creates a signing secret from 32 random bytes. */
export function newSecret(random: Uint8Array): string {
  assert(random.length === SECRET_BYTES, 'a webhook secret must have 32 bytes')
  return PREFIX + Buffer.from(random).toString('base64')
}

/** Returns why a text is not a valid signing secret, or undefined if valid. */
export const secretFault = (secret: string): string | undefined =>
  secretKey(secret) ? undefined : 'must be `whsec_` followed by 24 to 64 Base64-encoded bytes'

/** Returns the Ed25519 key inside `whpk_<base64>`, or undefined if invalid. */
export function publicKey(text: string): Uint8Array | undefined {
  if (!/^whpk_[A-Za-z0-9+/]{43}=$/.test(text)) return undefined
  return Buffer.from(text.slice('whpk_'.length), 'base64')
}

// ── Receiving ──────────────────────────────────────────────────────────────────────────────────

export interface InboundMessage {
  readonly id: string
  /** Send time stated by the sender, in seconds since 1970. */
  readonly timestamp: number
  readonly payload: unknown
}
/**
 * Reason why a message is rejected. `unauthorized` gives no details, because they would help an
 * attacker.
 */
export type InboundRefusal = 'too_large' | 'unauthorized' | 'invalid_json'

/**
 * Returns an inbound message if a secret (`whsec_…`) or public key (`whpk_…`) verifies the
 * signature of exactly these bytes, made within five minutes of `now` (milliseconds). Header names
 * are lower case. The caller detects replays by `id`.
 */
export function openWebhook(
  headers: InboundHeaders,
  body: Uint8Array,
  secrets: readonly string[],
  now: number,
): Outcome<InboundMessage, InboundRefusal> {
  if (body.length > LIMITS.json_body_bytes) return fail('too_large')
  const parts = signedParts(headers, now)
  if (parts === undefined) return fail('unauthorized')
  const { id, time, timestamp, signatures } = parts
  const keys = secrets.map(secretKey).filter((key) => key !== undefined)
  const pinned = secrets.map(publicKey).filter((key) => key !== undefined)
  const right =
    keys.some((key) => signedBy(key, id, time, body, signatures)) ||
    pinned.some((key) => signedByPair(key, `${id}.${time}.`, body, signatures))
  if (!right) return fail('unauthorized')
  const payload = signedJson(body)
  return payload.ok ? ok({ id, timestamp, payload: payload.value }) : payload
}

/** Parses the body of a message whose signature is valid. */
export function signedJson(body: Uint8Array): Outcome<unknown, 'invalid_json'> {
  const text = decodeStrict(body)
  if (text === undefined) return fail('invalid_json')
  const read = readJson(text.replace(/^\ufeff/, ''), SIGNED_JSON)
  return read.ok ? ok(read.value) : fail('invalid_json')
}

/** Parsing limits for signed JSON: duplicate members are allowed, and nesting is limited. */
export const SIGNED_JSON: JsonBounds = {
  depth: LIMITS.json_depth,
  values: LIMITS.json_values,
  duplicates: 'taken',
}

function signedByPair(
  key: Uint8Array,
  head: string,
  body: Uint8Array,
  signatures: readonly string[],
): boolean {
  const data = Buffer.concat([encode(head), body])
  return signatures.some(
    (candidate) =>
      candidate.startsWith('v1a,') &&
      verifyEd25519(key, data, Buffer.from(candidate.slice('v1a,'.length), 'base64')),
  )
}

function signedBy(
  key: Uint8Array,
  id: string,
  time: string,
  body: Uint8Array,
  signatures: readonly string[],
): boolean {
  const expected = signature(key, id, time, body)
  return signatures.some((candidate) => equalSecret(candidate, expected))
}

/** Prefix that converts a raw Ed25519 key to SPKI, the form that the platform accepts. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Verifies an Ed25519 signature (RFC 8032) against a raw 32-byte public key. Returns false for
 * malformed signatures; never throws.
 */
function verifyEd25519(key: Uint8Array, data: Uint8Array, signature: Uint8Array): boolean {
  if (key.length !== 32 || signature.length !== 64) return false
  try {
    const der = Buffer.concat([SPKI, key])
    return verify(null, data, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
  } catch {
    return false
  }
}
