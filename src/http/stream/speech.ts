/**
 * Splits the text of a step into consecutive pieces, for readers that cannot retract text. A piece
 * either continues the sent text or replaces it, after another attempt with different text. While
 * another attempt repeats the sent text, there are no pieces.
 */

import { voided, type Writing, withPiece } from './writing.ts'

export interface SpeechPiece {
  readonly step: number
  readonly text: string
  /** True if the piece continues the sent text of this step; false if it replaces the text. */
  readonly goesOn: boolean
  /** Text of the step that was already sent. */
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

  /** Drops the partial text, because the finished message contains all of it. */
  reset(step: number): void {
    this.#writing = voided(this.#writing, step)
  }

  /** Returns the next piece of the current step; undefined if there is none. */
  next(step: number): SpeechPiece | undefined {
    const writing = this.#writing
    if (writing?.step !== step || writing.isVoid) return undefined
    if (this.#sent?.step === step && this.#sent.text.startsWith(writing.text)) return undefined
    const piece = this.#remaining(step, writing.text)
    this.#sent = { step, text: writing.text }
    return piece.text === '' ? undefined : piece
  }

  /**
   * Returns the remainder of the finished text; empty if all of it was sent. An empty text voids
   * the step.
   */
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
