/**
 * API keys of a tenant: created, listed, changed, rotated, and revoked. A key grants only rights of
 * its creator. Changes apply immediately in this process, and within 5 seconds in others.
 */

import type { AuditChange } from '../../core/audit-change.ts'
import { changeOf } from '../../core/audit-change.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import type { KeyRateLimits } from '../../core/rate-limits.ts'
import { holds } from '../../core/scopes.ts'
import { changedQuotas, type KeyQuotas } from '../../core/tenant-quotas.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import { iso, parseTime } from '../../lib/time.ts'
import { keyPartition } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import {
  createKeyOnce,
  forgetKey,
  type Grant,
  hasExpired,
  type KeyMaker,
  type StoredKey,
  storedKeyOf,
  writeKey,
} from '../tenant/api-keys.ts'
import { type Asker, type Audited, audit } from '../tenant/audit.ts'
import type { RequestKey } from '../tenant/idempotency.ts'
import { settleId } from '../tenant/idempotent-id.ts'
import { accountOf } from '../tenant/quota-owner.ts'
import { freeSlot, type Slot } from '../tenant/resource-quota.ts'
import { reserveResource, resourceRefusal } from '../webhook/quota-exceeded.ts'
import { exceedsMaker, grantOf, withoutAbsent } from './grants.ts'

export interface KeyRequest {
  readonly name?: string | undefined
  readonly scopes: readonly string[]
  /** Expiry time of the key in RFC 3339; if absent, the key never expires. */
  readonly expires_at?: string | undefined
  /** Addresses from which the key may be used; defaults to the creator's addresses. */
  readonly addresses?: readonly string[] | undefined
  /** Rate limits of the key; defaults to the creator's limits. */
  readonly rate_limits?: KeyRateLimits | undefined
  /** Quotas of the key; an absent quota defaults to that of the creator. */
  readonly quotas?: KeyQuotas | undefined
}

export interface CreatedKey {
  /** Text of the new key; absent if an earlier response contained it. */
  readonly key?: string
  readonly stored: StoredKey
  readonly replayed: boolean
}

/** Length of an API key ID, in characters. */
const KEY_ID = 16

const missing = (): Refusal => refusal('not_found', 'API key not found.')

export async function makeKey(
  maker: KeyMaker,
  request: KeyRequest,
  requestKey: RequestKey | undefined,
): Promise<Outcome<CreatedKey, Refusal>> {
  const makerKey = await findKey(maker, maker.by)
  const { name: _, ...inherited }: Partial<Grant> = makerKey ? grantOf(makerKey.key) : {}
  const { quotas: requested, ...members } = request
  const quotas = changedQuotas(inherited.quotas, requested)
  const grant = grantOf({ ...inherited, ...withoutAbsent(members), ...(quotas && { quotas }) })
  const wider = exceedsMaker(maker.world, makerKey?.key, grant)
  if (wider) return fail(wider)
  const shared = sharedAccount(makerKey?.key)
  return createOnce(maker, { ...grant, ...shared }, requestKey, () =>
    isPast(maker, request.expires_at),
  )
}

/** Returns the account of a key with quotas, so that its new keys share its count. */
const sharedAccount = (key: StoredKey | undefined): Pick<StoredKey, 'account'> =>
  key?.quotas ? { account: accountOf(key) } : {}

/** Rejects a rotation that would give the text of a key with another count to a key with quotas. */
function countRefusal(maker: StoredKey | undefined, key: StoredKey): Refusal | undefined {
  if (!maker?.quotas || accountOf(maker) === accountOf(key)) return undefined
  const message = 'A key with quotas can rotate only itself and keys that share its count.'
  return refusal('insufficient_scope', message)
}

const slotOf = (tenant: string, id: string): Slot => ({
  ...{ tenant, kind: 'keys', partition: keyPartition(id) },
})

/** Creates one API key per `Idempotency-Key`; the response to a retry omits the key text. */
async function createOnce(
  maker: KeyMaker,
  { scopes, ...more }: Grant & Pick<StoredKey, 'account'>,
  requestKey: RequestKey | undefined,
  precheck: () => Refusal | undefined,
): Promise<Outcome<CreatedKey, Refusal>> {
  const { world, tenant } = maker
  // Repeated requests are also checked, because they may be authenticated with a different key.
  const lack = exceeds(maker, scopes)
  if (lack) return fail(lack)
  const validate = async () => precheck() ?? (await resourceRefusal(world, tenant, 'keys'))
  const settled = await settleId(world, tenant, 'key', requestKey, validate)
  if (!settled.ok) return settled
  const id = settled.value.id.slice('key_'.length).slice(0, KEY_ID)
  const existing = settled.value.known ? await findKey(maker, id) : undefined
  if (existing) return ok({ stored: existing.key, replayed: true })
  const late = await reserveResource(world, slotOf(tenant, id))
  if (late) return fail(late)
  const created = await createKeyOnce(world, tenant, scopes, { ...more, id })
  if (created.key === undefined) return ok({ ...created, replayed: true })
  const change = changeOf(null, grantOf(created.stored))
  await auditKey(maker, created.stored, 'create', { detail: scopes.join(' '), ...change })
  return ok({ ...created, replayed: false })
}

