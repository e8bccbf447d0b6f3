/**
 * Addresses that a tenant failed to reach within a minute, by web tools and MCP server tests. Above
 * a threshold, all requests are rejected without distinction, so that no tenant can scan hosts and
 * ports through a deployment.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Refusal, refusal } from '../../core/problem.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'

const MINUTE_MS = 60_000
const TENANTS = 1_000

interface Failed {
  readonly origins: Set<string>
  /** Time on the monotonic clock at which the failed addresses are forgotten. */
  readonly until: number
}
const failedOf = processMemory('unreachable', () => boundedCache<Failed>(TENANTS))

type Context = Pick<World, 'store' | 'clock'>

function failedNow({ store, clock }: Context, tenant: string): Failed | undefined {
  const failed = failedOf(store).get(tenant)
  return failed && clock.monotonic() < failed.until ? failed : undefined
}

/** Rejects every address of a tenant after too many were unreachable. */
export function scanRefused(world: Context, tenant: string): Refusal | undefined {
  const failed = failedNow(world, tenant)
  if ((failed?.origins.size ?? 0) < LIMITS.unreachable_hosts) return undefined
  return refusal(
    'rate_limited',
    'Too many addresses were unreachable; retry in a minute with a reachable one.',
  )
}

export function countUnreachable(world: Context, tenant: string, url: string): void {
  const fresh = () => ({ origins: new Set<string>(), until: world.clock.monotonic() + MINUTE_MS })
  const failed = failedNow(world, tenant) ?? fresh()
  failed.origins.add(URL.parse(url)?.origin ?? url.slice(0, 100))
  failedOf(world.store).set(tenant, failed)
}
