/** Encodes a conversation turn as the chunks of a chat completion. */

import { Speech, type SpeechPiece } from '../../stream/speech.ts'
import type { Sink } from '../../stream/sse.ts'
import type { TurnEncoder } from '../../turn/follow.ts'
import type { TurnView } from '../../turn/view.ts'
import { callsOf, failureOf, finishOf, GAP, headOf, strataOf, textOf, usageOf } from './chat.ts'
import { textShown } from './output.ts'

/**
 * Correction for void text, because sent chunks cannot be retracted. After an interrupted model
 * call, this sentence separates the sent text from the text of the next attempt.
 */
const CORRECTION = `${GAP}[The text above was interrupted; ignore it.]`

export const tellCompletion =
  (includesUsage: boolean, ignored: readonly string[] = []) =>
  (sink: Sink): TurnEncoder =>
    new CompletionEncoder(sink, includesUsage, ignored)

class CompletionEncoder implements TurnEncoder {
  readonly #sink: Sink
  readonly #includesUsage: boolean
  readonly #ignored: readonly string[]
  readonly #speech = new Speech()
  #view: TurnView | undefined
  /** Number of finished steps whose text was sent. */
  #steps = 0
  #hasText = false
  #isCorrected = false

  constructor(sink: Sink, includesUsage: boolean, ignored: readonly string[]) {
    this.#sink = sink
    this.#includesUsage = includesUsage
    this.#ignored = ignored
  }

  tell(view: TurnView): boolean {
    const isFirst = this.#view === undefined
    this.#view = view
    if (isFirst) this.#begin(view)
    for (const step of view.steps.slice(this.#steps))
      this.#say(this.#speech.end(step.step, textShown(view, step)))
    this.#steps = view.steps.length
    if (view.end === undefined) {
      if (view.state.waiting?.on === 'model') this.#say(this.#speech.end(nextStep(view), ''))
      this.#flush()
      return false
    }
    const failure = failureOf(view)
    if (failure) {
      const error = { ...failure, type: 'server_error', param: null }
      this.#sink.send(`data: ${JSON.stringify({ error })}\n\n`)
      return true
    }
    this.#end(view)
    return true
  }

  #begin({ run }: TurnView): void {
    const delta = { role: 'assistant', content: '' }
    this.#chunk(delta, null, strataOf(run, this.#ignored))
  }

  #end(view: TurnView): void {
    // Ends a partially sent step whose text never became a message.
    this.#say(this.#speech.end(nextStep(view), ''))
    for (const { question } of view.questions) this.#append(question)
    const calls = callsOf(view)
    if (calls.length > 0)
      this.#chunk({ tool_calls: calls.map((call, index) => ({ index, ...call })) })
    const corrected = { strata: { run_id: view.run, content: textOf(view) } }
    this.#chunk({}, finishOf(view), this.#isCorrected ? corrected : {})
    if (this.#includesUsage) this.#send({ choices: [], usage: usageOf(view) })
    this.#sink.send('data: [DONE]\n\n')
  }

  piece(step: number, at: number, text: string): void {
    this.#speech.piece(step, at, text)
    this.#flush()
  }

  reset(step: number): void {
    this.#speech.reset(step)
  }

  #flush(): void {
    const view = this.#view
    if (!view || view.isShaped) return
    const piece = this.#speech.next(nextStep(view))
    if (piece) this.#say(piece)
  }

  #say({ text, goesOn, sent }: SpeechPiece): void {
    if (goesOn) {
      if (text !== '') this.#chunk({ content: text })
    } else if (sent === '') this.#append(text)
    else {
      this.#isCorrected = true
      const strata = { run_id: this.#view!.run, voided: true }
      this.#chunk({ content: text === '' ? CORRECTION : CORRECTION + GAP + text }, null, { strata })
    }
  }

  #append(text: string): void {
    if (text === '') return
    this.#chunk({ content: this.#hasText ? GAP + text : text })
    this.#hasText = true
  }

  #chunk(delta: object, finish_reason: string | null = null, more: object = {}): void {
    this.#send({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], ...more })
  }

  #send(more: object): void {
    const usage = this.#includesUsage ? { usage: null } : {}
    const chunk = { ...headOf(this.#view!), object: 'chat.completion.chunk', ...usage, ...more }
    this.#sink.send(`data: ${JSON.stringify(chunk)}\n\n`)
  }
}

const nextStep = ({ first, steps }: TurnView): number => first + steps.length
