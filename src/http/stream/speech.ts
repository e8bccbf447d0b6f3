/**
 * Splits a step's text into consecutive deltas for clients that cannot retract text. A delta either
 * continues the sent text or replaces it, after another attempt produced different text. While
 * another attempt repeats the sent text, no delta is produced.
 */

import { voided, type Writing, withPiece } from './writing.ts'

export interface SpeechPiece {
  readonly step: number
  readonly text: string
  /** True if the delta continues the step's sent text; false if it replaces the sent text. */
  readonly goesOn: boolean
  /** Text of the step that was already sent. */
  readonly sent: string
}

export class Speech {
  #writing: Writing | undefined
  #sent: { readonly step: number; readonly text: string } | undefined

  piece(step: number, at: number, text: string): void {
    // A delta at offset 0 starts another attempt.
    if (at === 0) this.#writing = undefined
    this.#writing = withPiece(this.#writing, { step, at, text })
  }

  /** Discards the partial text, because the finished message contains all of it. */
  reset(step: number): void {
    this.#writing = voided(this.#writing, step)
  }

  /** Returns the next delta of the current step; undefined if there is no new text. */
  next(step: number): SpeechPiece | undefined {
    const writing = this.#writing
    if (writing?.step !== step || writing.isVoid) return undefined
    if (this.#sent?.step === step && this.#sent.text.startsWith(writing.text)) return undefined
    const piece = this.#remaining(step, writing.text)
    this.#sent = { step, text: writing.text }
    return piece.text === '' ? undefined : piece
  }

  /**
   * Returns the unsent part of the finished text; empty if all text was sent. An empty finished
   * text makes the step's text void.
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
