/** Summaries of resolved configs by digest, stored at a run's start or a resolve request. */

import { type Summary, summaryOf } from '../../core/config/layer/summary.ts'
import type { Resolved } from '../../core/config/types.ts'
import { decode, encode } from '../../lib/bytes.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import type { World } from '../../ports/world.ts'
import { summaryObject } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'

/** Digests of summaries that this process has already stored, per bucket. */
const storedOf = processMemory('summaries', () => boundedCache<true>(2_000))

/** Stores a config summary (best effort). Only a diff by digest needs the summary. */
export async function keepSummary(world: World, tenant: string, resolved: Resolved): Promise<void> {
  const storedKeys = storedOf(world.objects)
  const key = summaryObject(tenant, resolved.digest)
  if (storedKeys.has(key)) return
  try {
    // Most summaries are already stored, and a read costs a tenth of a write.
    if ((await world.objects.get(key)) === null)
      await world.objects.put(key, encode(JSON.stringify(summaryOf(resolved))), 'absent')
    storedKeys.set(key, true)
  } catch {
    // The run does not depend on the config summary.
  }
}

export async function readSummary(
  world: World,
  tenant: string,
  digest: string,
): Promise<Summary | undefined> {
  const object = await world.objects.get(summaryObject(tenant, digest))
  return object === null ? undefined : (JSON.parse(decode(object.body)) as Summary)
}
