/**
 * Tenants of the deployment, for its operator: made with a first key, listed, suspended, resumed.
 * A tenant is a row of the operator's; whatever belongs to it has its name in front.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { changedLimits, limitsText, type TenantLimitsChange } from '../../core/tenant-limits.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { DEFAULT_TENANT, ROWS_FOLDER, TENANTS_LIST, tenantPartition } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import { createKey, type StoredKey } from '../tenant/api-keys.ts'
import { type Asker, type Audited, audit } from '../tenant/audit.ts'
import { newDataKey } from '../tenant/data-key.ts'
import type { Keyed } from '../tenant/idempotency.ts'
import { settleId } from '../tenant/idempotent-id.ts'
import { findKey } from '../tenant/manage-keys.ts'
import { quotaRefusal } from '../tenant/quota.ts'
import { forgetTenant, isGone, type StoredTenant, storedTenantOf } from '../tenant/state.ts'
import { wakeTenant } from '../worker/tick.ts'

export interface MadeTenant {
  readonly tenant: StoredTenant
  readonly key: StoredKey
  /** Shown once; absent: an earlier answer has shown it. */
  readonly text?: string
  readonly replayed: boolean
}

export interface TenantChange {
  readonly suspended?: boolean | undefined
  readonly name?: string | null | undefined
  /** Null: all of them are gone. */
  readonly limits?: TenantLimitsChange | null | undefined
}

interface TenantRequest extends Omit<TenantChange, 'suspended'> {
  readonly id: string
  /** Absent: as the deployment does it. */
  readonly encrypted?: boolean | undefined
}

/** Names in front of keys that are no tenant's. */
const TAKEN: ReadonlySet<string> = new Set([DEFAULT_TENANT, ROWS_FOLDER.slice(0, -1)])
const KEY_ID = 16

export const missing = (): Refusal => refusal('not_found', 'There is no such tenant.')

/** Under one `Idempotency-Key` one tenant; a repeated request is not shown the key again. */
export async function makeTenant(
  asker: Asker,
  { id, name, limits, encrypted }: TenantRequest,
  keyed: Keyed | undefined,
): Promise<Outcome<MadeTenant, Refusal>> {
  const { world } = asker
  const isEncrypted = encrypted ?? world.settings.encryptTenants === true
  if (isEncrypted && !world.asStored) return fail(notHere())
  const settled = await settleId(world, DEFAULT_TENANT, 'key', keyed, () => refused(world, id))
  if (!settled.ok) return settled
  const key_id = settled.value.id.slice('key_'.length).slice(0, KEY_ID)
  const more = {
    ...{ name: name ?? null, limits: changedLimits(undefined, limits) },
    ...(isEncrypted && { encrypted: true, sealed_key: await newDataKey(world, id) }),
  }
  const tenant = await reserved(world, id, more, key_id)
  if (tenant.key_id !== key_id || tenant.status !== 'active') return fail(taken(tenant))
  // One that died after the tenant and before its key is finished here.
  const before = settled.value.known ? await findKey({ world, tenant: id }, key_id) : undefined
  if (before) return ok({ tenant, key: before.key, replayed: true })
  const made = await createKey(world, id, ['*'], { id: key_id, name: 'The first key' })
  const details = [
    ...(more.limits ? [`limits: ${limitsText(more.limits)}`] : []),
    ...(isEncrypted ? ['encrypted under a key of its own'] : []),
  ]
  await noted(asker, id, 1, 'create', details.join('; ') || undefined)
  return ok({ tenant, key: made.stored, text: made.key, replayed: false })
}

const notHere = (): Refusal => {
  const message = 'this host encrypts no tenants'
  const errors = [{ pointer: '/encrypted', message }]
  return refusal('invalid_request', 'The tenant cannot be encrypted.', { errors })
}

async function refused(world: World, id: string): Promise<Refusal | undefined> {
  if (TAKEN.has(id)) return refusal('conflict', `The deployment itself uses the name ${id}.`)
  const found = await findTenant(world, id)
  if (found) return taken(found.tenant)
  const quota = { name: 'tenants', under: TENANTS_LIST, max: LIMITS.tenants, what: 'tenants' }
  return quotaRefusal(world, { ...quota, owner: 'A deployment' })
}

