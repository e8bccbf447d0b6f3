/**
 * One call of a model as an exchange of bytes: its time as a whole and between bytes, how much it
 * may send, and how much of it is kept. The vendors' packages make the request; the signal that
 * they pass on identifies the call.
 */

import { LIMITS } from '../../core/limits.ts'
import { type Bounds, boundedAnswer, boundedBody, Oversized } from '../outbound/bounded.ts'
import { Deadline, Ended } from '../outbound/deadline.ts'
import { EXHAUSTED, type Holding, readBudget } from '../outbound/read-budget.ts'

export interface ModelTimes {
  readonly totalMs: number
  /** Between bytes, and until the first. */
  readonly idleMs: number
}

export const MODEL_TIMES: ModelTimes = {
  totalMs: LIMITS.model_call_seconds * 1_000,
  idleMs: LIMITS.model_idle_seconds * 1_000,
}

const WHAT = 'the answer of the model'
/** So many bytes of a stream may bring one of text: vendors wrap each token in a few hundred. */
const WRAPPING = 512

export class ModelExchange {
  readonly deadline: Deadline
  readonly #collected: Holding = readBudget.open()
  #kept = 0
  #came = 0

  constructor(times: ModelTimes, signal: AbortSignal) {
    this.deadline = new Deadline({ ...times, signals: [signal] })
    exchanges.set(this.deadline.signal, this)
  }

  /** Says how many bytes of the answer are kept by now; throws when that is too much. */
  keep(bytes: number): void {
    this.#kept = bytes
    if (bytes > LIMITS.model_answer_bytes) {
      throw new Oversized(`${WHAT} was cut: it is longer than ${LIMITS.model_answer_bytes} bytes`)
    }
    if (!this.#collected.hold(bytes)) throw new Oversized(EXHAUSTED)
  }

  /** The request must not live on, and what was held is free. */
  close(error?: unknown): void {
    if (error === undefined) this.deadline.close()
    else this.deadline.end(new Ended('too_much', WHAT))
    this.#collected.release()
  }

  #count(bytes: number): void {
    this.deadline.touch()
    this.#came += bytes
    const most = LIMITS.model_event_bytes + WRAPPING * this.#kept
    if (this.#came <= most) return
    const said = `${WHAT} was cut: of ${this.#came} bytes nearly nothing was an answer`
    this.deadline.end(new Ended('too_much', said))
  }

  answer(response: Response): Response {
    return boundedAnswer(response, this.#bounds())
  }

  body(body: ReadableStream<Uint8Array>, type: string): ReadableStream<Uint8Array> {
    return boundedBody(body, type, this.#bounds())
  }

  #bounds(): Bounds {
    return {
      what: WHAT,
      messageBytes: LIMITS.model_event_bytes,
      totalBytes: LIMITS.model_wire_bytes,
      holding: readBudget.open(),
      signal: this.deadline.signal,
      onBytes: (bytes) => this.#count(bytes),
    }
  }
}

/**
 * `fetch`, which may take a body's bounds along: one that makes the answer itself gives its body to
 * `bounded` first, which spares a second answer around it. Others need not know of it.
 */
export interface BoundedInit extends RequestInit {
  readonly bounded?: (body: ReadableStream<Uint8Array>, type: string) => ReadableStream<Uint8Array>
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
    if (!exchange) return connect(input, { ...init, redirect: 'manual' })
    let isBounded = false
    const bounded: BoundedInit['bounded'] = (body, type) => {
      isBounded = true
      return exchange.body(body, type)
    }
    const asked: BoundedInit = { ...init, redirect: 'manual', bounded }
    const response = await connect(input, asked)
    exchange.deadline.touch()
    return isBounded ? response : exchange.answer(response)
  }
