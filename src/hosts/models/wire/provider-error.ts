/** A response without a message; `failure.ts` classifies it by all its texts. */

export interface ProviderAnswer {
  /** HTTP status; 200 for an error inside a stream. */
  readonly status: number
  readonly headers?: Headers | undefined
  /** Parsed JSON, or the unchanged text. */
  readonly body: unknown
}

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly answer: ProviderAnswer

  constructor(answer: ProviderAnswer) {
    super(`the provider responded with ${answer.status}`)
    this.answer = answer
  }
}
