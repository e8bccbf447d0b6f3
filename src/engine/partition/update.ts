/**
 * Compare-and-swap: reads, writes conditionally, and retries after a conflict. Each loop has a
 * limit and a backoff. Storage that rejects all writes (a full disk, a throttled table) therefore
 * causes an error for the caller instead of a busy loop.
 */

import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'

/**
 * Maximum number of attempts. It is enough for any number of active writers, so further failure is
 * a storage fault.
 */
const TRIES = 50
/** Number of attempts without a pause. They resolve most conflicts between writers. */
const AT_ONCE = 32
/** Initial backoff after the attempts without a pause, in milliseconds; grows to half a second. */
const PAUSE_MS = 10
const PAUSE_MAX_MS = 500

/** Retries `attempt` while it returns undefined. Returns undefined if no attempt succeeded. */
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
 * Retries like `retry`, but throws `Unavailable` (503 with `Retry-After`) if no attempt succeeds.
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
