/**
 * A webhook endpoint of a tenant: its filter, and how its answers change it. Health is written on
 * change only (protocol rule 30): an endpoint that works costs no write per delivery. Times are
 * milliseconds since 1970; the caller supplies the clock.
 */

import { WEBHOOK_EVENTS } from '../run/request.ts'
import type { Formatted, WebhookFormat } from './format.ts'

/** Event types that an endpoint may name. */
export const ENDPOINT_EVENTS = [
  ...WEBHOOK_EVENTS,
  'fanout.created',
  'fanout.completed',
  'fanout.failed',
  'fanout.cancelled',
  'endpoint.disabled',
  'schedule.disabled',
  'session.created',
  'session.updated',
  'session.forked',
  'session.deleted',
] as const
/** Families of them. */
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
  /** `gone`: it said 410. `failing`: five days of nothing but failures. */
  readonly disabled_reason: Unwell | null
  /** Since when every attempt has failed; null while it works. */
  readonly failing_since: number | null
  /** Until then nothing is sent: too many attempts in a row have failed. */
  readonly open_until: number | null
  /** How often in a row it was left alone. */
  readonly opened: number
  /** Increases with every change that was made or must be seen: the ETag. */
  readonly revision: number
  /** The last rotation of its secret, by the request's own name. */
  readonly rotation: string | null
  /** Rotations under keys that may be repeated, oldest first. */
  readonly rotations?: readonly Rotation[] | undefined
  /** A tombstone: what is on its way to it is dropped. */
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

/** Whether this filter lets the type through: by name, or by family (`subagent.*`). */
export const wants = (events: readonly string[], type: string): boolean =>
  events.some(
    (filter) => filter === type || (filter.endsWith('.*') && type.startsWith(filter.slice(0, -1))),
  )

/** Every type that this filter lets through. */
export const wantedBy = (events: readonly string[]): string[] =>
  ENDPOINT_EVENTS.filter((type) => wants(events, type))

/** After so long with failures only, it is disabled. */
const FAILING_MS = 5 * 86_400_000
/** So many failures in a row open the breaker. */
export const BREAKER_FAILURES = 20
const OPEN_MS = 60_000
const OPEN_MAX_MS = 3_600_000

/** The endpoint after one attempt; the same object when nothing changes. */
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
  // Once it was left alone, the first failure afterwards is enough.
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

/** Applies an edit; enabling it resets its failures. */
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

/** A secret that signs; the older one until its time is over. */
export interface SealedSecret {
  readonly sealed: string
  /** Null: it is the newest. */
  readonly until: number | null
  /** The rotation that brought it; undefined for the first secret. */
  readonly rotation?: string | undefined
}

const ROTATION_MS = 86_400_000

/** A rotation under a key; `at`: when it was made. */
export interface Rotation {
  readonly id: string
  readonly at: number
}
interface Rotated {
  readonly rotation: string | null
  readonly rotations?: readonly Rotation[] | undefined
}

/** Keys are kept for a day; a request that came in time may still be under way a little later. */
const REMEMBERED_MS = 2 * ROTATION_MS
/** So many rotations under keys are remembered; without a key there is no bound. */
export const ROTATIONS_MAX = 100

/** Whether this rotation has been made, though others may have followed it. */
export const hasRotated = ({ rotation, rotations = [] }: Rotated, id: string): boolean =>
  rotation === id || rotations.some((entry) => entry.id === id)

/** Whether another one under a key would have to be forgotten too early. */
export const rotatesTooOften = ({ rotations = [] }: Rotated, now: number): boolean =>
  rotations.filter(({ at }) => now < at + REMEMBERED_MS).length >= ROTATIONS_MAX

/** This rotation as the last one, and remembered when it has a key. */
export function withRotation(of: Rotated, id: string, isKeyed: boolean, now: number) {
  const remembered = of.rotations?.filter(({ at }) => now < at + REMEMBERED_MS) ?? []
  return { rotation: id, rotations: isKeyed ? [...remembered, { id, at: now }] : remembered }
}

/** The new one first, the one before for a day more, no third. */
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

/** Secrets that sign now, newest first. */
export const signing = (secrets: readonly SealedSecret[], now: number): readonly SealedSecret[] =>
  secrets.filter(({ until }) => until === null || now < until)

/** The secret that this rotation brought, as far as it is kept; older rows do not name it. */
export const broughtBy = (
  secrets: readonly SealedSecret[],
  { rotation }: Pick<Rotated, 'rotation'>,
  id: string,
): readonly SealedSecret[] =>
  rotation === id ? secrets.slice(0, 1) : secrets.filter((secret) => secret.rotation === id)

/** The secret that it was created with, as far as it is kept: no rotation brought it. */
export const firstOf = (
  secrets: readonly SealedSecret[],
  { rotation }: Pick<Rotated, 'rotation'>,
): readonly SealedSecret[] =>
  rotation === null ? secrets.slice(0, 1) : secrets.slice(1).filter((secret) => !secret.rotation)
