/**
 * The memory that all outbound exchanges of a process together may fill with bytes read and not yet
 * passed on. Each has a little for itself, so that one peer's flood never stops the small answers
 * of others; beyond that all draw on one budget, and an exchange that finds it empty gives up in a
 * way that may be tried again.
 */

import { LIMITS } from '../../core/limits.ts'

/** The bytes that each exchange may hold without asking. */
const FREE_BYTES = 65_536

export const EXHAUSTED = 'too many responses of other servers are being read; retry later'

export class ReadBudget {
  #bytesLeft: number

  constructor(bytes: number) {
    this.#bytesLeft = bytes
  }

  get bytesLeft(): number {
    return this.#bytesLeft
  }

  /** The holdings of one exchange. */
  open(): Holding {
    let heldBytes = 0
    let released = false
    return {
      hold: (bytes) => {
        // What still comes of an exchange that was given up must not hold anything for ever.
        if (released) return false
        const needed = Math.max(0, bytes - FREE_BYTES)
        if (needed - heldBytes > this.#bytesLeft) return false
        this.#bytesLeft -= needed - heldBytes
        heldBytes = needed
        return true
      },
      release: () => {
        this.#bytesLeft += heldBytes
        heldBytes = 0
        released = true
      },
    }
  }
}

export interface Holding {
  /** Says how much is held now, in all; false when there is no room for it. */
  hold(bytes: number): boolean
  /** Nothing is held any more, nor can be. */
  release(): void
}

/** The one of this process. */
export const readBudget = new ReadBudget(LIMITS.outbound_buffered_bytes)
