/**
 * Operations on webhook endpoints. A secret is shown once, in the response that creates it. The
 * store contains each secret sealed for its endpoint, in a row that no list shows.
 */

import type { Refusal } from '../../../core/problem.ts'
import { refusal } from '../../../core/problem.ts'
import { TERMINAL_FACTS } from '../../../core/run/log/facts.ts'
import type { Endpoint, SealedSecret } from '../../../core/webhook/endpoint.ts'
import {
  broughtBy,
  edited,
  firstOf,
  hasRotated,
  newEndpoint,
  ROTATIONS_MAX,
  rotated,
  rotatesTooOften,
  withRotation,
} from '../../../core/webhook/endpoint.ts'
import { type Formatted, formatted } from '../../../core/webhook/format.ts'
import type { WebhookEvent } from '../../../core/webhook/signature.ts'
import { newSecret } from '../../../core/webhook/signature.ts'
import { derivedId } from '../../../lib/id.ts'
import type { Outcome } from '../../../lib/outcome.ts'
import { fail, ok } from '../../../lib/outcome.ts'
import { iso } from '../../../lib/time.ts'
import { canonicalOf } from '../../../lib/url.ts'
import type { World } from '../../../ports/world.ts'
import { endpointPartition } from '../../partition/keys.ts'
import { type Asker, auditRow } from '../../tenant/audit.ts'
import type { RequestKey } from '../../tenant/idempotency.ts'
import { settleId } from '../../tenant/idempotent-id.ts'
import { freeSlot, type Slot } from '../../tenant/resource-quota.ts'
import { reserveResource, resourceRefusal } from '../quota-exceeded.ts'
import { targetRefused } from '../target.ts'
import type { StoredEndpoint } from './store.ts'
import {
  changeEndpoint,
  changeOfEndpoint,
  readEndpoint,
  secretRow,
  writeEndpoint,
} from './store.ts'
import { deliver, deliveryId } from './subscriptions.ts'

export interface EndpointRequest extends Formatted {
  readonly url: string
  readonly events?: readonly string[] | undefined
  readonly description?: string | null | undefined
  readonly secret?: string | undefined
}

export interface ShownEndpoint {
  readonly endpoint: Endpoint
  /** Endpoint secret, if this request generated it and its response shows it. */
  readonly secret: string | undefined
  readonly replayed: boolean
}

const missing = (): Refusal => refusal('not_found', 'Webhook endpoint not found.')

export async function createEndpoint(
  asker: Asker,
  request: EndpointRequest,
  requestKey: RequestKey | undefined,
): Promise<Outcome<ShownEndpoint, Refusal>> {
  const { world, tenant, by } = asker
  const validate = () =>
    targetRefused(world, request, '') ?? resourceRefusal(world, tenant, 'endpoints')
  const settled = await settleId(world, tenant, 'whe', requestKey, validate)
  if (!settled.ok) return settled
  const { id, known: isReplay } = settled.value
  const partition = endpointPartition(tenant, id)
  const replayedAnswer = isReplay
    ? await shownAgain(asker, id, request.secret === undefined)
    : undefined
  if (replayedAnswer) return replayedAnswer
  const late = await reserveResource(world, slotOf(tenant, id))
  if (late) return fail(late)
  const secret = request.secret ?? newSecret(world.clock.random(32))
  const sealed = await world.secrets.seal(secret, id)
  const { events = TERMINAL_FACTS, description = null } = request
  const url = canonicalOf(request.url)
  const endpoint = newEndpoint(
    { id, url, events, description, ...formatted(request) },
    world.clock.now(),
  )
  const entry = { kind: 'endpoint', name: id, action: 'create', by, number: 1 } as const
  const rows = [
    secretRow([{ sealed, until: null }]),
    auditRow(world, tenant, { ...entry, ...changeOfEndpoint(null, endpoint) }),
  ]
  if (!(await writeEndpoint(world, { partition, version: null }, endpoint, rows))) {
    // After concurrent requests or an ambiguous commit, the response shows the stored endpoint.
    const concurrent = await shownAgain(asker, id, request.secret === undefined)
    return concurrent ?? fail(refusal('unavailable', 'The request could not be stored; retry it.'))
  }
  const generated = request.secret === undefined ? secret : undefined
  return ok({ endpoint, secret: generated, replayed: false })
}

const slotOf = (tenant: string, id: string): Slot => ({
  ...{ tenant, kind: 'endpoints', partition: endpointPartition(tenant, id) },
})

async function shownAgain(
  { world, tenant }: Asker,
  id: string,
  generated: boolean,
): Promise<Outcome<ShownEndpoint, Refusal> | undefined> {
  const current = await readEndpoint(world, endpointPartition(tenant, id))
  if (!current) return undefined
  if (current.endpoint.deleted) return fail(refusal('gone', `The endpoint ${id} has been deleted.`))
  // The response repeats the original creation response, without later changes.
  const first = firstOf(current.secrets, current.endpoint)
  const secret = generated ? await newest(world, id, first) : undefined
  return ok({ endpoint: current.endpoint, secret, replayed: true })
}

/** Rejects further rotations, because the number of remembered idempotency keys is limited. */
export const tooOften = (): Refusal =>
  refusal('rate_limited', `A secret can be rotated at most ${ROTATIONS_MAX} times within two days.`)

const newest = async (world: World, id: string, [first]: readonly SealedSecret[]) =>
  first && (await world.secrets.open(first.sealed, id))

