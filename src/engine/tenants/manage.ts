/**
 * Tenants of the deployment, which its operator creates and changes. The row of a tenant belongs to
 * the operator; all data of a tenant is stored under the tenant's name.
 */

import { type Refusal, refusal } from '../../core/problem.ts'
import { changedQuotas, quotasText, type TenantQuotasChange } from '../../core/tenant-quotas.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { findKey } from '../keys/manage.ts'
import {
  DEFAULT_TENANT,
  RESERVED_TENANTS,
  TENANTS_LIST,
  tenantPartition,
} from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import { createKeyOnce, type StoredKey } from '../tenant/api-keys.ts'
import { type Asker, type Audited, audit } from '../tenant/audit.ts'
import { newDataKey } from '../tenant/data-key.ts'
import type { RequestKey } from '../tenant/idempotency.ts'
import { settleId } from '../tenant/idempotent-id.ts'
import { quotaRefusal } from '../tenant/resource-quota.ts'
import {
  forgetTenant,
  hasState,
  isGone,
  STATE_MS,
  type StoredTenant,
  storedTenantOf,
} from '../tenant/state.ts'
import { forgetSlots, RUN_QUOTAS } from '../tenant/work-quota.ts'
import { partitionsOf } from './data.ts'

export interface CreatedTenant {
  readonly tenant: StoredTenant
  readonly key: StoredKey
  /** Text of the first key; absent if an earlier response contained it. */
  readonly text?: string
  readonly replayed: boolean
}

/** `tenant_key` encrypts rows and objects with a data key of the tenant. */
export type TenantEncryption = 'none' | 'tenant_key'

interface TenantRequest {
  readonly id: string
  readonly name?: string | undefined
  readonly quotas?: TenantQuotasChange | undefined
  readonly encryption?: TenantEncryption | undefined
}

export interface TenantChange {
  readonly name?: string | null | undefined
  /** Null removes all quotas. */
  readonly quotas?: TenantQuotasChange | null | undefined
  /** Must equal the present encryption. */
  readonly encryption?: TenantEncryption | undefined
}

const KEY_ID = 16

export const missingTenant = (): Refusal => refusal('not_found', 'Tenant not found.')

/** Creates a tenant and its first key; a repeated request completes the creation. */
export async function createTenant(
  asker: Asker,
  request: TenantRequest,
  requestKey: RequestKey | undefined,
): Promise<Outcome<CreatedTenant, Refusal>> {
  const { world } = asker
  const { id } = request
  const check = () => refused(world, request)
  const settled = await settleId(world, DEFAULT_TENANT, 'key', requestKey, check)
  if (!settled.ok) return settled
  const key_id = settled.value.id.slice('key_'.length).slice(0, KEY_ID)
  const tenant = await insertTenant(world, request, key_id)
  if (tenant.key_id !== key_id || tenant.status !== 'active') return fail(exists(tenant))
  // Nothing is written without a key. Until then, other processes may know that no tenant of this
  // name exists, and would write its data in plain text.
  if (tenant.encryption && !world.settings.singleProcess) await world.clock.sleep(STATE_MS)
  // A crash after the row and before the key is completed by the repeated request.
  const existing = settled.value.known ? await findKey({ world, tenant: id }, key_id) : undefined
  if (existing) return ok({ tenant, key: existing.key, replayed: true })
  const created = await createKeyOnce(world, id, ['*'], { id: key_id, name: 'First key' })
  if (created.key === undefined) return ok({ tenant, key: created.stored, replayed: true })
  await auditTenant(asker, id, 1, 'create', detailOf(tenant))
  return ok({ tenant, key: created.stored, text: created.key, replayed: false })
}

function detailOf({ quotas, encryption }: StoredTenant): string | undefined {
  const details = [
    ...(quotas ? [`quotas: ${quotasText(quotas)}`] : []),
    ...(encryption ? ['encryption: tenant_key'] : []),
  ]
  return details.length > 0 ? details.join('; ') : undefined
}

async function refused(world: World, request: TenantRequest): Promise<Refusal | undefined> {
  const { id, encryption } = request
  if (RESERVED_TENANTS.has(id))
    return refusal('conflict', `The deployment itself uses the name ${id}.`)
  const existing = await findTenant(world, id)
  if (existing) return exists(existing.tenant)
  // Keys of an earlier release can have written data that would not open any more.
  if (encryption === 'tenant_key' && !(await partitionsOf(world, id).next()).done)
    return refusal('conflict', `Keys or data named ${id} exist, in plain text; choose another ID.`)
  return quotaRefusal(world, id, 'tenants')
}

export function exists({ id, status }: StoredTenant): Refusal {
  const reason = isGone(status)
    ? `The ID ${id} belonged to a deleted tenant and cannot be reused.`
    : `A tenant with the ID ${id} exists.`
  return refusal('conflict', reason)
}

/** Returns the stored tenant with this ID, which a concurrent request may have created. */
const insertTenant = (
  world: World,
  { id, name, quotas, encryption }: TenantRequest,
  key_id: string,
) =>
  update(world, `the tenant ${id}`, async () => {
    const existing = await findTenant(world, id)
    if (existing) return existing.tenant
    const initial = changedQuotas({}, quotas)
    const tenant = {
      ...newTenant(world, id, name ?? null, key_id),
      ...(initial && { quotas: initial }),
      ...(encryption === 'tenant_key' && { encryption: await newDataKey(world, id) }),
    }
    return (await writeTenant(world, tenant, null)) ? tenant : undefined
  })

