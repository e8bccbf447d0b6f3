/**
 * Manual clock and seeded randomness for tests: tests set the time, and each run has the same
 * result.
 */

import type { Clock } from '../../ports/world.ts'

export interface MemoryClock extends Clock {
  /** Advances the clock and resolves expired sleeps in the order in which they expire. */
  advance(ms: number): void
  /** Sets the wall clock to a later or earlier time; the monotonic clock is unchanged. */
  set(now: number): void
  /** Returns the number of pending sleeps. */
  sleepers(): number
}

interface Sleeper {
  readonly until: number
  readonly end: () => void
}

export function memoryClock(start = 1_800_000_000_000, seed = 1): MemoryClock {
  const sleepers = new Set<Sleeper>()
  const next = chance(seed)
  let now = start
  let monotonic = 0

  return {
    now: () => now,
    monotonic: () => monotonic,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve()
        const sleeper = { until: monotonic + ms, end }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', end, { once: true })
        function end(): void {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', end)
          resolve()
        }
      }),
    random: (bytes) => Uint8Array.from({ length: bytes }, next),
    advance(ms) {
      now += ms
      monotonic += ms
      const over = [...sleepers].filter(({ until }) => until <= monotonic)
      for (const { end } of over.sort((left, right) => left.until - right.until)) end()
    },
    set(value) {
      now = value
    },
    sleepers: () => sleepers.size,
  }
}

/** Returns a seeded random generator (mulberry32), a well-mixed generator with 32 bits of state. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 24) & 0xff
  }
}
