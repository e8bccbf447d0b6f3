/**
 * Webhook endpoint of a tenant: its event filter, and how responses change its health. Health is
 * written on change only (PROTOCOL.md rule 30), so a working endpoint costs no write per delivery.
 * Times are milliseconds since 1970; the caller supplies the clock.
 */

import { WEBHOOK_EVENTS } from '../run/request.ts'
import type { Formatted, WebhookFormat } from './format.ts'

/** Event types that a webhook endpoint may list. */
export const ENDPOINT_EVENTS = [
  ...WEBHOOK_EVENTS,
  'fanout.created',
  'fanout.completed',
  'fanout.failed',
  'fanout.cancelled',
  'endpoint.disabled',
  'schedule.disabled',
  'quota.exceeded',
  'session.created',
  'session.updated',
  'session.forked',
  'session.deleted',
] as const
/** Families of event types that a webhook endpoint may list. */
export const ENDPOINT_FAMILIES = [
  'run.*',
  'approval.*',
  'question.*',
  'subagent.*',
  'model.*',
  'fanout.*',
  'session.*',
] as const

type Unwell = 'gone' | 'failing' | 'by_hand'

export interface Endpoint extends Formatted {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
  readonly enabled: boolean
  /**
   * Reason why the endpoint is disabled. `gone`: the receiver returned 410. `failing`: all attempts
   * failed for five days.
   */
  readonly disabled_reason: Unwell | null
  /** Time of the first failure in the current series of failures; null while the endpoint works. */
  readonly failing_since: number | null
  /** End of the pause after too many consecutive failures. No event is sent before this time. */
  readonly open_until: number | null
  /** Number of consecutive pauses of the endpoint. */
  readonly opened: number
  /**
   * Revision number of the endpoint for its ETag; increases with every edit and every visible
   * change.
   */
  readonly revision: number
  /** Request ID of the last rotation of the signing secret. */
  readonly rotation: string | null
  /** Secret rotations with an idempotency key, oldest first. */
  readonly rotations?: readonly Rotation[] | undefined
  /** Whether the endpoint is deleted. Its pending deliveries are dropped. */
  readonly deleted: boolean
  readonly created_at: number
}

type EndpointInput = Pick<Endpoint, 'id' | 'url' | 'events' | 'description' | 'format'>

export const newEndpoint = (input: EndpointInput, now: number): Endpoint => ({
  ...input,
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  open_until: null,
  opened: 0,
  revision: 1,
  rotation: null,
  deleted: false,
  created_at: now,
})

/** Returns whether an endpoint's filter includes a type, by name or family (`subagent.*`). */
export const wants = (events: readonly string[], type: string): boolean =>
  events.some(
    (filter) => filter === type || (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1))),
  )

/** Returns all event types that an endpoint's filter includes. */
export const wantedBy = (events: readonly string[]): string[] =>
  ENDPOINT_EVENTS.filter((type) => wants(events, type))

/** Duration of uninterrupted failures after which an endpoint is disabled, in milliseconds. */
const FAILING_MS = 5 * 86_400_000
/** Number of consecutive failures that opens an endpoint's circuit breaker. */
export const BREAKER_FAILURES = 20
const OPEN_MS = 60_000
const OPEN_MAX_MS = 3_600_000

/** Returns the endpoint after one delivery attempt; the same object if nothing changes. */
export function afterAttempt(
  endpoint: Endpoint,
  attempt: { readonly ok: boolean; readonly status: number | null; readonly inARow: number },
  now: number,
): Endpoint {
  if (attempt.ok) {
    const well = endpoint.failing_since === null && endpoint.open_until === null
    return well ? endpoint : { ...endpoint, failing_since: null, open_until: null, opened: 0 }
  }
  if (attempt.status === 410) return disabled(endpoint, 'gone')
  const since = endpoint.failing_since ?? now
  if (now - since >= FAILING_MS) return disabled({ ...endpoint, failing_since: since }, 'failing')
  const isOpen = endpoint.open_until !== null && now < endpoint.open_until
  // After a pause, the first failure reopens the circuit breaker.
  const opens = !isOpen && (attempt.inARow >= BREAKER_FAILURES || endpoint.opened > 0)
  if (!opens && endpoint.failing_since !== null) return endpoint
  if (!opens) return { ...endpoint, failing_since: since }
  const pause = Math.min(OPEN_MAX_MS, OPEN_MS * 2 ** endpoint.opened)
  return {
    ...endpoint,
    failing_since: since,
    open_until: now + pause,
    opened: endpoint.opened + 1,
  }
}