function newTenant(world: World, id: string, name: string | null, key_id: string): StoredTenant {
  const created_at = iso(world.clock.now())
  return {
    ...{ id, name, status: 'active', key_id, created_at, updated_at: created_at },
    ...{ deletion: null, cancels: null, wake_at: null, redeliveries: 0 },
    listed: { under: TENANTS_LIST, at: `${created_at} ${id}` },
  }
}

/** Writes the row if its version is still `expect`; false after a conflict or unknown outcome. */
export async function writeTenant(
  world: World,
  tenant: StoredTenant,
  expect: number | null,
): Promise<boolean> {
  const { id, wake_at } = tenant
  const alarm = { at: wake_at ?? 0, lane: 'background', started: true } as const
  const result = await world.store
    .commit(tenantPartition(id), [], {
      ...{ expect, body: JSON.stringify(tenant), listed: tenant.listed ?? undefined },
      ...(wake_at === null ? {} : { alarm, wakes: true }),
    })
    .finally(() => forgetTenant(world, id))
  return result === 'ok'
}

/** Finds a tenant, including a deleted one. */
export async function findTenant(
  world: World,
  id: string,
): Promise<{ readonly tenant: StoredTenant; readonly version: number } | undefined> {
  const [row] = await world.store.heads([tenantPartition(id)])
  return row ? { tenant: storedTenantOf(row.body), version: row.version } : undefined
}

/** Finds a tenant that can be changed; the operator's own has a row after its first change. */
export async function findOrDefault(world: World, id: string) {
  const existing = await findTenant(world, id)
  if (existing || id !== DEFAULT_TENANT || !hasState(world, id)) return existing
  return { tenant: newTenant(world, id, null, ''), version: null }
}

/** Returns the encryption of a tenant's data, also after the destruction of its key. */
export const encryptionOf = ({ encryption }: Pick<StoredTenant, 'encryption'>): TenantEncryption =>
  encryption ? 'tenant_key' : 'none'

export const OWN_SHARED =
  'The default tenant cannot be paused or limited on this platform, because every process would ' +
  'read its state for each run. Cancel its runs with `POST /v1/runs/cancel`.'

const ENCRYPTION_KEPT =
  'The encryption of a tenant is chosen at its creation, because stored data would stay as it ' +
  'is. Create another tenant with `encryption`, or import an export into a new tenant of this ' +
  'ID in another deployment.'

/** Changes the name and the quotas of a tenant; an identical request changes nothing. */
export async function editTenant(
  asker: Asker,
  id: string,
  { name, quotas, encryption }: TenantChange,
): Promise<Outcome<StoredTenant, Refusal>> {
  const { world } = asker
  if (id === DEFAULT_TENANT && !hasState(world, id)) return fail(refusal('conflict', OWN_SHARED))
  const result = await update<Outcome<Changed, Refusal>>(world, `the tenant ${id}`, async () => {
    const current = await findOrDefault(world, id)
    if (!current) return fail(missingTenant())
    const { tenant, version } = current
    if (isGone(tenant.status)) return fail(exists(tenant))
    if (encryption !== undefined && encryption !== encryptionOf(tenant))
      return fail(refusal('conflict', ENCRYPTION_KEPT))
    const nextQuotas = quotas === null ? undefined : changedQuotas(tenant.quotas, quotas)
    const changed = { ...tenant, quotas: nextQuotas }
    const next = name === undefined ? changed : { ...changed, name }
    if (JSON.stringify(next) === JSON.stringify(tenant)) return ok({ tenant, number: 0 })
    for (const name of RUN_QUOTAS) {
      const isNew = tenant.quotas?.[name] === undefined && next.quotas?.[name] !== undefined
      if (isNew) await forgetSlots(world, id, name)
    }
    const updated = { ...next, updated_at: iso(world.clock.now()) }
    if (!(await writeTenant(world, updated, version))) return undefined
    return ok({ tenant: updated, number: (version ?? 0) + 1 })
  })
  if (!result.ok) return result
  const { tenant, number } = result.value
  const detail = `quotas: ${quotasText(tenant.quotas)}`
  if (number > 0) await auditTenant(asker, id, number, 'update', detail)
  return ok(tenant)
}

export interface Changed {
  readonly tenant: StoredTenant
  /** Change number for the audit; 0 without a change. */
  readonly number: number
}

/** Wakes the background work on a tenant's row: a deletion, or the cancellation of its runs. */
export const sendTenant = ({ queue }: World, id: string, delayMs = 0) =>
  queue.send(
    [{ partition: tenantPartition(id), lane: 'background', started: true, staleCount: 0 }],
    delayMs,
  )

/** Writes the operator's audit entry about a tenant; `once` names an entry that is retried. */
export const auditTenant = (
  { world, by }: Pick<Asker, 'world' | 'by'>,
  name: string,
  number: number,
  action: Audited['action'],
  detail?: string,
  once?: string,
): Promise<void> =>
  audit(world, DEFAULT_TENANT, { kind: 'tenant', name, action, by, number, detail }, once)
