/** The search port: one provider of web search, as the deployment has configured it. */

import type { Outcome } from '../lib/outcome.ts'

export interface SearchRequest {
  readonly query: string
  readonly count: number
  /** Only these domains and those below them; empty: any. */
  readonly domains: readonly string[]
}
export interface SearchHit {
  readonly title: string
  readonly url: string
  readonly extract: string
  /** As the provider says it; null: it does not. */
  readonly published: string | null
}

export interface Search {
  /** `brave`, `tavily`, `exa`, `searxng`. */
  readonly provider: string
  /** Never throws; a failure is a sentence without secrets. */
  find(request: SearchRequest, signal: AbortSignal): Promise<Outcome<readonly SearchHit[], string>>
}
