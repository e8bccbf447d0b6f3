/**
 * Owners of quotas: a tenant, and the API key that started a run. A key shares its count with the
 * keys that it creates and that replace it, so new keys do not multiply its quotas.
 */

import type { QuotaKey, TenantQuotas } from '../../core/tenant-quotas.ts'
import type { World } from '../../ports/world.ts'
import { quotaPartition } from '../partition/keys.ts'
import { readKey, type StoredKey } from './api-keys.ts'
import { tenantQuotas } from './state.ts'

export interface QuotaOwner {
  readonly tenant: string
  /** API key that owns the quotas; absent if the tenant does. */
  readonly key?: Pick<QuotaKey, 'id' | 'account'>
  readonly quotas: TenantQuotas
}

/** Returns the partition of a count. IDs of keys have no dot. */
export const quotaRow = ({ tenant, key }: QuotaOwner, count: string): string =>
  quotaPartition(tenant, key ? `${count}.${key.account}` : count)

export const nounOf = ({ key }: QuotaOwner): string => (key ? 'API key' : 'tenant')

/** Returns the members of a refusal that name the owner of the quota. */
export const ownerOf = ({ key }: QuotaOwner) =>
  key ? ({ owner: 'key', key_id: key.id } as const) : ({ owner: 'tenant' } as const)

export const accountOf = ({ account, key_id }: StoredKey): string => account ?? key_id

/** Returns the key with quotas that sent the request, or that counts the run which acts. */
export async function requestKeyOf(world: World): Promise<QuotaKey | undefined> {
  if (world.runKey) return world.runKey
  const id = world.keyId
  const key = id === undefined ? undefined : await readKey(world, id)
  return key?.quotas && { id: key.key_id, account: accountOf(key), quotas: key.quotas }
}

/**
 * Returns the owners whose quotas apply to the work of a tenant, and of a key; the tenant is last.
 * Work without quotas needs no read.
 */
export async function quotaOwners(
  world: World,
  tenant: string,
  key: QuotaKey | undefined,
): Promise<readonly QuotaOwner[]> {
  const ofTenant = await tenantQuotas(world, tenant)
  const stored = key && (await readKey(world, key.id))
  const ofKey = stored ? stored.quotas : key?.quotas
  return [
    ...(key && ofKey ? [{ tenant, key, quotas: ofKey }] : []),
    ...(ofTenant ? [{ tenant, quotas: ofTenant }] : []),
  ]
}
