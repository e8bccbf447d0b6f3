/**
 * Counts failed sign-ins per client address and minute in this process. Behind a proxy that hides
 * client addresses, all clients count as one.
 */

import { LIMITS } from '../../core/limits.ts'
import { refusal } from '../../core/problem.ts'
import { processMemory } from '../../engine/partition/process.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import type { World } from '../../ports/world.ts'
import { RequestRefused } from './problem.ts'

const WINDOW_MS = 60_000

interface Failures {
  count: number
  /** Start of the counting interval on the monotonic clock. */
  readonly since: number
}
const failuresOf = processMemory('signIns', () => boundedCache<Failures>(10_000))

type Attempted = Pick<World, 'store' | 'clock'>

/** Throws a 429 rejection if an address has too many failed sign-ins. */
export function checkAttempts(world: Attempted, address: string): void {
  const failures = failuresOf(world.store).get(address)
  const remainingMs = failures ? failures.since + WINDOW_MS - world.clock.monotonic() : 0
  if (!failures || remainingMs <= 0 || failures.count < LIMITS.sign_in_failures) return
  const seconds = Math.ceil(remainingMs / 1_000)
  const detail = `Too many failed sign-ins from this address; retry in ${seconds} s.`
  throw new RequestRefused(refusal('rate_limited', detail), { 'retry-after': String(seconds) })
}

export function countFailure(world: Attempted, address: string): void {
  const all = failuresOf(world.store)
  const now = world.clock.monotonic()
  const failures = all.get(address)
  if (failures && now - failures.since < WINDOW_MS) failures.count += 1
  else all.set(address, { count: 1, since: now })
}
