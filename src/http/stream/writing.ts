/** Text of a step as received from the model, before its message is in the log. */
export interface Writing {
  readonly step: number
  readonly text: string
  /**
   * True if a delta was missed or the attempt has ended; the finished message then replaces the
   * text.
   */
  readonly isVoid: boolean
}

/** Adds a delta at offset `at`, which replaces the text from there. */
export function withPiece(
  previous: Writing | undefined,
  piece: { readonly step: number; readonly at: number; readonly text: string },
): Writing {
  const { step, at, text } = piece
  const { text: knownText, isVoid } =
    previous?.step === step ? previous : { text: '', isVoid: false }
  return { step, text: knownText.slice(0, at) + text, isVoid: isVoid || at > knownText.length }
}

export const voided = (previous: Writing | undefined, step: number): Writing | undefined =>
  previous?.step === step ? { ...previous, isVoid: true } : previous
