/** Defines the traces port, which exports finished spans to a collector on a best-effort basis. */

import type { Span } from '../core/trace/span.ts'
import type { Outcome } from '../lib/outcome.ts'

export interface Traces {
  /**
   * Exports spans; makes a few attempts within seconds and may deliver spans more than once. Never
   * throws or rejects; a failure is a sentence without secrets.
   */
  export(spans: readonly Span[], signal?: AbortSignal): Promise<Outcome<void, string>>
}
