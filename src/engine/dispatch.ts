/** Dispatches a wake by the kind of partition that its address names. */

import type { Wake, World } from '../ports/world.ts'
import { requestSeal } from './audit/request-seal.ts'
import { advanceChain } from './audit/seal.ts'
import { fanoutHandlers } from './fanout/effect-handlers.ts'
import { advanceSchedule } from './fire/advance.ts'
import { parsePartition } from './partition/keys.ts'
import { advanceReseal, RESEAL } from './reseal-rounds.ts'
import { runHandlers } from './run/effect-handlers.ts'
import { advanceSession } from './session/advance.ts'
import { TenantLocked } from './tenant/data-key.ts'
import { isGone, tenantStatus } from './tenant/state.ts'
import { advanceTenant } from './tenants/advance.ts'
import { advanceDelivery } from './webhook/attempt.ts'
import { advanceEndpoint } from './webhook/endpoint/advance.ts'
import { advanceGuarded } from './worker/poison-guard.ts'
import { advanceSweep } from './worker/sweep.ts'

/**
 * Maximum number of consecutive wakes without a new fact. Beyond this number, the tick continues
 * the work (PROTOCOL.md rule 35).
 */
const MAX_STALE_WAKES = 50

/**
 * Kinds of partitions without passes while their tenant is paused or suspended. Passes over runs
 * and fan-outs record cancellations and ends, and start no work (`worker/halted.ts`).
 */
const HALTED_KINDS: ReadonlySet<string> = new Set(['delivery', 'schedule'])

export async function dispatch(world: World, wake: Wake): Promise<void> {
  // The alarm stays in the store. The tick of a server that is not paused picks it up.
  if (world.settings.paused || wake.staleCount > MAX_STALE_WAKES) return
  const { tenant, kind } = parsePartition(wake.partition)
  const cached = tenantStatus(world, tenant)
  const status = typeof cached === 'string' ? cached : await cached
  // Partitions stay due, for the tick and for the tenant's resumption.
  if (isGone(status) || (status !== 'active' && HALTED_KINDS.has(kind))) return
  const finish = () => requestSeal(world, tenant)
  try {
    await advanceByKind(world, wake, kind, finish)
    await finish()
  } catch (error) {
    // The log has one line about it; the partition stays due until the key is restored.
    if (error instanceof TenantLocked) return
    await finish()
    throw error
  }
}

async function advanceByKind(
  world: World,
  wake: Wake,
  kind: string,
  finish: () => Promise<void> | undefined,
): Promise<void> {
  switch (kind) {
    case 'run':
      return advanceGuarded(world, runHandlers, wake, finish)
    case 'fanout':
      return advanceGuarded(world, fanoutHandlers, wake, finish)
    case 'session':
      return advanceSession(world, wake.partition)
    case 'delivery':
      return advanceDelivery(world, wake.partition)
    case 'endpoint':
      return advanceEndpoint(world, wake.partition)
    case 'schedule':
      return advanceSchedule(world, wake.partition)
    case 'chain':
      return advanceChain(world, wake.partition)
    case 'sweep':
      return wake.partition === RESEAL ? advanceReseal(world) : advanceSweep(world)
    case 'tenant':
      return advanceTenant(world, wake.partition)
  }
}