function disabled(endpoint: Endpoint, reason: Unwell): Endpoint {
  if (!endpoint.enabled) return endpoint
  const revision = endpoint.revision + 1
  return { ...endpoint, enabled: false, disabled_reason: reason, revision }
}

/** Applies an edit. Enabling the endpoint or changing its URL resets its failures. */
export function edited(
  endpoint: Endpoint,
  change: {
    readonly url?: string | undefined
    readonly events?: readonly string[] | undefined
    readonly description?: string | null | undefined
    readonly enabled?: boolean | undefined
    readonly format?: WebhookFormat | undefined
  },
): Endpoint {
  const { url = endpoint.url, events = endpoint.events, enabled = endpoint.enabled } = change
  const description = change.description === undefined ? endpoint.description : change.description
  const { format = endpoint.format } = change
  const formatPart = format === undefined ? {} : { format }
  const next = {
    ...endpoint,
    ...formatPart,
    url,
    events,
    description,
    revision: endpoint.revision + 1,
  }
  if (!enabled) {
    const reason = endpoint.enabled ? 'by_hand' : endpoint.disabled_reason
    return { ...next, enabled: false, disabled_reason: reason }
  }
  const isReset = !endpoint.enabled || url !== endpoint.url
  const well = isReset ? { failing_since: null, open_until: null, opened: 0 } : {}
  return { ...next, ...well, enabled: true, disabled_reason: null }
}

/** Encrypted signing secret. After a rotation, the older secret has an expiry. */
export interface SealedSecret {
  readonly sealed: string
  /** Expiry time of the secret; null for the newest secret. */
  readonly until: number | null
  /** ID of the rotation that created the secret; undefined for the first secret. */
  readonly rotation?: string | undefined
}

const ROTATION_MS = 86_400_000

/** Secret rotation with an idempotency key; `at` is the time of the rotation. */
export interface Rotation {
  readonly id: string
  readonly at: number
}
interface Rotated {
  readonly rotation: string | null
  readonly rotations?: readonly Rotation[] | undefined
}

/** Idempotency keys are kept for a day. The second day covers requests that are still running. */
const REMEMBERED_MS = 2 * ROTATION_MS
/** Maximum number of remembered rotations with a key. Rotations without a key are unlimited. */
export const ROTATIONS_MAX = 100

/** Returns whether a rotation was already made, even if other rotations followed. */
export const hasRotated = ({ rotation, rotations = [] }: Rotated, id: string): boolean =>
  rotation === id || rotations.some((entry) => entry.id === id)

/** Returns whether too many rotations with a key are still remembered to allow another. */
export const rotatesTooOften = ({ rotations = [] }: Rotated, now: number): boolean =>
  rotations.filter(({ at }) => now < at + REMEMBERED_MS).length >= ROTATIONS_MAX

/** Records a rotation as the last one. A rotation with a key is also remembered. */
export function withRotation(of: Rotated, id: string, isKeyed: boolean, now: number) {
  const remembered = of.rotations?.filter(({ at }) => now < at + REMEMBERED_MS) ?? []
  return { rotation: id, rotations: isKeyed ? [...remembered, { id, at: now }] : remembered }
}

/**
 * Returns the new secret, followed by the previous secret with one more day of validity. Older
 * secrets are dropped.
 */
export function rotated(
  secrets: readonly SealedSecret[],
  sealed: string,
  now: number,
  rotation?: string,
): SealedSecret[] {
  const [last] = secrets
  const old = last ? [{ ...last, until: now + ROTATION_MS }] : []
  return [{ sealed, until: null, rotation }, ...old]
}

/** Returns the secrets that are currently valid for signing, newest first. */
export const signing = (secrets: readonly SealedSecret[], now: number): readonly SealedSecret[] =>
  secrets.filter(({ until }) => until === null || now < until)

/**
 * Returns the secret that a rotation created, if the secret is still kept. Older rows do not record
 * the rotation.
 */
export const broughtBy = (
  secrets: readonly SealedSecret[],
  { rotation }: Pick<Rotated, 'rotation'>,
  id: string,
): readonly SealedSecret[] =>
  rotation === id ? secrets.slice(0, 1) : secrets.filter((secret) => secret.rotation === id)

/**
 * Returns the secret created with the endpoint, if the secret is still kept. The first secret has
 * no rotation ID.
 */
export const firstOf = (
  secrets: readonly SealedSecret[],
  { rotation }: Pick<Rotated, 'rotation'>,
): readonly SealedSecret[] =>
  rotation === null ? secrets.slice(0, 1) : secrets.slice(1).filter((secret) => !secret.rotation)
