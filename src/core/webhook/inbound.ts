/**
 * Inbound hook: which signatures it trusts, and how a payload becomes a task. The payload is data.
 * Agent, tools, session, and limits come from the hook, never from the payload.
 */

import { equalSecret } from '../../lib/bytes.ts'
import { hmacHex } from '../../lib/hmac.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { LIMITS } from '../limits.ts'
import type { ApprovalSettings } from '../run/log/approval-facts.ts'
import type { QuotaKey } from '../tenant-quotas.ts'
import type { Rotation } from './endpoint.ts'
import type { Opened } from './inbound-message.ts'
import type { InboundRefusal } from './signature.ts'
import { openWebhook, signedJson } from './signature.ts'
import type { InboundHeaders } from './standard-webhooks.ts'
import { openVendor, payloadIn, readVendor, type Vendor, type VendorRequest } from './vendors.ts'

type InboundScheme = 'standard' | 'svix' | 'github' | Vendor

export interface InboundHook {
  readonly id: string
  readonly tenant: string
  /**
   * Signature scheme of the hook. `standard`: Standard Webhooks 1.0; `svix`: the same with its
   * older headers.
   */
  readonly scheme: InboundScheme
  /** Ed25519 public keys (`whpk_…`) that the hook also trusts. Never read from a message. */
  readonly public_keys: readonly string[]
  readonly template: string
  /** Kinds of events that start a run; null means all kinds. */
  readonly events: readonly string[] | null
  readonly description: string | null
  /** Spec of the run that a message starts. */
  readonly run: InboundHookRun
  /** API key with quotas that last changed the hook; its quotas count the runs. */
  readonly key?: QuotaKey | undefined
  /** Revision number of the hook for its ETag; increases with every change. */
  readonly revision: number
  /** Request ID of the last rotation of the hook's secret. */
  readonly rotation: string | null
  /** Secret rotations with an idempotency key, oldest first. */
  readonly rotations?: readonly Rotation[] | undefined
  readonly deleted: boolean
  readonly created_at: number
}
export interface InboundHookRun {
  readonly agent: string
  readonly label?: string | undefined
  readonly role?: string | undefined
  readonly repo_dir?: string | undefined
  readonly session_id?: string | undefined
  readonly model?: string | undefined
  /** Payload paths that contain images and files, each as an HTTPS URL or Base64. */
  readonly media?: readonly string[] | undefined
  readonly tools?: readonly string[] | undefined
  readonly disallowed_tools?: readonly string[] | undefined
  readonly limits?: Readonly<Record<string, number | undefined>> | undefined
  readonly approvals?: ApprovalSettings | undefined
  /** End user on whose behalf the runs act; absent if there is none. */
  readonly subject?: string | undefined
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | null | undefined }
/** Edit of an inbound hook. Omitted members stay unchanged, and null removes a field. */
export interface InboundHookChange extends Optional<Omit<InboundHookRun, 'agent'>> {
  readonly agent?: string | undefined
  readonly public_keys?: readonly string[] | null | undefined
  readonly template?: string | undefined
  readonly events?: readonly string[] | null | undefined
  readonly description?: string | null | undefined
}

export function changedHook(hook: InboundHook, change: InboundHookChange): InboundHook {
  const { template, public_keys, events, description, ...run } = change
  const members = Object.entries({ ...hook.run, ...withoutUndefined(run) })
  return {
    ...hook,
    template: template ?? hook.template,
    public_keys: public_keys === undefined ? hook.public_keys : (public_keys ?? []),
    events: events === undefined ? hook.events : events,
    description: description === undefined ? hook.description : description,
    run: Object.fromEntries(
      members.filter(([, value]) => value !== null),
    ) as unknown as InboundHookRun,
    revision: hook.revision + 1,
  }
}

const withoutUndefined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export const DEFAULT_TEMPLATE = 'Handle this webhook according to your instructions.\n\n{{$}}'

/**
 * Verifies a message to an inbound hook; `now` is in milliseconds, `digest` is the SHA-256 of the
 * body.
 */
