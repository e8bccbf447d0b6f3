/**
 * How much one message of an MCP server may hold. The client's library reads a whole answer before
 * it looks at it, so a server that never stops would take the memory of everybody: the bytes are
 * counted on their way in, after decompression. A stream of events may live for ever; there each
 * event is counted by itself.
 */

import { causes } from './fetch.ts'

/** A tool's result of 40 MB is cut for the model later; what is larger is no message. */
export const MESSAGE_BYTES = 48 * 1024 * 1024

export class Oversized extends Error {
  override readonly name = 'Oversized'
}

/** What was too large, when that caused the error. */
export const oversizedIn = (error: unknown): Oversized | undefined =>
  causes(error).find((one) => one instanceof Oversized)

const LF = 10
const CR = 13

/** The same answer; reading it fails with `Oversized` beyond the limit. */
export function boundedAnswer(response: Response, limit = MESSAGE_BYTES): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const type = headers.get('content-type') ?? ''
  const measure = /^\s*text\/event-stream\b/i.test(type) ? events() : total()
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (measure(chunk) <= limit) controller.enqueue(chunk)
      else controller.error(new Oversized(`a message of the server is larger than ${limit} bytes`))
    },
  })
  return new Response(body.pipeThrough(counted), { status, statusText, headers })
}

type Measure = (chunk: Uint8Array) => number

function total(): Measure {
  let size = 0
  return (chunk) => {
    size += chunk.length
    return size
  }
}

/** The largest size that an event has reached within the chunk. A blank line ends an event. */
function events(): Measure {
  let size = 0
  let line = 0
  let afterCr = false
  return (chunk) => {
    let largest = 0
    for (const byte of chunk) {
      size += 1
      if (size > largest) largest = size
      if (byte === CR || (byte === LF && !afterCr)) {
        if (line === 0) size = 0
        line = 0
      } else if (byte !== LF) line += 1
      afterCr = byte === CR
    }
    return largest
  }
}
