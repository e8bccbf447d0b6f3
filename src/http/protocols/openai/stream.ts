/**
 * Encodes a response as OpenAI stream events. Events that a resumed client already has are skipped
 * by number.
 */

import type { Sink } from '../../stream/sse.ts'
import { voided, type Writing, withPiece } from '../../stream/writing.ts'
import type { TurnEncoder } from '../../turn/follow.ts'
import type { TurnView } from '../../turn/view.ts'
import { messageId } from './ids.ts'
import {
  baseOf,
  lastNumber,
  type OutputEvent,
  outputOf,
  piece,
  started,
  startedAnew,
  voidAfter,
  voidItem,
} from './output.ts'
import { begunOf, type Echo, endOf, responseOf } from './response.ts'

/** Creates a response encoder; `ignored` names the ignored members of the request. */
export const tellResponse =
  (after: number, ignored: readonly string[] = []) =>
  (sink: Sink): TurnEncoder =>
    new ResponseEncoder(sink, after, { ignored })

class ResponseEncoder implements TurnEncoder {
  readonly #sink: Sink
  readonly #echo: Echo
  /** Number of the last event that the client has. */
  #last: number
  #view: TurnView | undefined
  /** Open message with the text received so far. */
  #writing: Writing | undefined
  /** Text of the last message, as far as sent. */
  #sent: { readonly id: string; readonly text: string } | undefined
  /** ID of the replacement item for each void item ID. */
  readonly #replacements = new Map<string, string>()

  constructor(sink: Sink, after: number, echo: Echo) {
    this.#sink = sink
    this.#echo = echo
    this.#last = after
  }

  tell(view: TurnView): boolean {
    this.#view = view
    const startData = (status: 'queued' | 'in_progress') => ({
      response: begunOf(view, status, this.#echo),
    })
    this.#send({ n: 0, type: 'response.created', data: startData('queued') })
    this.#send({ n: 1, type: 'response.in_progress', data: startData('in_progress') })
    const voided = voidAfter(view, this.#last)
    if (voided) this.#send(voided)
    for (const event of outputOf(view).events) this.#tellOne(event)
    const { event } = endOf(view)
    if (event === undefined) {
      this.#flush()
      return false
    }
    // The text of a step that never became a message has separate event numbers.
    const last = lastNumber(view)
    this.#send({
      n: this.#last > last ? this.#last + 1 : last,
      type: event,
      data: { response: responseOf(view, this.#echo) },
    })
    return true
  }

  piece(step: number, at: number, text: string): void {
    this.#writing = withPiece(this.#writing, { step, at, text })
    this.#flush()
  }

  /** Discards the partial text, because the finished message contains all of it. */
  reset(step: number): void {
    this.#writing = voided(this.#writing, step)
  }

  /** Sends the text received so far once all earlier events are sent. */
  #flush(): void {
    const view = this.#view
    const writing = this.#writing
    if (!view || !writing || writing.isVoid || view.isShaped || writing.text === '') return
    const { step, text } = writing
    const isNext = step === view.first + view.steps.length && view.steps.every(({ over }) => over)
    if (!isNext) return
    const id = messageId(view.run, step)
    const place = { index: outputOf(view).items.length, base: baseOf(view, step) }
    for (const event of started(id, place)) this.#send(event)
    // Only the length is known of the text that a resumed client already has.
    const had = Math.max(0, this.#last - place.base - 1)
    if (text.length > had) this.#send(piece(id, place, had, text.slice(had)))
    this.#sent = { id, text }
  }

  #tellOne(event: OutputEvent): void {
    if (event.at === undefined) return this.#send(event)
    const { item_id: id, output_index: index } = event.data
    const text = String(event.data.delta)
    const base = event.n - 1 - text.length
    const sent = this.#sent?.id === id ? this.#sent : undefined
    if (sent && !text.startsWith(sent.text)) {
      // Another attempt of the model call produced different text.
      const newId = `${id}_1`
      this.#send(voidItem(sent.id, { index: Number(index), base }))
      for (const startEvent of startedAnew(newId, { index: Number(index), base }, text))
        this.#send(startEvent)
      this.#replacements.set(sent.id, newId)
      return
    }
    const had = Math.max(0, this.#last - (event.n - text.length))
    if (had < text.length) this.#send({ ...event, data: { ...event.data, delta: text.slice(had) } })
  }

  /** Returns the event data with the void item's ID replaced by the replacement item's ID. */
  #withNewId(data: OutputEvent['data']): OutputEvent['data'] {
    const of = data.item as { readonly id?: string } | undefined
    const id = this.#replacements.get(String(data.item_id ?? of?.id))
    if (id === undefined) return data
    return of === undefined ? { ...data, item_id: id } : { ...data, item: { ...of, id } }
  }

  #send({ n, type, data }: OutputEvent): void {
    if (n <= this.#last) return
    this.#last = n
    const event = { type, sequence_number: n, ...this.#withNewId(data) }
    this.#sink.send(`event: ${type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
}
