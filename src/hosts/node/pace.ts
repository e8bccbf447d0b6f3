/**
 * Shares one thread between the runs of all tenants, or the requests of all keys. While several are
 * at work, the heaviest goes on piece by piece, and after each piece the others have the thread for
 * as long as it took: a hundred heavy runs of one tenant do not slow the short run of another, nor
 * does a loop of one key. A tenant or key that is alone, or takes little, is never held up.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Pace } from '../../ports/world.ts'

/** Usage counts for about so long (milliseconds). */
const MEMORY_MS = 1_000
/** About the characters that are read or written in a millisecond. */
const LENGTH_PER_UNIT = 20_000
/** Units (about milliseconds) within that memory below which a name is never held back. */
const LITTLE = 50
/** A tenant below this has gone: one piece is forgotten after some two seconds. */
const IDLE_USE = 0.1
/** Requests of one name that are held back; more run at once, which bounds the memory they use. */
const HELD_REQUESTS = 64
/** Per key. A request is held before its body is read, so it is little more than its socket. */
export const HELD_OF_KEY = 2_000
/** A piece that took longer has mostly waited for something itself (milliseconds). */
const PAUSE_MAX_MS = 200

interface Share {
  used: number
  /** When `used` was right, on the monotonic clock. */
  at: number
  /** Requests go first: a request that cancels runs must not wait behind them. */
  readonly requests: (() => void)[]
  readonly pieces: (() => void)[]
  busy: boolean
}

const newShare = (at: number): Share => ({ used: 0, at, requests: [], pieces: [], busy: false })
const nextOf = ({ requests, pieces }: Share) => requests.shift() ?? pieces.shift()

export function fairPace(
  now: () => number = () => performance.now(),
  pause: (ms: number) => Promise<unknown> = sleep,
  maxHeld = HELD_REQUESTS,
): Pace {
  const shares = new Map<string, Share>()

  const usedBy = (share: Share): number => share.used * Math.exp(-(now() - share.at) / MEMORY_MS)

  /** Whether it takes more than any other, and there is another. */
  const takesMost = (share: Share): boolean => {
    const used = usedBy(share)
    if (used < LITTLE) return false
    let hasOthers = false
    for (const [name, other] of shares) {
      if (other === share) continue
      const its = usedBy(other)
      if (its > used) return false
      if (its >= IDLE_USE) hasOthers = true
      else if (!other.busy) shares.delete(name)
    }
    return hasOthers
  }

  const serve = async (share: Share): Promise<void> => {
    share.busy = true
    for (let next = nextOf(share); next; next = nextOf(share)) {
      const began = now()
      next()
      // The piece is done, or waits for something: only then does the loop go round.
      await nextTurn()
      if (takesMost(share)) await pause(Math.min(now() - began, PAUSE_MAX_MS))
    }
    share.busy = false
  }

  return {
    turn(name, { length = 0, isRequest = false } = {}) {
      const share = shares.get(name) ?? newShare(now())
      shares.set(name, share)
      share.used = usedBy(share) + 1 + length / LENGTH_PER_UNIT
      share.at = now()
      if (!share.busy && !takesMost(share)) return undefined
      if (isRequest && share.requests.length >= maxHeld) return undefined
      return new Promise((resolve) => {
        ;(isRequest ? share.requests : share.pieces).push(resolve)
        if (!share.busy) void serve(share)
      })
    },
  }
}
