/** Provides real time and random bytes. */

import { randomFillSync } from 'node:crypto'
import type { Clock } from '../../ports/world.ts'

/**
 * Size of the random pool in bytes; requesting a few random bytes costs as much as requesting
 * thousands.
 */
const POOL = 4_096
const pool = new Uint8Array(POOL)
let used = POOL

/**
 * Maximum timer delay in milliseconds (31 bits); a timer with a longer delay would fire at once.
 */
const TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      let remaining = Math.max(0, ms)
      let timer: NodeJS.Timeout
      go()
      signal?.addEventListener('abort', end, { once: true })
      function go(): void {
        const part = Math.min(remaining, TIMER_MS)
        remaining -= part
        timer = setTimeout(remaining > 0 ? go : end, part)
      }
      function end(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
    }),
  random(bytes) {
    if (bytes > POOL) return randomFillSync(new Uint8Array(bytes))
    if (used + bytes > POOL) {
      randomFillSync(pool)
      used = 0
    }
    const result = pool.slice(used, used + bytes)
    // Used random bytes are cleared, so that later code cannot read them from memory.
    pool.fill(0, used, used + bytes)
    used += bytes
    return result
  },
}
