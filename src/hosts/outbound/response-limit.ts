/**
 * Counts incoming response bytes after decompression. Client libraries read a whole response, or a
 * whole event, before parsing, so an endless response would exhaust the memory. An event stream may
 * continue indefinitely, because each event is counted separately.
 */

import { LIMITS } from '../../core/limits.ts'
import { TimeSlice } from '../../engine/layers/time-slice.ts'
import { cutStrings } from '../mcp/string-cutter.ts'
import { systemClock } from '../shared/clock.ts'
import { causes } from './fetch.ts'
import { EXHAUSTED, type Holding } from './read-budget.ts'

export class Oversized extends Error {
  override readonly name = 'Oversized'
}

/** Returns the `Oversized` error among the error's causes, if any. */
export const oversizedIn = (error: unknown): Oversized | undefined =>
  causes(error).find((cause) => cause instanceof Oversized)

/** Size limit in bytes, with the name under which users can find it. */
interface NamedLimit {
  readonly name: string
  readonly bytes: number
}

export const limit = (name: keyof typeof LIMITS): NamedLimit => ({ name, bytes: LIMITS[name] })

/** Builds the error sentence for a response that exceeds a limit. */
export const overLimit = (subject: string, { name, bytes }: NamedLimit): string =>
  `${subject} ${bytes} bytes (limit ${name})`

export interface Bounds {
  /** Subject of the error sentence, for example `a message of the server`. */
  readonly what: string
  /** Size limit of one stream event, or of a response without events. */
  readonly message: NamedLimit
  /** Size limit of the whole response, including all events of a stream. */
  readonly total: NamedLimit
  /**
   * Maximum length of strings inside a message; longer strings are truncated so that the message
   * stays readable.
   */
  readonly stringBytes?: number | undefined
  readonly holding: Holding
  /** Signal that stops reading, even if the transport ignores the abort. */
  readonly signal?: AbortSignal | null | undefined
  /** Called with the size of each received chunk, in bytes. */
  readonly onBytes?: ((bytes: number) => void) | undefined
  /** Called once when reading of the response ends. */
  readonly onEnd?: (() => void) | undefined
}

/**
 * Number of bytes that a response reads before it shares the thread; most responses are shorter and
 * never wait.
 */
const FREE_BYTES = 131_072
/** Number of response bytes read between two checks of the time slice. */
const PIECE_BYTES = 16_384
/**
 * Time slice shared by all long responses, in milliseconds. Buffered bytes would otherwise be read
 * without a pause, and megabytes would block the thread.
 */
const slice = new TimeSlice(systemClock, 5)

/** Wraps a response so that reading beyond a size limit fails with `Oversized`. */
export function boundedAnswer(response: Response, bounds: Bounds): Response {
  const { body, status, statusText, headers } = response
  if (body === null) {
    end(bounds)
    return response
  }
  const type = headers.get('content-type') ?? ''
  const isStream = /^\s*text\/event-stream\b/i.test(type)
  return new Response(countedBody(body, bounds, isStream), { status, statusText, headers })
}

function end({ holding, onEnd }: Bounds): void {
  holding.release()
  onEnd?.()
}

function countedBody(
  body: ReadableStream<Uint8Array>,
  bounds: Bounds,
  isStream: boolean,
): ReadableStream<Uint8Array> {
  const { signal } = bounds
  const reader = body.getReader()
  const judge = judging(bounds, isStream)
  const cutter = bounds.stringBytes === undefined ? undefined : cutStrings(bounds.stringBytes)
  let over = false
  let came = 0
  let waiting: Uint8Array | undefined
  /**
   * Reads the next response bytes, in slices once the response shares the thread, because a chunk
   * may contain thousands of events.
   */
  const next = async (): Promise<{ done: boolean; value?: Uint8Array | undefined }> => {
    if (came <= FREE_BYTES) return reader.read()
    await slice.run(() => {})
    const { done, value } = waiting ? { done: false, value: waiting } : await reader.read()
    waiting = value && value.length > PIECE_BYTES ? value.subarray(PIECE_BYTES) : undefined
    return { done, value: value?.subarray(0, PIECE_BYTES) }
  }
  const finish = (): boolean => {
    if (over) return false
    over = true
    signal?.removeEventListener('abort', stop)
    end(bounds)
    return true
  }
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const fail = (error: unknown): void => {
    if (!finish()) return
    // The cancellation is not awaited, because the peer may never confirm it.
    reader.cancel().catch(() => {})
    controller?.error(error)
  }
  const stop = (): void => fail(signal?.reason)
  return new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
        if (signal?.aborted) stop()
        else signal?.addEventListener('abort', stop, { once: true })
      },
      async pull(opened) {
        try {
          for (;;) {
            const { done, value } = await next()
            if (over) return
            if (done || !value) {
              finish()
              return opened.close()
            }
            came += value.length
            const passed = cutter ? cutter(value) : value
            const wrong = judge(value.length, passed)
            if (wrong !== undefined) return fail(new Oversized(wrong))
            bounds.onBytes?.(value.length)
            if (passed.length > 0) return opened.enqueue(passed)
          }
        } catch (error) {
          fail(error)
        }
      },
      cancel(reason) {
        finish()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Returns a function that checks the limits after each chunk, given the bytes received and passed
 * on, and returns the error, if any.
 */
function judging({ what: subject, message, total, holding }: Bounds, isStream: boolean) {
  const measure = isStream ? events() : bodySize()
  let all = 0
  return (came: number, passed: Uint8Array): string | undefined => {
    all += came
    const size = measure(passed)
    if (size > message.bytes) return overLimit(`${subject} exceeds`, message)
    if (all > total.bytes) return overLimit(`${subject} exceeds`, total)
    return holding.hold(size) ? undefined : EXHAUSTED
  }
}

type Measure = (chunk: Uint8Array) => number

function bodySize(): Measure {
  let size = 0
  return (chunk) => {
    size += chunk.length
    return size
  }
}

const LF = 10
const CR = 13

/** Measures the size of the largest event within a chunk. A blank line ends an event. */
function events(): Measure {
  let size = 0
  let line = 0
  let afterCr = false
  return (chunk) => {
    let largest = 0
    // Indexed loop for speed, because every byte of every model response passes through.
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
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
