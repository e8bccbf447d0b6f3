/** A turn as the chunks of a chat completion. */

import type { Sink } from '../../stream/sse.ts'
import { voided, type Writing, written } from '../../stream/writing.ts'
import type { Telling } from '../../turn/follow.ts'
import type { TurnView } from '../../turn/view.ts'
import { callsOf, failureOf, finishOf, GAP, headOf, strataOf, textOf, usageOf } from './chat.ts'

/**
 * Chunks cannot take text back. When the model broke off, and another attempt wrote something else,
 * this sentence and the right text follow what was sent.
 */
const CORRECTION =
  '\n\n[The text above was interrupted and is void. The answer from its beginning:]\n\n'

export const tellCompletion =
  (includesUsage: boolean, ignored: readonly string[] = []) =>
  (sink: Sink): Telling =>
    new CompletionEncoder(sink, includesUsage, ignored)

class CompletionEncoder implements Telling {
  readonly #sink: Sink
  readonly #includesUsage: boolean
  readonly #ignored: readonly string[]
  #view: TurnView | undefined
  /** The valid part of the text that was sent, of whole steps and of the one that is being written. */
  #sent = ''
  /** The text of whole steps, which stays valid. */
  #certain = ''
  #steps = 0
  #isCorrected = false
  #begun = false
  #writing: Writing | undefined

  constructor(sink: Sink, includesUsage: boolean, ignored: readonly string[]) {
    this.#sink = sink
    this.#includesUsage = includesUsage
    this.#ignored = ignored
  }

  tell(view: TurnView): boolean {
    this.#view = view
    if (!this.#begun) this.#begin(view)
    this.#begun = true
    if (view.end === undefined) {
      if (view.steps.length > this.#steps) this.#finish(view)
      this.#flush()
      return false
    }
    const failure = failureOf(view)
    if (failure) {
      const error = { ...failure, type: 'server_error', param: null }
      this.#sink.send(`data: ${JSON.stringify({ error })}\n\n`)
      return true
    }
    this.#finish(view)
    const calls = callsOf(view)
    if (calls.length > 0)
      this.#chunk({ tool_calls: calls.map((call, index) => ({ index, ...call })) })
    const corrected = { strata: { run_id: view.run, content: textOf(view) } }
    this.#chunk({}, finishOf(view), this.#isCorrected ? corrected : {})
    if (this.#includesUsage) this.#send({ choices: [], usage: usageOf(view) })
    this.#sink.send('data: [DONE]\n\n')
    return true
  }

  #begin({ run }: TurnView): void {
    const delta = { role: 'assistant', content: '' }
    this.#chunk(delta, null, strataOf(run, this.#ignored))
  }

  piece(step: number, at: number, text: string): void {
    this.#writing = written(this.#writing, { step, at, text })
    this.#flush()
  }

  reset(step: number): void {
    this.#writing = voided(this.#writing, step)
  }

  #flush(): void {
    const view = this.#view
    const writing = this.#writing
    if (!view || !writing || writing.isVoid || view.isShaped || writing.text === '') return
    if (writing.step !== view.first + view.steps.length) return
    const before = textOf(view)
    const text = before === '' ? writing.text : before + GAP + writing.text
    // Another attempt begins; it may still write what the one before wrote.
    if (!this.#sent.startsWith(text)) this.#say(text)
  }

  /** A step, or the turn, has its final text. */
  #finish(view: TurnView): void {
    const text = textOf(view)
    this.#say(text)
    this.#certain = text
    this.#steps = view.steps.length
  }

  #say(text: string): void {
    if (text === this.#sent) return
    const goesOn = text.startsWith(this.#sent)
    const from = goesOn ? this.#sent : this.#certain
    const fresh = text.slice(from.length)
    this.#sent = text
    if (goesOn) return this.#chunk({ content: fresh })
    this.#isCorrected = true
    const again = this.#certain === '' ? fresh : fresh.replace(GAP, '')
    const strata = { run_id: this.#view!.run, voided: true }
    this.#chunk({ content: CORRECTION + again }, null, { strata })
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
