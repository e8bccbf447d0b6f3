/**
 * Shares one thread between the runs of all tenants, or the requests of all keys. Under contention,
 * the heaviest user runs in slices, and others get the same amount of time after each slice. Heavy
 * runs of one tenant, or a loop of one key, therefore do not slow others. A single or light user is
 * never delayed.
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Pace } from '../../ports/world.ts'

/** Approximate period for which CPU usage is remembered, in milliseconds. */
const MEMORY_MS = 1_000
/**
 * Approximate number of characters processed per millisecond, used to convert text length to usage.
 */
const LENGTH_PER_UNIT = 20_000
/** Usage below which a user is never delayed, in units of about one millisecond. */
const LITTLE = 50
/**
 * Usage below which a tenant is no longer tracked; one slice decays to this value in about two
 * seconds.
 */
const IDLE_USE = 0.1
/**
 * Maximum number of delayed requests per user; further requests run at once to limit memory use.
 */
const HELD_REQUESTS = 64
/**
 * Maximum number of delayed requests per key. A request is delayed before its body is read, so it
 * occupies little more than a socket.
 */
export const HELD_OF_KEY = 2_000
/** Maximum pause after a slice, in milliseconds; a longer slice consisted mostly of waiting. */
const PAUSE_MAX_MS = 200

interface Share {
  used: number
  /** Monotonic time at which `used` was computed. */
  at: number
  /**
   * Delayed requests. They run before runs, because a request that cancels runs must not wait for
   * those runs.
   */
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

  /** Reports whether a share has the highest usage among several active shares. */
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
      // Yields to the event loop once the slice is over or must wait.
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