function taken({ id, status }: StoredTenant): Refusal {
  const why = isGone(status) ? 'is not used again: its tenant was deleted' : 'is a tenant already'
  return refusal('conflict', `${id} ${why}.`)
}

/** The tenant under this id: this one, unless another was first. */
const reserved = (
  world: World,
  id: string,
  more: Pick<StoredTenant, 'name' | 'limits' | 'encrypted' | 'sealed_key'>,
  key_id: string,
) =>
  update(world, `the tenant ${id}`, async () => {
    const found = await findTenant(world, id)
    if (found) return found.tenant
    const created_at = iso(world.clock.now())
    const fresh: StoredTenant = {
      ...{ ...more, id, status: 'active', key_id, created_at, updated_at: created_at },
      ...{ deletion: null, wake_at: null, redeliveries: 0 },
      listed: { under: TENANTS_LIST, at: `${created_at} ${id}` },
    }
    return (await writeTenant(world, fresh, null)) ? fresh : undefined
  })

/** False: somebody else was first, or nobody knows. */
export async function writeTenant(
  world: World,
  tenant: StoredTenant,
  expect: number | null,
): Promise<boolean> {
  const { id, wake_at, listed } = tenant
  const alarm = { at: wake_at ?? 0, lane: 'background', started: true } as const
  const done = await world.store
    .commit(tenantPartition(id), [], {
      ...{ expect, body: JSON.stringify(tenant), listed: listed ?? undefined },
      ...(wake_at === null ? {} : { alarm }),
      ...(wake_at === null ? {} : { wakes: true }),
    })
    .finally(() => forgetTenant(world, id))
  return done === 'ok'
}

/** Also one that was deleted. */
export async function findTenant(
  world: World,
  id: string,
): Promise<{ readonly tenant: StoredTenant; readonly version: number } | undefined> {
  const [row] = await world.store.heads([tenantPartition(id)])
  return row ? { tenant: storedTenantOf(row.body), version: row.version } : undefined
}

/** Suspends it, lets it go on, names it anew, sets its limits. Saying what is already so changes nothing. */
export async function changeTenant(
  asker: Asker,
  id: string,
  { suspended, name, limits }: TenantChange,
): Promise<Outcome<StoredTenant, Refusal>> {
  const { world } = asker
  const done = await update<Outcome<Changed, Refusal>>(world, `the tenant ${id}`, async () => {
    const found = await findTenant(world, id)
    if (!found) return fail(missing())
    const { tenant: before, version } = found
    if (isGone(before.status)) return fail(taken(before))
    const status = suspended === undefined ? before.status : suspended ? 'suspended' : 'active'
    const next: StoredTenant = {
      ...{ ...before, status, name: name === undefined ? before.name : name },
      limits: changedLimits(before.limits, limits),
    }
    const number = version + 1
    if (JSON.stringify(next) === JSON.stringify(before)) return ok({ before, next, number })
    const written = { ...next, updated_at: iso(world.clock.now()) }
    const done = await writeTenant(world, written, version)
    return done ? ok({ before, next: written, number }) : undefined
  })
  if (!done.ok) return done
  const { before, next, number } = done.value
  const isTurned = before.status !== next.status
  if (isTurned) await noted(asker, id, number, next.status === 'active' ? 'resume' : 'pause')
  const named = before.name === next.name ? [] : ['its name']
  const text = limitsText(next.limits)
  const bound = text === limitsText(before.limits) ? [] : [`limits: ${text}`]
  const details = [...named, ...bound]
  if (details.length > 0) await noted(asker, id, number, 'update', details.join('; '))
  // Also when somebody says it again: the first wakes may have been lost.
  if (suspended === false) await wakeTenant(world, id)
  return ok(next)
}
interface Changed {
  readonly before: StoredTenant
  readonly next: StoredTenant
  /** Of the change. */
  readonly number: number
}

export const noted = (
  { world, by }: Asker,
  name: string,
  number: number,
  action: Audited['action'],
  detail?: string,
  once?: string,
): Promise<void> =>
  audit(world, DEFAULT_TENANT, { kind: 'tenant', name, action, by, number, detail }, once)
