/**
 * The text of a step as pieces that follow each other, for those who cannot take one back: what
 * comes is either the rest of what was sent, or begins anew because another attempt has written
 * other words. As long as another attempt repeats what was sent, nothing comes.
 */

import { voided, type Writing, withPiece } from './writing.ts'

export interface SpeechPiece {
  readonly step: number
  readonly text: string
  /** Continues the sent text of this step; false: replaces it. */
  readonly goesOn: boolean
  /** All that was sent of it before. */
  readonly sent: string
}

export class Speech {
  #writing: Writing | undefined
  #sent: { readonly step: number; readonly text: string } | undefined

  piece(step: number, at: number, text: string): void {
    // Starts another attempt.
    if (at === 0) this.#writing = undefined
    this.#writing = withPiece(this.#writing, { step, at, text })
  }

  /** The finished message says it all. */
  reset(step: number): void {
    this.#writing = voided(this.#writing, step)
  }

  /** The news of the step that is being written; undefined: nothing. */
  next(step: number): SpeechPiece | undefined {
    const writing = this.#writing
    if (writing?.step !== step || writing.isVoid) return undefined
    if (this.#sent?.step === step && this.#sent.text.startsWith(writing.text)) return undefined
    const piece = this.#remaining(step, writing.text)
    this.#sent = { step, text: writing.text }
    return piece.text === '' ? undefined : piece
  }

  /** The end of the finished text; empty when all of it was sent. An empty text voids the step. */
  end(step: number, text: string): SpeechPiece {
    const piece = this.#remaining(step, text)
    this.#writing = voided(this.#writing, step)
    this.#sent = { step, text }
    return piece
  }

  #remaining(step: number, text: string): SpeechPiece {
    const sent = this.#sent?.step === step ? this.#sent.text : ''
    const goesOn = sent !== '' && text.startsWith(sent)
    return { step, sent, goesOn, text: goesOn ? text.slice(sent.length) : text }
  }
}
