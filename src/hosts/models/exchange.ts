/**
 * Enforces limits on a model call: total time, idle time, bytes sent, and bytes kept. The vendors'
 * packages make the request; the signal that they pass to `fetch` identifies the call.
 */

import { LIMITS } from '../../core/limits.ts'
import { Deadline, Ended } from '../outbound/deadline.ts'
import { readBriefly } from '../outbound/fetch.ts'
import { EXHAUSTED, type Holding, readBudget } from '../outbound/read-budget.ts'
import { boundedAnswer, limit, Oversized, overLimit } from '../outbound/response-limit.ts'

export interface ModelTimes {
  readonly totalMs: number
  /** Maximum time before the first byte and between two reads of bytes, in milliseconds. */
  readonly idleMs: number
  /** Time limit after the end of the model's answer, in milliseconds; only usage may follow. */
  readonly trailerMs: number
}

export const MODEL_TIMES: ModelTimes = {
  totalMs: LIMITS.model_call_seconds * 1_000,
  idleMs: LIMITS.model_idle_seconds * 1_000,
  trailerMs: LIMITS.model_trailer_seconds * 1_000,
}

const SUBJECT = "the model's response"
/** Maximum stream bytes per byte of text; vendors wrap each token in a few hundred bytes. */
const WRAPPING = 512

export class ModelExchange {
  readonly deadline: Deadline
  readonly trailerMs: number
  readonly #collected: Holding = readBudget.open()
  #keptBytes = 0
  #came = 0

  constructor(times: ModelTimes, signal: AbortSignal) {
    this.deadline = new Deadline({ ...times, signals: [signal] })
    this.trailerMs = times.trailerMs
    exchanges.set(this.deadline.signal, this)
  }

  /** Records the number of answer bytes kept so far; throws above the limit. */
  keep(bytes: number): void {
    this.#keptBytes = bytes
    if (bytes > LIMITS.model_answer_bytes) {
      throw new Oversized(
        overLimit(`${SUBJECT} was cut off because it exceeds`, limit('model_answer_bytes')),
      )
    }
    if (!this.#collected.hold(bytes)) throw new Oversized(EXHAUSTED)
  }

  /** Ends the exchange; on an error, aborts the request. Releases the reserved bytes. */
  close(error?: unknown): void {
    if (error === undefined) this.deadline.close()
    else this.deadline.end(new Ended('too_much', SUBJECT))
    this.#collected.release()
  }

  /** Records received bytes as activity. Ends the exchange if too few of the bytes are text. */
  came(bytes: number): void {
    this.deadline.touch()
    this.#came += bytes
    // Allows for one event of maximum size, because the size of each event has a separate limit.
    const most = 2 * LIMITS.model_event_bytes + WRAPPING * this.#keptBytes
    if (this.#came <= most) return
    const message = `${SUBJECT} was cut off because ${this.#came} bytes contained almost no answer`
    this.deadline.end(new Ended('too_much', message))
  }

  answer(response: Response): Response {
    const { deadline } = this
    return boundedAnswer(response, {
      what: SUBJECT,
      message: limit('model_event_bytes'),
      total: limit('model_wire_bytes'),
      holding: readBudget.open(),
      signal: deadline.signal,
      onBytes: (bytes) => this.came(bytes),
    })
  }
}

const exchanges = new WeakMap<AbortSignal, ModelExchange>()

/**
 * Returns a `fetch` with the limits of the current model call. Redirects are errors, because they
 * would send the key to another host.
 */
export const modelDoor =
  (connect: typeof fetch): typeof fetch =>
  async (input, init) => {
    const exchange = init?.signal ? exchanges.get(init.signal) : undefined
    const response = await connect(input, { ...init, redirect: 'manual' })
    if (!exchange) return response
    exchange.deadline.touch()
    return exchange.answer(response.ok ? response : await refusalOf(response, exchange))
  }

/** Maximum number of bytes to read from the body of an error response. */
const REFUSAL_BYTES = 65_536

/** Reads as much of an error response's body as arrives soon; the status matters most. */
export async function refusalOf(response: Response, exchange: ModelExchange): Promise<Response> {
  const { status, statusText, headers, body } = response
  if (body === null) return response
  const options = {
    totalMs: LIMITS.model_error_seconds * 1_000,
    signals: [exchange.deadline.signal],
  }
  const { bytes } = await readBriefly(response, REFUSAL_BYTES, options)
  return new Response(bytes, { status, statusText, headers })
}
