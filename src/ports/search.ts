/** The search port: one provider of web search, as the deployment has configured it. */

import type { KeySlot } from '../core/secret.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { TenantKeys } from './model.ts'

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
  /** The key that secrets of tenants replace. Absent: it has none. */
  readonly slot?: KeySlot
  /** Never throws; a failure is a sentence without secrets. */
  find(
    request: SearchRequest,
    signal: AbortSignal,
    keys: TenantKeys,
  ): Promise<Outcome<readonly SearchHit[], string>>
}