export function exceeds(
  { scopes: makerScopes }: KeyMaker,
  scopes: readonly string[],
): Refusal | undefined {
  const lacking = scopes.filter((scope) => !holds(makerScopes, scope))
  if (lacking.length === 0) return undefined
  const message = `A key can grant only scopes that it has; your key lacks ${lacking.join(', ')}.`
  return refusal('insufficient_scope', message)
}

export function isPast({ world }: KeyMaker, expires_at: string | undefined): Refusal | undefined {
  if (expires_at === undefined || (parseTime(expires_at) ?? 0) > world.clock.now()) return undefined
  return refusal('invalid_request', "The key's expiration time must be in the future.")
}

/** Finds an API key of the tenant; returns undefined if the key does not exist. */
export async function findKey(
  { world, tenant }: Pick<Asker, 'world' | 'tenant'>,
  id: string,
): Promise<{ readonly key: StoredKey; readonly version: number } | undefined> {
  const [row] = await world.store.heads([keyPartition(id)])
  const key = row && storedKeyOf(row.body)
  return key?.tenant === tenant ? { key, version: row!.version } : undefined
}

/**
 * Rotates an API key; the old key stays valid for `overlap_seconds`, or until its expiry if that is
 * earlier.
 */
export async function rotateKey(
  maker: KeyMaker,
  id: string,
  overlap_seconds: number,
  requestKey: RequestKey | undefined,
): Promise<Outcome<CreatedKey, Refusal>> {
  const { world } = maker
  const current = await findKey(maker, id)
  if (!current) return fail(missing())
  const grant = grantOf(current.key)
  const makerKey = await findKey(maker, maker.by)
  const wider =
    exceedsMaker(world, makerKey?.key, grant) ?? countRefusal(makerKey?.key, current.key)
  if (wider) return fail(wider)
  const precheck = () =>
    hasExpired(current.key, world.clock.now())
      ? refusal('conflict', 'The key has expired; create a new one.')
      : undefined
  const shared = sharedAccount(current.key)
  const created = await createOnce(maker, { ...grant, ...shared }, requestKey, precheck)
  if (!created.ok) return created
  // A repeated request completes an interrupted rotation; the old key never stays valid beyond its
  // original expiry.
  const until = world.clock.now() + overlap_seconds * 1_000
  const wasRevoked = await update(world, 'the key', async () => {
    const latest = await findKey(maker, id)
    if (!latest) return true
    const end = Math.min(until, parseTime(latest.key.expires_at ?? '') ?? until)
    const next = { ...latest.key, expires_at: iso(end), revision: revisionAfter(latest.key) }
    return (await writeKey(world, next, latest.version)) === 'ok' ? false : undefined
  })
  forgetKey(world, id)
  const by = created.value.stored.key_id
  if (created.value.replayed) return created
  await auditKey(maker, current.key, 'rotate', {
    detail: wasRevoked ? `the key was revoked in the meantime; ${by}` : `by ${by}`,
  })
  return created
}

/** Revokes an API key, but never the caller's own key: the last key must not be lost. */
export async function revokeKey(maker: KeyMaker, id: string): Promise<Outcome<undefined, Refusal>> {
  const { world, tenant, by } = maker
  const current = await findKey(maker, id)
  if (!current) return fail(missing())
  if (id === by) return fail(refusal('conflict', 'A key cannot revoke itself; use another key.'))
  const now = world.clock.now()
  await world.store.drop(keyPartition(id))
  forgetKey(world, id)
  await freeSlot(world, slotOf(tenant, id), now)
  await auditKey(maker, current.key, 'delete', changeOf(grantOf(current.key), null))
  return ok(undefined)
}

export const revisionAfter = ({ revision = 1 }: StoredKey): number => revision + 1

export const auditKey = (
  { world, tenant, by }: KeyMaker,
  { key_id: name }: StoredKey,
  action: 'create' | 'rotate' | 'update' | 'delete',
  more: Pick<Audited, 'detail' | keyof AuditChange>,
): Promise<void> => audit(world, tenant, { kind: 'key', name, action, by, number: 0, ...more })
