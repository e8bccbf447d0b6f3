/**
 * Compare-and-swap: reads, writes conditionally, and retries after a conflict. Every such loop has
 * a bound and a backoff, so that storage that refuses all writes (a full disk, a throttled table)
 * is an error for the caller and not a busy loop.
 */

import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'

/** Attempts; they outlast any number of live writers, so continued failure is storage's. */
const TRIES = 50
/** Attempts without a pause, which resolve most conflicts between writers. */
const AT_ONCE = 32
/** Backoff after these attempts in milliseconds, growing to half a second. */
const PAUSE_MS = 10
const PAUSE_MAX_MS = 500

/**
 * Returns the result of `attempt`, which is retried on undefined; undefined when it never settled.
 */
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

/** Retries likewise, but throws `Unavailable` (503 with `Retry-After`) when it never settles. */
export async function update<T>(
  world: Pick<World, 'clock'>,
  resource: string,
  attempt: (count: number) => Promise<T | undefined>,
): Promise<T> {
  const settled = await retry(world, TRIES, attempt)
  if (settled !== undefined) return settled
  throw new Unavailable(`${resource} could not be written in ${TRIES} tries`)
}
