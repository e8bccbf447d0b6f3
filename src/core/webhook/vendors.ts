/**
 * Verifies vendor-specific webhook signatures, each over the raw body with a shared secret, as
 * documented by Slack https://docs.slack.dev/authentication/verifying-requests-from-slack, Stripe
 * https://docs.stripe.com/webhooks/signature, and Linear https://linear.app/developers/webhooks.
 */

import { decodeStrict, equalSecret } from '../../lib/bytes.ts'
import { digest } from '../../lib/digest.ts'
import { hmacHex } from '../../lib/hmac.ts'
import { readJson } from '../../lib/json.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { LIMITS } from '../limits.ts'
import type { Opened } from './inbound-message.ts'
import { type InboundRefusal, SIGNED_JSON } from './signature.ts'
import type { InboundHeaders } from './standard-webhooks.ts'

export interface VendorRequest {
  readonly headers: InboundHeaders
  readonly body: Uint8Array
  /** SHA-256 digest of the message body. */
  readonly digest: string
}
export type Vendor = 'slack' | 'stripe' | 'linear'

const TOLERANCE_MS = 300_000
const HEX = /^[0-9a-f]{64}$/
const SECONDS = /^\d{1,12}$/

/** Verifies an inbound message by the vendor's signature scheme; `now` is in milliseconds. */
export function openVendor(
  vendor: Vendor,
  request: VendorRequest,
  secrets: readonly string[],
  now: number,
): Outcome<Opened, InboundRefusal> {
  if (request.body.length > LIMITS.json_body_bytes) return fail('too_large')
  return OPENERS[vendor](request, secrets, now)
}

/** Reads a vendor's message without verifying its signature. */
export const readVendor = (
  vendor: Vendor,
  request: VendorRequest,
): Outcome<Opened, InboundRefusal> => READERS[vendor](request)

type Reader = (request: VendorRequest) => Outcome<Opened, InboundRefusal>
type Opener = (
  request: VendorRequest,
  secrets: readonly string[],
  now: number,
) => Outcome<Opened, InboundRefusal>

const isNear = (ms: number, now: number): boolean => Math.abs(now - ms) <= TOLERANCE_MS

/**
 * Returns whether any secret matches any signature. Every pair is tried, so that timing reveals
 * nothing.
 */
function isSigned(
  secrets: readonly string[],
  signatures: readonly string[],
  ...signed: readonly (string | Uint8Array)[]
): boolean {
  const right = secrets.flatMap((secret) => {
    const expected = hmacHex(secret, ...signed)
    return signatures.filter((candidate) => HEX.test(candidate) && equalSecret(expected, candidate))
  })
  return right.length > 0
}

const jsonIn = (body: Uint8Array): Outcome<unknown, 'invalid_json'> =>
  jsonOf(decodeStrict(body) ?? '')

function jsonOf(text: string): Outcome<unknown, 'invalid_json'> {
  const read = readJson(text.replace(/^\ufeff/, ''), SIGNED_JSON)
  return read.ok ? ok(read.value) : fail('invalid_json')
}

const isForm = ({ 'content-type': type }: InboundHeaders): boolean =>
  typeof type === 'string' && /^application\/x-www-form-urlencoded\b/i.test(type)

/** Returns a message's payload from JSON, or from the form field `payload`, GitHub's default. */
export function payloadIn(
  headers: InboundHeaders,
  body: Uint8Array,
): Outcome<unknown, 'invalid_json'> {
  const read = jsonIn(body)
  if (read.ok || !isForm(headers)) return read
  return jsonOf(new URLSearchParams(decodeStrict(body) ?? '').get('payload') ?? '')
}

const textOf = (value: unknown, name: string): string | null => {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
  const member = (value as Record<string, unknown>)[name]
  return typeof member === 'string' && member.length <= 200 ? member : null
}

/**
 * Verifies Slack's `v0=` HMAC of `v0:<time>:<body>`. Each retry has a new signature, so a retry is
 * identified by its body. Commands and buttons arrive as forms.
 */
function openSlack(
  request: VendorRequest,
  secrets: readonly string[],
  now: number,
): Outcome<Opened, InboundRefusal> {
  const { headers, body } = request
  const time = headers['x-slack-request-timestamp']
  const signature = headers['x-slack-signature']
  if (typeof time !== 'string' || !SECONDS.test(time) || typeof signature !== 'string')
    return fail('unauthorized')
  const signatures = signature.startsWith('v0=') ? [signature.slice('v0='.length)] : []
  const signed = isSigned(secrets, signatures, `v0:${time}:`, body)
  if (!signed || !isNear(Number(time) * 1000, now)) return fail('unauthorized')
  return readSlack(request)
}

