/**
 * Endpoint partition. The head contains the endpoint's state under compare-and-swap. A separate
 * row, which is never listed, contains its sealed secrets. Further rows contain tenant-wide events
 * still pending for other endpoints.
 */

import { changeOf } from '../../../core/audit-change.ts'
import { LIMITS } from '../../../core/limits.ts'
import type { Endpoint, SealedSecret } from '../../../core/webhook/endpoint.ts'
import type { WebhookEvent } from '../../../core/webhook/signature.ts'
import { iso } from '../../../lib/time.ts'
import type { Row, World, Write } from '../../../ports/world.ts'
import { HEAD } from '../../../ports/world.ts'
import type { AlarmedHead } from '../../partition/format.ts'
import { endpointPartition, endpointsList, parsePartition } from '../../partition/keys.ts'
import { processMemory } from '../../partition/process.ts'
import { stored, storedList } from '../../partition/stored.ts'
import { update } from '../../partition/update.ts'

interface EndpointHead extends AlarmedHead {
  readonly endpoint: Endpoint
}

export const endpointHeadOf = (body: string): EndpointHead =>
  stored<EndpointHead>('an endpoint', body, { endpoint: 'object' })

export interface StoredEndpoint {
  readonly partition: string
  readonly version: number
  readonly endpoint: Endpoint
  /** Sealed secrets of the endpoint, newest first. */
  readonly secrets: readonly SealedSecret[]
  /** Events to deliver to the tenant's other endpoints. */
  readonly outbox: readonly { readonly key: string; readonly event: WebhookEvent }[]
}

const SECRET = 'secret'
const EVENTS = 'event/'
const ALARM_MS = 60_000

export const secretRow = (secrets: readonly SealedSecret[]): Write => ({
  op: 'put',
  key: SECRET,
  body: JSON.stringify(secrets),
  expect: 'any',
})
export const eventRow = (event: WebhookEvent): Write => ({
  op: 'put',
  key: `${EVENTS}${event.id}`,
  body: JSON.stringify(event),
  expect: 'any',
})

/** Members that are bookkeeping, and no setting of the endpoint. */
const NO_SETTINGS = [
  ...['id', 'revision', 'rotation', 'rotations', 'created_at', 'deleted'],
  ...['failing_since', 'open_until', 'opened'],
]

/** Describes a change of an endpoint for the audit log. */
export const changeOfEndpoint = (previous: Endpoint | null, next: Endpoint | null) =>
  changeOf(previous, next, NO_SETTINGS)

/** Reads an endpoint, including a deleted one; returns undefined if it never existed. */
export async function readEndpoint(
  world: World,
  partition: string,
): Promise<StoredEndpoint | undefined> {
  const rows = await world.store.read(partition)
  const head = rows.find(({ key }) => key === HEAD)
  if (!head) return undefined
  const { endpoint } = endpointHeadOf(head.body)
  const secret = rows.find(({ key }) => key === SECRET)
  const secrets = secret ? storedList<SealedSecret>('sealed secrets', secret.body) : []
  return { partition, version: head.version, endpoint, secrets, outbox: rows.flatMap(outboxOf) }
}

const outboxOf = ({ key, body }: Row): StoredEndpoint['outbox'] =>
  key.startsWith(EVENTS)
    ? [{ key, event: stored<WebhookEvent>('an event', body, { id: 'string', type: 'string' }) }]
    : []

/**
 * Writes the endpoint if its stored version is still `version` (null for a new endpoint); returns
 * false after a conflict.
 */
export async function writeEndpoint(
  world: World,
  read: { readonly partition: string; readonly version: number | null },
  endpoint: Endpoint,
  rows: readonly Write[] = [],
  hasOutgoing = false,
): Promise<boolean> {
  const { tenant } = parsePartition(read.partition)
  const at = `${iso(endpoint.created_at)} ${endpoint.id}`
  const listing = endpoint.deleted ? null : { under: endpointsList(tenant), at }
  const wake_at = hasOutgoing ? world.clock.now() + ALARM_MS : null
  const head: EndpointHead = { wake_at, redeliveries: 0, listed: listing, endpoint }
  const result = await world.store.commit(read.partition, rows, {
    expect: read.version,
    body: JSON.stringify(head),
    alarm: wake_at === null ? undefined : { at: wake_at, lane: 'background', started: true },
    listed: listing ?? undefined,
  })
  forgetEndpoints(world, tenant)
  if (hasOutgoing) {
    const { partition } = read
    await world.queue.send([{ partition, lane: 'background', started: true, staleCount: 0 }])
  }
  // An ambiguous write counts as failed: the retry first reads whether it succeeded.
  return result === 'ok'
}

export interface Change {
  readonly endpoint: Endpoint
  readonly rows?: readonly Write[]
  /** Whether events for other endpoints are still pending. */
  readonly hasOutgoing?: boolean
}

/**
 * Applies `by` to the endpoint and retries after each conflict; returns a rejection by `by`
 * unchanged.
 */
export async function changeEndpoint<T>(
  world: World,
  tenant: string,
  id: string,
  by: (current: StoredEndpoint) => Change | { readonly stop: T },
): Promise<{ readonly endpoint: Endpoint } | { readonly stop: T } | undefined> {
  const partition = endpointPartition(tenant, id)
  const { changed } = await update(world, `the endpoint ${id}`, async () => {
    const current = await readEndpoint(world, partition)
    if (!current || current.endpoint.deleted) return { changed: undefined }
    const change = by(current)
    if ('stop' in change) return { changed: change }
    if (change.endpoint === current.endpoint && !change.rows) return { changed: change }
    const hasOutgoing = change.hasOutgoing === true || current.outbox.length > 0
    const isWritten = await writeEndpoint(world, current, change.endpoint, change.rows, hasOutgoing)
    return isWritten ? { changed: change } : undefined
  })
  return changed
}

interface CachedEndpoints {
  readonly until: number
  readonly endpoints: readonly Endpoint[]
}

/** Cached endpoints of a tenant: exact for a single writer process, otherwise up to 30 s old. */
const cacheOf = processMemory('endpoints', () => new Map<string, CachedEndpoints>())
const KNOWN_MS = 30_000
/** Returns the enabled endpoints of a tenant. */
export async function endpointsOf(world: World, tenant: string): Promise<readonly Endpoint[]> {
  const cache = cacheOf(world.store)
  const now = world.clock.now()
  const cached = cache.get(tenant)
  if (cached && now < cached.until) return cached.endpoints
  const until = world.settings.singleProcess ? Number.MAX_SAFE_INTEGER : now + KNOWN_MS
  // The cache entry is registered before the read, so that a concurrent write evicts it.
  const pending: { until: number; endpoints: readonly Endpoint[] } = { until: 0, endpoints: [] }
  cache.set(tenant, pending)
  const rows = await world.store.list(endpointsList(tenant), undefined, LIMITS.webhook_endpoints)
  const endpoints = rows.map(({ body }) => endpointHeadOf(body).endpoint)
  pending.endpoints = endpoints.filter(({ enabled }) => enabled)
  pending.until = until
  return pending.endpoints
}

/** Evicts the tenant's endpoints from the cache of this process. */
export function forgetEndpoints({ store }: World, tenant: string): void {
  cacheOf(store).delete(tenant)
}
