/**
 * Shares one thread between the runs of all tenants. While several are at work, the heaviest goes
 * on piece by piece, and after each piece the others have the thread for as long as it took: a
 * hundred heavy runs of one tenant do not slow the short run of another. A tenant that is alone, or
 * takes little, is never held up.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Pace } from '../../ports/world.ts'

/** Usage counts for about so long (milliseconds). */
const MEMORY_MS = 1_000
/** About the characters that are read or written in a millisecond. */
const LENGTH_PER_UNIT = 20_000
/** Units (about milliseconds) within that memory: who uses less takes nothing from anybody. */
const LITTLE = 50
/** A tenant that has begun nothing for so long has gone, however much it took before. */
const GONE_MS = 2_000
/** Requests of one tenant that are held up; more go on at once, so that nobody fills the memory. */
const HELD_REQUESTS = 64
/** A piece that took longer has mostly waited for something itself (milliseconds). */
const PAUSE_MAX_MS = 200
/** Shorter pauses are made together: a timer of a fraction of a millisecond takes a whole one. */
const PAUSE_LEAST_MS = 2

interface Share {
  used: number
  /** When `used` was right, on the monotonic clock. */
  at: number
  /** Requests go first: who stops his runs must not wait behind them. */
  readonly requests: (() => void)[]
  readonly pieces: (() => void)[]
  busy: boolean
  /** The pause that its pieces have added up to (milliseconds). */
  pauseMs: number
}

const newShare = (at: number): Share => ({
  used: 0,
  at,
  requests: [],
  pieces: [],
  busy: false,
  pauseMs: 0,
})
const nextOf = ({ requests, pieces }: Share) => requests.shift() ?? pieces.shift()

export function tenantPace(
  now: () => number = () => performance.now(),
  pause: (ms: number) => Promise<unknown> = sleep,
): Pace {
  const shares = new Map<string, Share>()

  const usedBy = (share: Share): number => share.used * Math.exp(-(now() - share.at) / MEMORY_MS)

  /** Whether it takes more than any other, and there is another. */
  const takesMost = (share: Share): boolean => {
    const used = usedBy(share)
    if (used < LITTLE) return false
    let others = false
    for (const [tenant, other] of shares) {
      if (other === share) continue
      if (!other.busy && now() - other.at >= GONE_MS) shares.delete(tenant)
      else if (usedBy(other) > used) return false
      else others = true
    }
    return others
  }

  const serve = async (share: Share): Promise<void> => {
    share.busy = true
    for (let next = nextOf(share); next; next = nextOf(share)) {
      const began = now()
      next()
      // The piece is done, or waits for something: only then does the loop go round.
      await nextTurn()
      share.pauseMs = takesMost(share) ? share.pauseMs + Math.min(now() - began, PAUSE_MAX_MS) : 0
      if (share.pauseMs < PAUSE_LEAST_MS) continue
      await pause(share.pauseMs)
      share.pauseMs = 0
    }
    share.busy = false
  }

  return {
    turn(tenant, { length = 0, isRequest = false } = {}) {
      const share = shares.get(tenant) ?? newShare(now())
      shares.set(tenant, share)
      share.used = usedBy(share) + 1 + length / LENGTH_PER_UNIT
      share.at = now()
      if (!share.busy && !takesMost(share)) return undefined
      if (isRequest && share.requests.length >= HELD_REQUESTS) return undefined
      return new Promise((resolve) => {
        ;(isRequest ? share.requests : share.pieces).push(resolve)
        if (!share.busy) void serve(share)
      })
    },
  }
}
