/**
 * Reads the body of a provider's response event by event, in any form: server-sent events, JSON
 * lines between them, one JSON document, or an HTML page.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html (read 2026-11-28).
 */

import { createParser, type ParseError } from 'eventsource-parser'
import { LIMITS } from '../../../core/limits.ts'
import { TimeSlice } from '../../../engine/layers/time-slice.ts'
import { parseWithRaw } from '../../../lib/exact-json.ts'
import { EXHAUSTED, type Holding, readBudget } from '../../outbound/read-budget.ts'
import { limit, Oversized, overLimit } from '../../outbound/response-limit.ts'
import { systemClock } from '../../shared/clock.ts'
import type { AnswerBuilder } from '../answer.ts'
import type { ModelExchange } from '../exchange.ts'
import { isRecord, type JsonObject } from './json.ts'
import { ProviderError } from './provider-error.ts'

/** Reader of one answer in a provider's dialect. */
export abstract class EventReader {
  protected readonly answer: AnswerBuilder
  isDone = false

  constructor(answer: AnswerBuilder) {
    this.answer = answer
  }

  /** Whether the model has finished its answer; usage may follow. */
  abstract readonly isFinished: boolean

  /** Processes one event of the stream; `name` is the event type from the `event:` line. */
  abstract take(event: JsonObject, name: string | undefined): void

  /** Processes the end of the stream. */
  abstract end(): void

  /** Number of bytes kept for the answer. */
  get bytes(): number {
    return this.answer.bytes
  }

  /** Records a repair or an omission in the stream, as a short phrase for the log. */
  mend(phrase: string): void {
    this.answer.mend(phrase)
  }

  /** Records that the server marked the end of the stream. */
  close(): void {
    this.isDone = true
  }

  /** Records an error, unless the answer is already finished. */
  protected fail(error: unknown): void {
    if (this.isFinished) this.mend('omitted an error after the end of the answer')
    else this.answer.fail(error)
  }
}

/** Number of bytes read without a pause; above this threshold, the stream yields the thread. */
const FREE_BYTES = 131_072
const PIECE_BYTES = 16_384
const slice = new TimeSlice(systemClock, 5)
const SUBJECT = "the model's response"
/** Marker that ends a stream of server-sent events. */
const END = '[DONE]'

/** Reads a response body until the answer is complete. Throws connection and limit errors. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  reader: EventReader,
  exchange: ModelExchange,
): Promise<void> {
  const holding = readBudget.open()
  const stream = body.getReader()
  const { signal } = exchange.deadline
  const stop = (): void => void stream.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  const feed = new Feed(reader, holding)
  let isOver = false
  try {
    isOver = await readAll(stream, feed, reader, exchange)
    if (isOver) feed.end()
  } catch (error) {
    signal.throwIfAborted()
    if (!reader.isFinished || error instanceof Oversized) throw error
    reader.mend('the connection was lost after the end of the answer')
  } finally {
    signal.removeEventListener('abort', stop)
    holding.release()
    if (!isOver) stop()
  }
}

/** Reads the response body; returns whether its end was reached. */
async function readAll(
  stream: ReadableStreamDefaultReader<Uint8Array>,
  feed: Feed,
  reader: EventReader,
  exchange: ModelExchange,
): Promise<boolean> {
  const trailer = new Trailer(reader, exchange.trailerMs)
  for (;;) {
    const wait = trailer.wait()
    const next = wait === undefined ? await stream.read() : await readWithin(stream, wait)
    if (next === undefined) {
      reader.mend('the connection stayed open after the end of the answer')
      return false
    }
    if (next.done) return true
    exchange.came(next.value.length)
    for (const piece of piecesOf(next.value, feed.came)) {
      if (feed.came > FREE_BYTES) await slice.run(() => {})
      feed.take(piece)
      exchange.keep(reader.bytes)
    }
    exchange.deadline.signal.throwIfAborted()
  }
}

/** Limits the time for which a stream stays open after the last byte of the answer. */
class Trailer {
  readonly #reader: EventReader
  readonly #finishedMs: number
  #bytes = -1
  #since = 0
  #wasDone = false

  constructor(reader: EventReader, finishedMs: number) {
    this.#reader = reader
    this.#finishedMs = finishedMs
  }

  /** Returns the remaining time in milliseconds; undefined until the answer ends. */
  wait(): number | undefined {
    const { isDone, isFinished, bytes } = this.#reader
    if (!isDone && !isFinished) return undefined
    const now = performance.now()
    if (bytes !== this.#bytes || isDone !== this.#wasDone) {
      this.#bytes = bytes
      this.#wasDone = isDone
      this.#since = now
    }
    return Math.max(0, this.#since + (isDone ? DONE_MS : this.#finishedMs) - now)
  }
}

/** Time to wait for the connection to close after the end of the stream, in milliseconds. */
const DONE_MS = 100
/** Reads a chunk of the body; returns undefined if none arrives within the time limit. */
async function readWithin(
  stream: ReadableStreamDefaultReader<Uint8Array>,
  ms: number,
): Promise<Awaited<ReturnType<typeof stream.read>> | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([stream.read(), late])
  } finally {
    clearTimeout(timer)
  }
}

