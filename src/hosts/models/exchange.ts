/**
 * A model call as an exchange of bytes: its total time and the time between bytes, how much it may
 * send, and how much of it is kept. The vendors' packages make the request; the signal that they
 * pass on identifies the call.
 */

import { LIMITS } from '../../core/limits.ts'
import { Deadline, Ended } from '../outbound/deadline.ts'
import { readBriefly } from '../outbound/fetch.ts'
import { EXHAUSTED, type Holding, readBudget } from '../outbound/read-budget.ts'
import { boundedAnswer, limit, Oversized, overLimit } from '../outbound/response-limit.ts'

export interface ModelTimes {
  readonly totalMs: number
  /** Between bytes, and until the first. */
  readonly idleMs: number
  /** After the end of an answer: only its usage may follow. */
  readonly trailerMs: number
}

export const MODEL_TIMES: ModelTimes = {
  totalMs: LIMITS.model_call_seconds * 1_000,
  idleMs: LIMITS.model_idle_seconds * 1_000,
  trailerMs: LIMITS.model_trailer_seconds * 1_000,
}

const SUBJECT = "the model's response"
/** So many bytes of a stream may bring one of text: vendors wrap each token in a few hundred. */
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

  /** Says how many bytes of the answer are kept by now; throws when that is too much. */
  keep(bytes: number): void {
    this.#keptBytes = bytes
    if (bytes > LIMITS.model_answer_bytes) {
      throw new Oversized(overLimit(`${SUBJECT} was cut: it exceeds`, limit('model_answer_bytes')))
    }
    if (!this.#collected.hold(bytes)) throw new Oversized(EXHAUSTED)
  }

  /** The request must not live on, and what was held is free. */
  close(error?: unknown): void {
    if (error === undefined) this.deadline.close()
    else this.deadline.end(new Ended('too_much', SUBJECT))
    this.#collected.release()
  }

  /** So many bytes have come: a sign of life. Ends the exchange when too few of them are text. */
  came(bytes: number): void {
    this.deadline.touch()
    this.#came += bytes
    // One event of full size is judged by its own limit first.
    const most = 2 * LIMITS.model_event_bytes + WRAPPING * this.#keptBytes
    if (this.#came <= most) return
    const message = `${SUBJECT} was cut: ${this.#came} bytes contained almost no answer`
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
 * The same `fetch`, bounded by the call that it is made for. A redirect would carry the key along to
 * wherever it points; it is an error instead.
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

/** Bytes of a refusal's body that are read. */
const REFUSAL_BYTES = 65_536

/** A refusal with as much of its body as comes in a short time: its status is what counts. */
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
