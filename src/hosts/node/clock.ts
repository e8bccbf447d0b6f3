/** Real time and real chance. */

import { randomBytes } from 'node:crypto'
import type { Clock } from '../../ports/world.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end, { once: true })
      function end(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
    }),
  random: (bytes) => new Uint8Array(randomBytes(bytes)),
}
