/** Error response without a message of its own; `failure.ts` classifies it by all its texts. */

export interface ProviderAnswer {
  /** HTTP status of the response; 200 for an error inside a stream. */
  readonly status: number
  readonly headers?: Headers | undefined
  /** Response body as parsed JSON, or as unchanged text. */
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
