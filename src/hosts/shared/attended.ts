/**
 * A request that somebody waits for, on platforms that bill its wait: the first wake that it causes
 * is handled in the request's own invocation, so the run begins without a trip through the queue.
 * Everything after that goes by the queue as ever.
 */

import { dispatch } from '../../engine/dispatch.ts'
import type { Wake, World } from '../../ports/world.ts'

export interface Attendance {
  /** The world of this invocation: its times are those that the platform leaves it. */
  readonly world: World
  /** Takes the pass; the invocation must not end before it has settled. It never rejects. */
  readonly hold: (pass: Promise<void>) => void
  readonly onError: (error: unknown, wake: Wake) => void
}

export function attendedWorld({ world, hold, onError }: Attendance): World {
  let taken = false
  return {
    ...world,
    queue: {
      async send(wakes, delayMs = 0) {
        const [wake] = wakes
        // One that has started is somebody's already, or comes for a reason of its own.
        const isFirst = !taken && delayMs === 0 && wakes.length === 1 && !wake!.started
        if (!isFirst) return world.queue.send(wakes, delayMs)
        taken = true
        hold(dispatch(world, wake!).catch((error: unknown) => onError(error, wake!)))
        return 'ok'
      },
    },
  }
}
