/**
 * Counts the bytes of a response on their way in, after decompression: client libraries read a
 * whole response, or a whole event, before they parse it, so an endless peer would exhaust the
 * memory of the process. A stream of events may continue; there each event is counted separately.
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

/** The part that was too large, when that caused the error. */
export const oversizedIn = (error: unknown): Oversized | undefined =>
  causes(error).find((cause) => cause instanceof Oversized)

/** A limit as its readers find it. */
interface NamedLimit {
  readonly name: string
  readonly bytes: number
}

export const limit = (name: keyof typeof LIMITS): NamedLimit => ({ name, bytes: LIMITS[name] })

/** The sentence about an answer that exceeds a limit. */
export const overLimit = (subject: string, { name, bytes }: NamedLimit): string =>
  `${subject} ${bytes} bytes (limit ${name})`

export interface Bounds {
  /** The counted unit, for the sentence: `a message of the server`. */
  readonly what: string
  /** Bounds one event of a stream; the whole answer, where it is none. */
  readonly message: NamedLimit
  /** Bounds everything, a stream's too. */
  readonly total: NamedLimit
  /** Texts longer than this are cut inside a message, so that it stays readable. */
  readonly stringBytes?: number | undefined
  readonly holding: Holding
  /** Reading stops when it aborts, whatever the transport does. */
  readonly signal?: AbortSignal | null | undefined
  /** Called with each chunk. */
  readonly onBytes?: ((bytes: number) => void) | undefined
  /** Called once, when nothing more is read. */
  readonly onEnd?: (() => void) | undefined
}

/** The bytes of an answer before it has to share: most are whole by then, and wait for nothing. */
const FREE_BYTES = 131_072
/** The bytes read between two checks of the time then. */
const PIECE_BYTES = 16_384
/**
 * Bytes that are there already are read without a pause, megabytes of them before anything else of
 * this process has its turn. All long answers together hold the thread no longer than this.
 */
const slice = new TimeSlice(systemClock, 5)

/** The same answer; reading it fails with `Oversized` beyond a limit. */
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
  /** The next bytes; in pieces, once it shares: a chunk may hold thousands of events. */
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
    // The consent of the peer is not awaited.
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

/** The error after a chunk: so many bytes came, of which these are passed on. */
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

/** The largest size that an event has reached within the chunk. A blank line ends an event. */
function events(): Measure {
  let size = 0
  let line = 0
  let afterCr = false
  return (chunk) => {
    let largest = 0
    // By index: each byte of each model's answer comes by here.
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
