/** Real time and real chance. */

import { randomFillSync } from 'node:crypto'
import type { Clock } from '../../ports/world.ts'

/** Chance is fetched by the page: a call for a few bytes costs as much as one for thousands. */
const POOL = 4_096
const pool = new Uint8Array(POOL)
let used = POOL

/** A timer holds 31 bits of milliseconds; a longer one would end at once. */
const TIMER_MS = 2 ** 31 - 1

function after(ms: number, run: () => void): () => void {
  let left = Math.max(0, ms)
  let timer: NodeJS.Timeout
  go()
  return () => clearTimeout(timer)
  function go(): void {
    const part = Math.min(left, TIMER_MS)
    left -= part
    timer = setTimeout(left > 0 ? go : run, part)
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const cancel = after(ms, end)
      signal?.addEventListener('abort', end, { once: true })
      function end(): void {
        cancel()
        signal?.removeEventListener('abort', end)
        resolve()
      }
    }),
  after,
  random(bytes) {
    if (bytes > POOL) return randomFillSync(new Uint8Array(bytes))
    if (used + bytes > POOL) {
      randomFillSync(pool)
      used = 0
    }
    const taken = pool.slice(used, used + bytes)
    // What was given away must not be found in memory by whoever gets the pool next.
    pool.fill(0, used, used + bytes)
    used += bytes
    return taken
  },
}
