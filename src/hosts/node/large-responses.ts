/**
 * Sends large response bodies in pieces. The copy of a megabyte to a socket takes a millisecond; a
 * hundred clients that request the same document at once would block the event loop for a tenth of
 * a second.
 */

import { type IncomingMessage, ServerResponse } from 'node:http'
import { TimeSlice } from '../../engine/layers/time-slice.ts'
import { systemClock } from '../shared/clock.ts'

/** Maximum size in bytes of a body that is sent at once, and the size of a piece. */
const PIECE = 65_536
/** Time in milliseconds after which the pieces of all responses yield to the event loop. */
const SLICE_MS = 5

const slice = new TimeSlice(systemClock, SLICE_MS)

type End = (...values: readonly unknown[]) => ServerResponse

/** Response whose `end` sends a large body of bytes in pieces, and waits for a slow reader. */
export class PiecedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override end(...values: readonly unknown[]): this {
    const [body] = values
    if (body instanceof Uint8Array && body.length > PIECE) void this.#endInPieces(body)
    else (super.end as End)(...values)
    return this
  }

  async #endInPieces(body: Uint8Array): Promise<void> {
    for (let at = 0; at < body.length && !this.destroyed; at += PIECE) {
      const piece = body.subarray(at, at + PIECE)
      // The client may disconnect during the pause.
      await slice.run(() => this.destroyed || this.write(piece))
      if (this.writableNeedDrain) await this.#drained()
    }
    if (!this.destroyed) super.end()
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        this.off('drain', settle)
        this.off('close', settle)
        resolve()
      }
      this.on('drain', settle)
      this.on('close', settle)
    })
  }
}
