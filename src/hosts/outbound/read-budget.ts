/**
 * Limits the memory that all outbound exchanges of a process use for unprocessed bytes. Each
 * exchange has a small allowance, so a flood from one peer never blocks small responses from
 * others. Beyond the allowance, all exchanges share one budget. An exchange that finds the budget
 * empty fails and may be retried.
 */

import { LIMITS } from '../../core/limits.ts'

/** Number of bytes that each exchange may buffer without using the shared budget. */
const FREE_BYTES = 65_536

export const EXHAUSTED = 'too many responses from other servers are being read; retry later'

export class ReadBudget {
  #bytesLeft: number

  constructor(bytes: number) {
    this.#bytesLeft = bytes
  }

  get bytesLeft(): number {
    return this.#bytesLeft
  }

  /** Starts counting the buffered bytes of one exchange. */
  open(): Holding {
    let heldBytes = 0
    let released = false
    return {
      hold: (bytes) => {
        // Late data of an abandoned exchange must not occupy memory forever.
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
  /**
   * Sets the total number of bytes that the exchange buffers; returns false if the budget is
   * exhausted.
   */
  hold(bytes: number): boolean
  /** Releases all bytes of the exchange and rejects further bytes. */
  release(): void
}

/** Shared read budget of all outbound exchanges of this process. */
export const readBudget = new ReadBudget(LIMITS.outbound_buffered_bytes)
