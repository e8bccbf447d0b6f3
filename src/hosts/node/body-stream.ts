/**
 * The body of a response as a web stream. Node's own adapter throws uncatchably when a reader gives
 * up just as the body is to flow again, which a server can provoke and which ends the process: a
 * finished stream ignores everything that still arrives here.
 */

import type { Readable } from 'node:stream'

/** A body that has everything at hand is not read to its end in one turn. */
const TURN_BYTES = 262_144

/**
 * The bytes as they come; the reader's pace is the socket's. What arrives in one turn of the event
 * loop is one chunk: each passes several streams of the SDK, which costs more than reading it.
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
      // A reader sees the error; without a reader it must not crash the process.
      body.on('error', fail)
      body.once('close', () => fail(new Error('the connection was closed during the response')))
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