function* piecesOf(chunk: Uint8Array, came: number): Generator<Uint8Array> {
  if (came + chunk.length <= FREE_BYTES) return yield chunk
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
    yield chunk.subarray(at, at + PIECE_BYTES)
  }
}

/** Splits the bytes of a response body into events for the reader. */
class Feed {
  readonly #reader: EventReader
  readonly #holding: Holding
  readonly #decoder = new TextDecoder()
  readonly #parser: ReturnType<typeof createParser>
  /** Lines that are not events: one JSON document, or an HTML page. */
  #unparsed: string[] = []
  /** Size of the incomplete current event, in bytes. */
  #pending = 0
  #events = 0
  came = 0

  constructor(reader: EventReader, holding: Holding) {
    this.#reader = reader
    this.#holding = holding
    this.#parser = createParser({
      onEvent: ({ data, event }) => {
        this.#pending = 0
        this.#data(data, event)
      },
      onComment: () => {
        this.#pending = 0
      },
      onError: (error) => this.#line(error),
    })
  }

  take(bytes: Uint8Array): void {
    this.came += bytes.length
    this.#pending += bytes.length
    this.#check(bytes.length)
    this.#parser.feed(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Processes the end of the response body, because the last event may lack its blank line. */
  end(): void {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`)
    if (this.#events === 0) this.#readDocument()
  }

  #check(size: number): void {
    if (this.came > LIMITS.model_wire_bytes) {
      throw new Oversized(overLimit(`${SUBJECT} exceeds`, limit('model_wire_bytes')))
    }
    if (this.#pending > LIMITS.model_event_bytes + size) {
      throw new Oversized(overLimit(`${SUBJECT} exceeds`, limit('model_event_bytes')))
    }
    if (!this.#holding.hold(this.#pending)) throw new Oversized(EXHAUSTED)
  }

  #data(data: string, name: string | undefined): void {
    const text = data.trim()
    if (text === '') return
    if (text === END) return this.#reader.close()
    const event = parsed(text)
    if (event !== undefined) return this.#event(event, name)
    // The data is split at line breaks, because some servers omit the blank line between two
    // events.
    const lines = text.split('\n')
    if (lines.length > 1) for (const line of lines) this.#data(line, name)
    else this.#text(text, name)
  }

  #text(text: string, name: string | undefined): void {
    if (name === 'error') return this.#event({ error: text }, name)
    this.#reader.mend(`omitted an event that is not JSON: ${excerpt(text)}`)
  }

  /** Processes a line that is not a field of an event. */
  #line({ type, line = '', field = '', value = '' }: ParseError): void {
    if (type !== 'unknown-field' || line.trim() === '') return
    if (line.trim() === END) return this.#reader.close()
    const event = parsed(line) ?? this.#errorEvent(field, value)
    if (isRecord(event) && this.#unparsed.length === 0) return this.#event(event, undefined)
    if (this.#events === 0) this.#unparsed.push(line)
    else this.#reader.mend(`omitted a line that is not an event: ${excerpt(line)}`)
  }

  /** Parses a line `error: {…}`, which some servers send instead of an event. */
  #errorEvent(field: string, value: string): unknown {
    if (field.trim().toLowerCase() !== 'error' || value === '') return undefined
    return { error: parsed(value) ?? value }
  }

  #event(event: unknown, name: string | undefined): void {
    this.#events += 1
    if (this.#reader.isDone) this.#reader.mend('omitted an event after the end of the stream')
    else if (isRecord(event)) this.#reader.take(event, name)
    else
      this.#reader.mend(`omitted an event that is not an object: ${excerpt(JSON.stringify(event))}`)
  }

  /** Parses the response body as one document if it contained no events. */
  #readDocument(): void {
    const text = this.#unparsed.join('\n').trim()
    if (text === '') return
    const document = parsed(text)
    if (isRecord(document)) return this.#reader.take(document, undefined)
    const first = Array.isArray(document) ? document[0] : undefined
    if (isRecord(first)) return this.#reader.take(first, undefined)
    throw new ProviderError({ status: 200, body: text })
  }
}

/**
 * Matches arguments that are sent as objects; they are serialized again with all digits of their
 * numbers.
 */
const ARGUMENTS = /"(?:arguments|input|partial_json)"\s*:\s*\{/

function parsed(text: string): unknown {
  try {
    return ARGUMENTS.test(text) ? parseWithRaw(text) : JSON.parse(text)
  } catch {
    return undefined
  }
}

const excerpt = (text: string): string => JSON.stringify(text.slice(0, 80))
