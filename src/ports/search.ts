/** Defines the search port, which uses the deployment's web search provider. */

import type { KeySlot } from '../core/secret.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { TenantKeys } from './secrets.ts'

export interface SearchRequest {
  readonly query: string
  readonly count: number
  /**
   * Restricts search results to these domains and their subdomains; an empty list allows any
   * domain.
   */
  readonly domains: readonly string[]
}
export interface SearchHit {
  readonly title: string
  readonly url: string
  readonly extract: string
  /** Publication date of the page as the provider reports it, or null. */
  readonly published: string | null
}

export interface Search {
  /** Name of the search provider: `brave`, `tavily`, `exa`, or `searxng`. */
  readonly provider: string
  /** Key of the provider that a tenant can replace with a secret; absent if there is none. */
  readonly slot?: KeySlot
  /** Searches the web. Never throws; a failure is a sentence without secrets. */
  find(
    request: SearchRequest,
    signal: AbortSignal,
    keys?: TenantKeys,
  ): Promise<Outcome<readonly SearchHit[], string>>
}
