/**
 * Recently resolved layers, for callers that only check existence (a parent that starts many
 * subagents). A recent result is enough to accept, because the run reads the layers again at its
 * start. Only a fresh read may reject. Stored listings follow the same rule (`stored-listings.ts`).
 */

import type { LayerSelection, Resolved } from '../../core/config/types.ts'
import type { Refusal } from '../../core/problem.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'
import { type Asking, policyNow } from '../tenant/policy.ts'
import { cacheKey } from './cache.ts'
import { resolveLayers } from './resolve.ts'
import { Listings } from './stored-listings.ts'

const RECENT_MS = 5_000
/** Maximum number of remembered layer selections. A parent rarely has more than one. */
const MOST = 100

type Reading = Promise<Outcome<Resolved, Refusal>>
interface RecentReading {
  /** Time at which the layers were read, on the monotonic clock. */
  readonly at: number
  readonly reading: Reading
}

const readingsOf = processMemory('readings', () => new Map<string, RecentReading>())

/** Applies `accepts` to recently resolved layers and, if rejected, to freshly resolved layers. */
export async function recentLayers<T>(
  run: Asking,
  selection: LayerSelection,
  accepts: (resolved: Resolved) => Promise<Outcome<T, string>>,
): Promise<Outcome<T, string>> {
  const checkReading = async (reading: Reading): Promise<Outcome<T, string>> => {
    const resolved = await reading
    if (resolved.ok) return accepts(resolved.value)
    return { ok: false, error: `${resolved.error.code}: ${resolved.error.detail}` }
  }
  const { world, tenant } = run
  const { reading, isFresh } = readRecent(run, selection)
  if (isFresh) return checkReading(reading)
  const answer = await checkReading(reading).catch(() => undefined)
  if (answer?.ok) return answer
  return checkReading(remembered(world, tenant, selection, resolveLayers(world, tenant, selection)))
}

/** Prefetches the layers that the next check will probably need. */
export function expectLayers(run: Asking, selection: LayerSelection): void {
  readRecent(run, selection).reading.catch(() => undefined)
}

function readRecent(
  run: Asking,
  selection: LayerSelection,
): { readonly reading: Reading; readonly isFresh: boolean } {
  const { world, tenant } = run
  const recent = readingsOf(world.objects).get(slotOf(tenant, selection))
  const isRecent = recent && world.clock.monotonic() < recent.at + RECENT_MS
  if (isRecent) return { reading: recent.reading, isFresh: false }
  const listings = new Listings(world, tenant, 'kept')
  const policy = policyNow(run)
  const reading = resolveLayers(world, tenant, selection, { listings, policy })
  // A single process stores no listings, so its result is always fresh.
  const isFresh = world.settings.singleProcess
  return { reading: remembered(world, tenant, selection, reading), isFresh }
}

function remembered(
  world: World,
  tenant: string,
  selection: LayerSelection,
  reading: Reading,
): Reading {
  const readings = readingsOf(world.objects)
  if (readings.size >= MOST) readings.clear()
  readings.set(slotOf(tenant, selection), { at: world.clock.monotonic(), reading })
  return reading
}

const slotOf = (tenant: string, selection: LayerSelection): string =>
  cacheKey(tenant, JSON.stringify(selection))
