/**
 * Joins the small chunks of a chunked request body. A chunk costs several hundred bytes of memory,
 * however small it is, and Node would keep 65,000 chunks of one byte for a reader that is behind.
 */

import { IncomingMessage } from 'node:http'
import type { ArrivedChunks } from '../../http/request/body.ts'

/** Size in bytes from which a chunk is passed on alone. */
const SMALL = 1_024
/** Maximum number of chunks that are joined. */
const TOGETHER = 256

/** Request that joins the small chunks of its body that arrive in one turn of the event loop. */
export class JoinedRequest extends IncomingMessage {
  /** Chunks as the client sent them; they are not counted for a body of known length. */
  readonly arrived: ArrivedChunks = { chunks: 0, bytes: 0 }
  #small: Buffer[] = []
  #isDue = false

  /** Whether the body arrives in chunks, without a declared length. */
  get isChunked(): boolean {
    return 'transfer-encoding' in this.headers
  }

  override push(chunk: Buffer | null): boolean {
    if (!this.isChunked) return super.push(chunk)
    if (chunk === null || chunk.length >= SMALL) this.#flush()
    if (chunk === null) return super.push(null)
    this.arrived.chunks += 1
    this.arrived.bytes += chunk.length
    if (chunk.length >= SMALL) return super.push(chunk)
    this.#small.push(chunk)
    if (this.#small.length >= TOGETHER) return this.#flush()
    if (!this.#isDue) setImmediate(() => this.#flushLater())
    this.#isDue = true
    return true
  }

  #flushLater(): void {
    this.#isDue = false
    this.#flush()
  }

  #flush(): boolean {
    const small = this.#small
    if (small.length === 0 || this.destroyed) return true
    this.#small = []
    return super.push(small.length === 1 ? small[0] : Buffer.concat(small))
  }
}
