/**
 * Joins the small chunks of a chunked request body. A chunk costs several hundred bytes of memory,
 * however small it is, and Node would keep 65,000 chunks of one byte for a reader that is behind.
 */

import type { IncomingMessage } from 'node:http'
import type { ArrivedChunks } from '../../http/request/body.ts'

/** Size in bytes from which a chunk is passed on alone. */
const SMALL = 1_024
/** Maximum number of chunks that are joined. */
const TOGETHER = 256

/**
 * Joins the small chunks of a request that arrive in one turn of the event loop; call it before the
 * body arrives. Returns a count of the chunks as the client sent them, which grows as they arrive.
 */
export function joinSmallChunks(incoming: IncomingMessage): Readonly<ArrivedChunks> {
  const arrived = { chunks: 0, bytes: 0 }
  const push = incoming.push.bind(incoming)
  let small: Buffer[] = []
  let isDue = false
  const flush = (): boolean => {
    if (small.length === 0 || incoming.destroyed) return true
    const joined = small.length === 1 ? small[0] : Buffer.concat(small)
    small = []
    return push(joined)
  }
  const flushLater = (): void => {
    isDue = false
    flush()
  }
  incoming.push = (chunk: Buffer | null): boolean => {
    if (chunk === null || chunk.length >= SMALL) flush()
    if (chunk === null) return push(null)
    arrived.chunks += 1
    arrived.bytes += chunk.length
    if (chunk.length >= SMALL) return push(chunk)
    small.push(chunk)
    if (small.length >= TOGETHER) return flush()
    if (!isDue) setImmediate(flushLater)
    isDue = true
    return true
  }
  return arrived
}
