/**
 * Handles a request whose client waits for the run, on platforms that bill the waiting time. The
 * first wake is handled in the same invocation, so the run starts without the queue. All further
 * wakes use the queue.
 */

import { dispatch } from '../../engine/dispatch.ts'
import { handOver } from '../../engine/partition/log.ts'
import type { Wake, World } from '../../ports/world.ts'

export interface Attendance {
  /** World of this invocation, including the time that the platform leaves to it. */
  readonly world: World
  /** Keeps the invocation alive until the pass has settled; the pass never rejects. */
  readonly hold: (pass: Promise<void>) => void
  readonly onError: (error: unknown, wake: Wake) => void
}

export function attendedWorld({ world, hold, onError }: Attendance): World {
  let isTaken = false
  return {
    ...world,
    queue: {
      async send(wakes, delayMs = 0) {
        const [wake] = wakes
        // A wake for a started partition is left to the queue, because the partition is already
        // handled or is woken for another reason.
        const isFirst = !isTaken && delayMs === 0 && wakes.length === 1 && !wake!.started
        if (!isFirst) return world.queue.send(wakes, delayMs)
        isTaken = true
        handOver(world.store, wake!.partition)
        hold(dispatch(world, wake!).catch((error: unknown) => onError(error, wake!)))
        return 'ok'
      },
    },
  }
}
