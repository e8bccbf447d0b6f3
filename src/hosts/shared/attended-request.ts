/**
 * A request whose client waits, on platforms that bill the wait: the first wake that it causes is
 * handled in the invocation of the request, so the run starts without a trip through the queue.
 * Everything after that uses the queue as usual.
 */

import { dispatch } from '../../engine/dispatch.ts'
import { handOver } from '../../engine/partition/log.ts'
import type { Wake, World } from '../../ports/world.ts'

export interface Attendance {
  /** The world of this invocation: its times are those that the platform leaves it. */
  readonly world: World
  /** Takes the pass; the invocation must not end before it has settled. It never rejects. */
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
        // A started partition is held already, or comes for another reason.
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
