/** Queue without automatic delivery: a test takes the wakes and decides their outcome. */

import type { Clock, Queue, Wake } from '../../ports/world.ts'

export interface MemoryQueue extends Queue {
  /** Removes the due wakes from the queue and returns them, earliest first. */
  take(): Wake[]
  /** Returns the clock time of the next wake, in milliseconds; undefined if no wake is queued. */
  nextAt(): number | undefined
}

export function memoryQueue(clock: Pick<Clock, 'now'>): MemoryQueue {
  let queued: { readonly at: number; readonly wake: Wake }[] = []
  return {
    async send(wakes, delayMs = 0) {
      const at = clock.now() + delayMs
      queued.push(...wakes.map((wake) => ({ at, wake })))
      return 'ok'
    },
    take() {
      const now = clock.now()
      const over = queued.filter(({ at }) => at <= now)
      queued = queued.filter(({ at }) => at > now)
      return over.sort((left, right) => left.at - right.at).map(({ wake }) => wake)
    },
    nextAt() {
      return queued.length > 0 ? Math.min(...queued.map(({ at }) => at)) : undefined
    },
  }
}
