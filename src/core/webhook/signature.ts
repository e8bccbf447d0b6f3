/**
 * Standard Webhooks 1.0, both sides: signs outgoing messages and verifies inbound ones. Signing is
 * our own HMAC: the reference library reads the clock itself, and its verifier is laxer than ours
 * (`1767225600junk` is a time to it, one byte a secret).
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

/** An event as clients see it; `seq` lets a consumer order what arrives out of order. */
export interface WebhookEvent {
  readonly id: string
  readonly type: string
  /** Null: the event is the tenant's own, or a test. */
  readonly run_id: string | null
  readonly seq: number
  /** RFC 3339. */
  readonly created_at: string
  /** Set for a test of the endpoint, without an event. */
  readonly test?: true
  /** Its owner, for receivers that know the run or fan-out by nothing else; absent: neither. */
  readonly about?: WebhookAbout
  readonly data: unknown
}

export interface WebhookAbout {
  /** Null: a fan-out has none. */
  readonly session_id: string | null
  readonly metadata: Readonly<Record<string, string>>
  /** As it stood when the message was made; at an end, all of it. */
  readonly usage: Usage
  /** At an end that has one: what `data` says too, with the whole text. */
  readonly output?: WebhookOutput
  readonly error?: RunError
  /**
   * Link for a person to decide an approval. Null: it could not be created; absent: disabled by the
   * policy.
   */
  readonly decide_url?: string | null
}
export interface WebhookOutput {
  readonly text: string
  /** The text is its beginning. */
  readonly truncated?: true
  readonly structured?: unknown
}

/** Bytes shown of a text that is too long for a message. */
const MAX_TEXT_BYTES = 4_096

/**
 * The exact text that is signed and sent. An event that would make it too large goes without its
 * `data`, with `href` to fetch the whole; if need be the output is shortened too.
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

/** An id without a dot, equal for every attempt of one delivery: `msg_` and the delivery's part. */
export const messageId = (deliveryId: string): string =>
  `msg_${deliveryId.slice(deliveryId.indexOf('_') + 1)}`

export interface WebhookHeaders {
  readonly 'webhook-id': string
  /** Seconds since 1970 of this attempt. */
  readonly 'webhook-timestamp': string
  /** A signature for each secret, newest first. */
  readonly 'webhook-signature': string
}

/**
 * The headers of one attempt. `now` is in milliseconds; `secrets` are `whsec_…`, the newest first,
 * at most two (during a rotation).
 */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  now: number,
  body: string,
): WebhookHeaders {
  // The id and the time are joined by dots: an id with a dot could mean another message.
  assert(/^msg_[A-Za-z0-9]{24,}$/.test(id), 'a webhook ID has a different form')
  assert(secrets.length === 1 || secrets.length === 2, 'a webhook is signed once or twice')
  const timestamp = Math.floor(now / 1_000)
  const signatures = secrets.map((secret) => {
    const key = secretKey(secret)
    assert(key, 'a stored webhook secret is not valid')
    return signature(key, id, timestamp, body)
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** `v1,` and the signature, over `id.timestamp.body`. */
export const signature = (
  key: Uint8Array,
  id: string,
  timestamp: number | string,
  body: string | Uint8Array,
): string => `v1,${hmacBase64(key, `${id}.${timestamp}.`, body)}`

// ── Secrets ────────────────────────────────────────────────────────────────────────────────────

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new secret from 32 unpredictable bytes. */
export function newSecret(random: Uint8Array): string {
  assert(random.length === SECRET_BYTES, 'a webhook secret is made of 32 bytes')
  return PREFIX + Buffer.from(random).toString('base64')
}

/** Why this cannot be a secret; undefined when it can. */
export const secretFault = (secret: string): string | undefined =>
  secretKey(secret) ? undefined : '`whsec_` and 24 to 64 bytes in Base64 are required'

/** The Ed25519 key inside `whpk_<base64>`, or undefined. */
export function publicKey(text: string): Uint8Array | undefined {
  if (!/^whpk_[A-Za-z0-9+/]{43}=$/.test(text)) return undefined
  return Buffer.from(text.slice('whpk_'.length), 'base64')
}

// ── Receiving ──────────────────────────────────────────────────────────────────────────────────

export interface InboundMessage {
  readonly id: string
  /** Seconds since 1970, as the sender says. */
  readonly timestamp: number
  readonly payload: unknown
}
/** `unauthorized` never says why: an attacker would learn which part to change. */
export type InboundRefusal = 'too_large' | 'unauthorized' | 'invalid_json'

/**
 * The message, when one of the secrets (`whsec_…`, or the public key `whpk_…` of a pair) signed
 * exactly these bytes within five minutes of `now` (milliseconds). Header names are lower case. Replays are the caller's to notice, by `id`.
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
  const text = decodeStrict(body)
  if (text === undefined) return fail('invalid_json')
  const read = readJson(text.replace(/^\ufeff/, ''), SIGNED_JSON)
  return read.ok ? ok({ id, timestamp, payload: read.value }) : fail('invalid_json')
}

/** Signed bytes are taken as they were sent, members that come twice included; not deeper. */
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

/** The prefix of a raw key in the form that the platform takes (SPKI). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Verifies an Ed25519 signature (RFC 8032) against a raw public key of 32 bytes. Returns false for
 * anything that is no such signature; never throws.
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