function readSlack({
  headers,
  body,
  digest: once,
}: VendorRequest): Outcome<Opened, InboundRefusal> {
  const read = isForm(headers) ? formIn(body) : jsonIn(body)
  if (!read.ok) return read
  const payload = read.value
  const kind = textOf(payload, 'type')
  if (kind === 'url_verification') {
    const challenge = textOf(payload, 'challenge')
    return ok({ once, event: kind, payload, ...(challenge === null ? {} : { challenge }) })
  }
  const inner = kind === 'event_callback' ? (payload as { event?: unknown }).event : undefined
  return ok({ once, event: textOf(inner, 'type') ?? kind ?? textOf(payload, 'command'), payload })
}

/**
 * Returns the form fields of a body as an object. Field `payload`, which contains all data of a
 * button, is parsed as JSON.
 */
function formIn(body: Uint8Array): Outcome<unknown, 'invalid_json'> {
  const text = decodeStrict(body)
  if (text === undefined) return fail('invalid_json')
  const fields = new URLSearchParams(text)
  const payloadText = fields.get('payload')
  return payloadText === null ? ok(Object.fromEntries(fields)) : jsonOf(payloadText)
}

/**
 * Verifies Stripe's `t=<time>,v1=<HMAC of time.body>`. The event ID is signed. The body of a retry
 * may differ.
 */
function openStripe(
  request: VendorRequest,
  secrets: readonly string[],
  now: number,
): Outcome<Opened, InboundRefusal> {
  const { headers, body } = request
  const header = headers['stripe-signature']
  if (typeof header !== 'string') return fail('unauthorized')
  const pairs = header.split(',').map((pair) => pair.trim().split('='))
  const valuesOf = (name: string): string[] =>
    pairs.flatMap(([key, value = '']) => (key === name ? [value] : []))
  const [time = '', more] = valuesOf('t')
  const signatures = valuesOf('v1')
  if (!SECONDS.test(time) || more !== undefined || signatures.length > 8)
    return fail('unauthorized')
  const signed = isSigned(secrets, signatures, `${time}.`, body)
  if (!signed || !isNear(Number(time) * 1000, now)) return fail('unauthorized')
  return readStripe(request)
}

function readStripe({ body, digest: bodyDigest }: VendorRequest): Outcome<Opened, InboundRefusal> {
  const read = jsonIn(body)
  if (!read.ok) return read
  const id = textOf(read.value, 'id')
  const same = id === null ? { once: bodyDigest } : { once: id, same: id }
  return ok({ ...same, event: textOf(read.value, 'type'), payload: read.value })
}

/**
 * Verifies Linear's HMAC of the body, which contains the send time. Retries are otherwise
 * identical.
 */
function openLinear(
  request: VendorRequest,
  secrets: readonly string[],
  now: number,
): Outcome<Opened, InboundRefusal> {
  const { headers, body } = request
  const signature = headers['linear-signature']
  const signatures = typeof signature === 'string' ? [signature] : []
  if (!isSigned(secrets, signatures, body)) return fail('unauthorized')
  const read = readLinear(request)
  if (!read.ok) return read
  const { webhookTimestamp: sent } = read.value.payload as Record<string, unknown>
  return typeof sent === 'number' && isNear(sent, now) ? read : fail('unauthorized')
}

function readLinear({ body }: VendorRequest): Outcome<Opened, InboundRefusal> {
  const read = jsonIn(body)
  if (!read.ok) return read
  const payload = read.value
  if (typeof payload !== 'object' || payload === null) return fail('unauthorized')
  const { webhookTimestamp: _, ...stablePart } = payload as Record<string, unknown>
  const same = digest(stablePart)
  return ok({ once: same, same, event: textOf(payload, 'type'), payload })
}

const READERS: Readonly<Record<Vendor, Reader>> = {
  slack: readSlack,
  stripe: readStripe,
  linear: readLinear,
}

const OPENERS: Readonly<Record<Vendor, Opener>> = {
  slack: openSlack,
  stripe: openStripe,
  linear: openLinear,
}
