/** The traces port: takes finished spans to a collector. Nothing rests on it. */

import type { Span } from '../core/trace/span.ts'
import type { Outcome } from '../lib/outcome.ts'

export interface Traces {
  /**
   * Some attempts within some seconds; the same spans may come again. Never throws or rejects; the
   * failure is a sentence without secrets.
   */
  export(spans: readonly Span[], signal?: AbortSignal): Promise<Outcome<void, string>>
}
