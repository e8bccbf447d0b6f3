/**
 * Layers as they were a moment ago. A caller that only asks whether something exists (a parent that
 * starts many subagents) need not list the same layers again for each: a recent read may answer
 * yes, because the start of the run reads for itself; only a fresh read may answer no.
 */

import type { LayerSelection, Resolved } from '../../core/config/types.ts'
import type { Refusal } from '../../core/problem.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'
import { cacheKey } from './cache.ts'
import { resolveLayers } from './resolve.ts'

const RECENT_MS = 5_000
/** So many selections are remembered; one parent rarely has more than one. */
const MOST = 100

type Reading = Promise<Outcome<Resolved, Refusal>>
interface Taken {
  /** On the monotonic clock. */
  readonly at: number
  readonly reading: Reading
}

const readingsOf = processMemory('readings', () => new Map<string, Taken>())

/** The result of `accepts` for a recent listing, if that is not a refusal, else for a fresh one. */
export async function recentLayers<T>(
  world: World,
  tenant: string,
  selection: LayerSelection,
  accepts: (resolved: Resolved) => Promise<Outcome<T, string>>,
): Promise<Outcome<T, string>> {
  const { objects, clock } = world
  const known = readingsOf(objects)
  const key = cacheKey(tenant, JSON.stringify(selection))
  const judged = async (reading: Reading): Promise<Outcome<T, string>> => {
    const resolved = await reading
    if (resolved.ok) return accepts(resolved.value)
    return { ok: false, error: `${resolved.error.code}: ${resolved.error.detail}` }
  }
  const recent = known.get(key)
  if (recent && clock.monotonic() < recent.at + RECENT_MS) {
    const answer = await judged(recent.reading).catch(() => undefined)
    if (answer?.ok) return answer
  }
  const reading = resolveLayers(world, tenant, selection)
  if (known.size >= MOST) known.clear()
  known.set(key, { at: clock.monotonic(), reading })
  return judged(reading)
}