export function openHook(
  hook: Pick<InboundHook, 'scheme' | 'public_keys'>,
  request: VendorRequest,
  secrets: readonly string[],
  now: number,
): Outcome<Opened, InboundRefusal> {
  const { headers, body, digest } = request
  if (hook.scheme === 'github') return openGithub(headers, body, digest, secrets)
  if (hook.scheme !== 'standard' && hook.scheme !== 'svix')
    return openVendor(hook.scheme, request, secrets, now)
  const signedHeaders = hook.scheme === 'svix' ? standardNames(headers) : headers
  const opened = openWebhook(signedHeaders, body, [...secrets, ...hook.public_keys], now)
  if (!opened.ok) return opened
  const { id, payload } = opened.value
  return ok({ once: id, event: typeOf(payload), payload })
}

/**
 * Reads a message as `openHook` does, without verifying its signature: for previews, which start
 * nothing.
 */
export function readUnverified(
  { scheme }: Pick<InboundHook, 'scheme'>,
  request: VendorRequest,
): Outcome<Opened, InboundRefusal> {
  const { headers, body, digest: once } = request
  if (body.length > LIMITS.json_body_bytes) return fail('too_large')
  if (scheme === 'github') return readGithub(headers, body, once)
  if (scheme !== 'standard' && scheme !== 'svix') return readVendor(scheme, request)
  const payload = signedJson(body)
  return payload.ok ? ok({ once, event: typeOf(payload.value), payload: payload.value }) : payload
}

const standardNames = (headers: InboundHeaders): InboundHeaders => ({
  'webhook-id': headers['svix-id'],
  'webhook-timestamp': headers['svix-timestamp'],
  'webhook-signature': headers['svix-signature'],
})

const GITHUB = /^sha256=([0-9a-f]{64})$/
const EVENT = /^[a-z][a-z0-9_]{0,63}$/

/**
 * Verifies GitHub's signature, which covers only the body. Delivery ID and event kind are therefore
 * unsigned data, and a retry is identified by its body.
 */
function openGithub(
  headers: InboundHeaders,
  body: Uint8Array,
  digest: string,
  secrets: readonly string[],
): Outcome<Opened, InboundRefusal> {
  if (body.length > LIMITS.json_body_bytes) return fail('too_large')
  const header = headers['x-hub-signature-256']
  const [, sentSignature] = (typeof header === 'string' && GITHUB.exec(header)) || []
  const right = (secret: string) =>
    sentSignature !== undefined && equalSecret(hmacHex(secret, body), sentSignature)
  // Every secret is tried, so that timing reveals nothing.
  if (secrets.filter(right).length === 0) return fail('unauthorized')
  return readGithub(headers, body, digest)
}

function readGithub(
  headers: InboundHeaders,
  body: Uint8Array,
  digest: string,
): Outcome<Opened, InboundRefusal> {
  const kind = headers['x-github-event']
  const event = typeof kind === 'string' && EVENT.test(kind) ? kind : null
  const read = payloadIn(headers, body)
  return read.ok ? ok({ once: digest, event, payload: read.value }) : read
}

function typeOf(payload: unknown): string | null {
  if (payload === null || typeof payload !== 'object' || !Object.hasOwn(payload, 'type'))
    return null
  const { type } = payload as { type: unknown }
  return typeof type === 'string' && type.length <= 100 ? type : null
}

/**
 * Returns whether an inbound message starts a run. GitHub's `ping` and Slack's challenge only test
 * the connection.
 */
export const startsRun = (
  hook: Pick<InboundHook, 'scheme' | 'events'>,
  event: string | null,
): boolean => {
  if (isConnectionTest(hook, event)) return false
  return hook.events === null || (event !== null && hook.events.includes(event))
}

/** Returns whether a message only tests the connection: GitHub's `ping` or Slack's challenge. */
export const isConnectionTest = (
  { scheme }: Pick<InboundHook, 'scheme'>,
  event: string | null,
): boolean =>
  (scheme === 'github' && event === 'ping') || (scheme === 'slack' && event === 'url_verification')
