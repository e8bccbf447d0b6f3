/** Dispatches a wake by the kind of partition that its address names. */

import type { Wake, World } from '../ports/world.ts'
import { advanceChain, sendSeal } from './audit/seal.ts'
import { fanoutHandlers } from './fanout/effect-handlers.ts'
import { advanceSchedule } from './fire/advance.ts'
import { parsePartition } from './partition/keys.ts'
import { runHandlers } from './run/effect-handlers.ts'
import { advanceSession } from './session/advance.ts'
import { tenantStatus } from './tenant/state.ts'
import { advanceTenant } from './tenants/delete.ts'
import { advanceDelivery } from './webhook/attempt.ts'
import { advanceEndpoint } from './webhook/endpoint/advance.ts'
import { advanceGuarded } from './worker/poison-guard.ts'
import { advanceSweep } from './worker/sweep.ts'

/** Wakes in a row without a new fact; above this the tick takes over (protocol rule 35). */
const MAX_HOPS = 50

export async function dispatch(world: World, wake: Wake): Promise<void> {
  if (wake.staleCount > MAX_HOPS) return
  const seal = () => sendSeal(world, parsePartition(wake.partition).tenant)
  try {
    await pass(world, wake, seal)
  } finally {
    await seal()
  }
}

/**
 * Due partitions of a suspended tenant stay due, for the tick and for its resumption; its audit is
 * sealed meanwhile.
 */
async function pass(world: World, wake: Wake, seal: () => Promise<void>): Promise<void> {
  const { tenant, kind } = parsePartition(wake.partition)
  const known = tenantStatus(world, tenant)
  const status = typeof known === 'string' ? known : await known
  if (status !== 'active' && !(status === 'suspended' && kind === 'chain')) return
  switch (kind) {
    case 'run':
      return advanceGuarded(world, runHandlers, wake, seal)
    case 'fanout':
      return advanceGuarded(world, fanoutHandlers, wake, seal)
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
      return advanceSweep(world)
    case 'tenant':
      return advanceTenant(world, wake.partition)
    default:
      // Nobody of ours sends it; the host takes it for done, and whoever reads the log knows.
      world.log?.write({ level: 'warn', event: 'wake.unknown', partition: wake.partition })
  }
}
