/**
 * Requests passes that seal audit entries. Entries are written with their changes in many
 * partitions, so no single commit can append them to the chain. The process that wrote entries
 * requests a pass by an alarm on the last page; entries written within seconds share it.
 */

import { LIMITS } from '../../core/limits.ts'
import type { World } from '../../ports/world.ts'
import { chainPage } from '../partition/keys.ts'
import { retry } from '../partition/update.ts'
import { unsealedTenants } from '../tenant/audit.ts'
import { isGone, tenantStatus } from '../tenant/state.ts'
import { chainMemory, openPage, writePage } from './chain-pages.ts'

const SEAL_MS = LIMITS.audit_seal_seconds * 1_000
/**
 * Clocks of processes differ, so a pass that is due this soon may already have read the list.
 */
const SOON_MS = 1_000
const TRIES = 8

/**
 * Requests a pass if the tenant has new entries; returns undefined if it has none. Never throws: a
 * failed request is repeated by the next call, and a reader of the audit log seals as well.
 */
export function requestSeal(world: World, tenant: string): Promise<void> | undefined {
  return unsealedTenants(world.store).has(tenant) ? request(world, tenant) : undefined
}

/** Requests a pass for each tenant with new entries; see `requestSeal`. */
export async function requestSeals(world: World): Promise<void> {
  await Promise.all([...unsealedTenants(world.store)].map((tenant) => request(world, tenant)))
}

async function request(world: World, tenant: string): Promise<void> {
  const tenants = unsealedTenants(world.store)
  tenants.delete(tenant)
  // The audit log of a deleted tenant must not be created again.
  if (isGone(await tenantStatus(world, tenant))) return
  const isSent = await requestPass(world, tenant).catch(() => undefined)
  if (!isSent) tenants.add(tenant)
}

function requestPass(world: World, tenant: string): Promise<true | undefined> {
  const memory = chainMemory(world.store)
  return retry(world, TRIES, async () => {
    const now = world.clock.now()
    const isPending = (at: number | null | undefined): boolean => (at ?? 0) > now + SOON_MS
    if (isPending(memory.get(tenant)?.dueAt)) return true
    const tip = await openPage(world, tenant)
    if (!tip) return undefined
    const { page, due_at } = tip.head
    const wasPending = isPending(due_at)
    const at = wasPending ? due_at! : now + SEAL_MS
    const head = { ...tip.head, wake_at: at, due_at: at, redeliveries: 0 }
    if (!wasPending && !(await writePage(world, tenant, { version: tip.version, head })))
      return undefined
    memory.set(tenant, { page, dueAt: at })
    if (!wasPending && !world.settings.wakesWithCommit) {
      const partition = chainPage(tenant, page)
      const wake = { partition, lane: 'background', started: true, staleCount: 0 } as const
      // The alarm replaces a lost wake.
      await world.queue.send([wake], SEAL_MS + SOON_MS)
    }
    return true
  })
}
