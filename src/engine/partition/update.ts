/**
 * Compare-and-swap: reads, writes conditionally, and retries after a conflict. Each loop has a
 * limit and a backoff. Storage that refuses all writes (a full disk, a throttled table) is
 * therefore an error for the caller instead of a busy loop.
 */

import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'

/**
 * Maximum attempts; enough for any number of active writers, so further failure is a storage fault.
 */
const TRIES = 50
/** Number of attempts without a pause, which resolve most conflicts between writers. */
const AT_ONCE = 32
/** Initial backoff after these attempts in milliseconds, growing to half a second. */
const PAUSE_MS = 10
const PAUSE_MAX_MS = 500

/** Retries `attempt` while it returns undefined; returns undefined when no attempt succeeded. */
export async function retry<T>(
  world: Pick<World, 'clock'>,
  tries: number,
  attempt: (count: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (let count = 0; count < tries; count += 1) {
    const pause = Math.min(PAUSE_MAX_MS, PAUSE_MS * (count - AT_ONCE))
    if (pause > 0) await world.clock.sleep(pause)
    const settled = await attempt(count)
    if (settled !== undefined) return settled
  }
  return undefined
}

/**
 * Retries in the same way, but throws `Unavailable` (503 with `Retry-After`) when no attempt
 * succeeds.
 */
export async function update<T>(
  world: Pick<World, 'clock'>,
  resource: string,
  attempt: (count: number) => Promise<T | undefined>,
): Promise<T> {
  const settled = await retry(world, TRIES, attempt)
  if (settled !== undefined) return settled
  throw new Unavailable(`${resource} could not be written in ${TRIES} attempts`)
}
