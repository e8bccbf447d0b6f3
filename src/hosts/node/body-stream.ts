/**
 * Converts a response body to a web stream. Node's adapter throws an uncatchable error if a reader
 * cancels just before the body resumes; a remote server could thereby end the process. This stream
 * ignores data that arrives after its end.
 */

import type { Readable } from 'node:stream'

/** Maximum number of bytes read per turn of the event loop, even if the whole body is available. */
const TURN_BYTES = 262_144

/**
 * Streams a response body with backpressure to the socket. Chunks of one turn of the event loop are
 * joined, because passing a chunk through the SDK's streams costs more than reading it.
 */
export function bodyStream(body: Readable): ReadableStream<Uint8Array> {
  let arrived: Buffer[] = []
  let size = 0
  let over = false
  const end = (): boolean => {
    if (over) return false
    over = true
    arrived = []
    return true
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const pass = (): void => {
        if (over || arrived.length === 0) return
        controller.enqueue(arrived.length === 1 ? arrived[0]! : Buffer.concat(arrived))
        arrived = []
        size = 0
        if ((controller.desiredSize ?? 1) <= 0) body.pause()
      }
      body.on('data', (chunk: Buffer) => {
        if (over) return
        size += chunk.length
        if (size >= TURN_BYTES) body.pause()
        if (arrived.push(chunk) === 1) setImmediate(pass)
      })
      const fail = (error: Error): void => {
        if (end()) controller.error(error)
      }
      body.once('end', () => {
        pass()
        if (end()) controller.close()
      })
      // Reports a body error to the stream's reader; without a reader, the error must not crash the
      // process.
      body.on('error', fail)
      body.once('close', () => {
        if (!over) fail(new Error('the connection was closed during the response'))
      })
    },
    pull() {
      if (!over) body.resume()
    },
    cancel() {
      end()
      body.destroy()
    },
  })
}
