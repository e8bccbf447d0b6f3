/**
 * Sends large response bodies in pieces. The copy of a megabyte to a socket takes a millisecond; a
 * hundred clients that request the same document at once would block the event loop for a tenth of
 * a second.
 */

import type { ServerResponse } from 'node:http'
import { TimeSlice } from '../../engine/layers/time-slice.ts'
import { systemClock } from '../shared/clock.ts'

/** Maximum size in bytes of a body that is sent at once, and the size of a piece. */
const PIECE = 65_536
/** Time in milliseconds after which the pieces of all responses yield to the event loop. */
const SLICE_MS = 5

const slice = new TimeSlice(systemClock, SLICE_MS)

/** Makes `end` of a response send a large body of bytes in pieces, and wait for a slow reader. */
export function sendInPieces(outgoing: ServerResponse): void {
  const end = outgoing.end.bind(outgoing) as (body?: unknown) => ServerResponse
  outgoing.end = (body?: unknown): ServerResponse => {
    if (!(body instanceof Uint8Array) || body.length <= PIECE) return end(body)
    void writePieces(outgoing, body, end)
    return outgoing
  }
}

async function writePieces(
  outgoing: ServerResponse,
  body: Uint8Array,
  end: () => unknown,
): Promise<void> {
  for (let at = 0; at < body.length && !outgoing.destroyed; at += PIECE) {
    const piece = body.subarray(at, at + PIECE)
    // The client may disconnect during the pause.
    await slice.run(() => outgoing.destroyed || outgoing.write(piece))
    if (outgoing.writableNeedDrain) await drained(outgoing)
  }
  if (!outgoing.destroyed) end()
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      outgoing.off('drain', settle)
      outgoing.off('close', settle)
      resolve()
    }
    outgoing.on('drain', settle)
    outgoing.on('close', settle)
  })
}