/** Edits the endpoint if its revision is still `revision`; undefined accepts any revision. */
export async function editEndpoint(
  { world, tenant, by }: Asker,
  id: string,
  change: Parameters<typeof edited>[1],
  revision: string | undefined,
): Promise<Outcome<Endpoint, Refusal>> {
  const rejection = targetRefused(world, { url: change.url }, '')
  if (rejection) return fail(rejection)
  const url = change.url === undefined ? undefined : canonicalOf(change.url)
  const done = await changeEndpoint(world, tenant, id, ({ endpoint }) => {
    if (revision !== undefined && revision !== String(endpoint.revision)) return { stop: stale() }
    const next = edited(endpoint, url === undefined ? change : { ...change, url })
    const entry = { kind: 'endpoint', name: id, action: 'update', by } as const
    const audited = { ...entry, number: next.revision, ...changeOfEndpoint(endpoint, next) }
    return { endpoint: next, rows: [auditRow(world, tenant, audited)] }
  })
  return settledBy(done)
}

const stale = () =>
  refusal(
    'precondition_failed',
    'The endpoint has changed since you read it; read it again and retry.',
  )

const settledBy = (
  done: { readonly endpoint: Endpoint } | { readonly stop: Refusal } | undefined,
): Outcome<Endpoint, Refusal> => {
  if (!done) return fail(missing())
  return 'stop' in done ? fail(done.stop) : ok(done.endpoint)
}

/**
 * Deletes the endpoint and leaves a tombstone: pending deliveries are dropped, and the audit
 * entries are kept.
 */
export async function deleteEndpoint(
  { world, tenant, by }: Asker,
  id: string,
  revision: string | undefined,
): Promise<Outcome<Endpoint, Refusal>> {
  const now = world.clock.now()
  const done = await changeEndpoint(world, tenant, id, ({ endpoint, outbox }) => {
    if (revision !== undefined && revision !== String(endpoint.revision)) return { stop: stale() }
    const next = { ...endpoint, deleted: true, enabled: false, revision: endpoint.revision + 1 }
    const entry = { kind: 'endpoint', name: id, action: 'delete', by } as const
    const audited = { ...entry, number: next.revision, ...changeOfEndpoint(endpoint, null) }
    const rows = [auditRow(world, tenant, audited)]
    const secretDelete = { op: 'delete', key: 'secret' } as const
    return { endpoint: next, rows: [...rows, secretDelete], hasOutgoing: outbox.length > 0 }
  })
  if (!done || 'endpoint' in done) await freeSlot(world, slotOf(tenant, id), now)
  return settledBy(done)
}

/**
 * Creates a new secret, which signs first; the previous secret also signs for a day. Each
 * idempotency key rotates once, even if other rotations followed. A retry with the key returns its
 * secret while that secret is stored, and no secret afterwards.
 */
export async function rotateSecret(
  { world, tenant, by }: Asker,
  id: string,
  requestKey: RequestKey | undefined,
): Promise<Outcome<ShownEndpoint, Refusal>> {
  const validate = async () => {
    const current = await readEndpoint(world, endpointPartition(tenant, id))
    if (!current || current.endpoint.deleted) return missing()
    const isTooOften =
      requestKey !== undefined && rotatesTooOften(current.endpoint, world.clock.now())
    return isTooOften ? tooOften() : undefined
  }
  const settled = await settleId(world, tenant, 'ver', requestKey, validate)
  if (!settled.ok) return settled
  const rotation = settled.value.id
  const secret = newSecret(world.clock.random(32))
  const sealed = await world.secrets.seal(secret, id)
  const done = await changeEndpoint<StoredEndpoint | Refusal>(world, tenant, id, (current) => {
    const { endpoint, secrets } = current
    if (hasRotated(endpoint, rotation)) return { stop: current }
    const now = world.clock.now()
    if (requestKey && rotatesTooOften(endpoint, now)) return { stop: tooOften() }
    const last = withRotation(endpoint, rotation, requestKey !== undefined, now)
    const next = { ...endpoint, ...last, revision: endpoint.revision + 1 }
    const entry = { kind: 'endpoint', name: id, action: 'rotate', by } as const
    const rows = [auditRow(world, tenant, { ...entry, number: next.revision })]
    const nextSecrets = rotated(secrets, sealed, now, rotation)
    return { endpoint: next, rows: [...rows, secretRow(nextSecrets)] }
  })
  if (!done) return fail(missing())
  if ('stop' in done) {
    if (!('endpoint' in done.stop)) return fail(done.stop)
    const { endpoint, secrets } = done.stop
    const currentSecret = await newest(world, id, broughtBy(secrets, endpoint, rotation))
    return ok({ endpoint, secret: currentSecret, replayed: true })
  }
  return ok({ endpoint: done.endpoint, secret, replayed: false })
}

/** Sends an event marked as a test to the endpoint; returns the ID of the delivery. */
export async function testEndpoint(
  { world, tenant }: Asker,
  id: string,
  requestKey: RequestKey | undefined,
): Promise<Outcome<{ readonly delivery: string; readonly replayed: boolean }, Refusal>> {
  const current = await readEndpoint(world, endpointPartition(tenant, id))
  if (!current || current.endpoint.deleted) return fail(missing())
  const disabled = () =>
    current.endpoint.enabled ? undefined : refusal('conflict', 'The endpoint is disabled.')
  const settled = await settleId(world, tenant, 'evt', requestKey, disabled)
  if (!settled.ok) return settled
  const event: WebhookEvent = {
    id: derivedId('evt', settled.value.id, id),
    type: 'endpoint.test',
    run_id: null,
    seq: 0,
    created_at: iso(world.clock.now()),
    test: true,
    data: { endpoint_id: id },
  }
  const href = `/v1/webhook-endpoints/${id}`
  const outcome = await deliver(world, tenant, current.endpoint, event, { href })
  if (outcome !== 'ok')
    return fail(refusal('unavailable', 'The request could not be stored; retry it.'))
  return ok({ delivery: deliveryId(event, id), replayed: settled.value.known })
}
