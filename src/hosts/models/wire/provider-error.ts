/** An answer in place of a message; `failure.ts` judges it by everything that it says. */

export interface ProviderAnswer {
  /** The HTTP status; 200 for an error inside a stream. */
  readonly status: number
  readonly headers?: Headers | undefined
  /** Parsed JSON, or the text as it came. */
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
