/**
 * A tenant's runs that have not ended, where its operator has limited them. Each has a place in one
 * row before it is created; a run that ends says nothing, and its place is free when the next one
 * finds none. So a limit costs a run one write, and tenants without one nothing.
 */

import type { Refusal } from '../../core/problem.ts'
import type { World } from '../../ports/world.ts'
import { runsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'
import { leavePlace, placesTaken, type Quota, takePlace } from './quota.ts'
import { tenantLimits } from './state.ts'

const quotaOf = (tenant: string, max: number): Quota => ({
  ...{ name: 'live-runs', under: runsList(tenant), max, what: 'runs that have not ended' },
  ...{ limit: 'live_runs', isOver },
})

const isOver = (body: string): boolean =>
  headOf<{ readonly ended_at?: string | null }>(body).view.ended_at != null

/** For the run that is created next, in `partition`; again: it has its place already. */
export async function takeLiveRun(
  world: World,
  tenant: string,
  partition: string,
): Promise<Refusal | undefined> {
  const limits = tenantLimits(world, tenant)
  if (limits === undefined) return undefined
  const max = (await limits)?.live_runs
  return max === undefined ? undefined : takePlace(world, tenant, quotaOf(tenant, max), partition)
}

/** The run was not created after all. */
export async function leaveLiveRun(world: World, tenant: string, partition: string): Promise<void> {
  const limits = tenantLimits(world, tenant)
  const max = limits === undefined ? undefined : (await limits)?.live_runs
  if (max !== undefined) await leavePlace(world, tenant, quotaOf(tenant, max), partition)
}

export const liveRuns = (world: World, tenant: string, max: number): Promise<number> =>
  placesTaken(world, tenant, quotaOf(tenant, max))
