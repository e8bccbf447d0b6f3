/**
 * Compare and swap: read, write on condition, again after a conflict. Every such loop has a bound
 * and a pause, so that storage that refuses each write (a full disk, a throttled table) is an error
 * for the caller and not a process that spins.
 */

import { Unavailable } from '../../lib/unavailable.ts'
import type { World } from '../../ports/world.ts'

/** So many tries outlast any number of writers that live; what goes on failing is storage. */
const TRIES = 50
/** Writers that meet are done with each other after a few tries, which need no pause. */
const AT_ONCE = 32
/** After these, milliseconds: longer each time, up to half a second. */
const PAUSE_MS = 10
const PAUSE_MAX_MS = 500

/** The result of `attempt`, or undefined when it never settled; undefined from it means again. */
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

/** The same, where never settling is trouble: throws `Unavailable` (503 with `Retry-After`). */
export async function update<T>(
  world: Pick<World, 'clock'>,
  resource: string,
  attempt: (count: number) => Promise<T | undefined>,
): Promise<T> {
  const settled = await retry(world, TRIES, attempt)
  if (settled !== undefined) return settled
  throw new Unavailable(`${resource} could not be written in ${TRIES} tries`)
}
