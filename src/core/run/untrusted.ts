/**
 * Untrusted text that a run has read, and where it came from (taint). It is state that follows
 * from the log, not a text in it: a summary, a fork and the next turn of the session keep it, and
 * no fact takes it away. The policy says what may follow (`core/tools/data-flow.ts`).
 */

import { quoted } from '../../lib/visible.ts'

/** The first untrusted text on the way to a run. */
export interface UntrustedSource {
  /** A page or results of the web, a tool of an MCP server, a webhook that came in. */
  readonly kind: 'web' | 'mcp' | 'hook'
  /** The tool as models see it; of a webhook, the inbound hook. */
  readonly name: string
  /** The address, or the query. Absent: the name says all. */
  readonly from?: string
  /** The run that read it: the run itself, one below or above it, or one before in its session. */
  readonly run_id: string
}

/** Absent: nothing untrusted is known in it. */
export interface Tainted {
  readonly untrusted?: UntrustedSource
}

/** A run's first, and the first request of a model that contains it. */
export interface UntrustedRead {
  readonly source: UntrustedSource
  /** Answers of earlier steps do not rest on it, */
  readonly step: number
  /** nor do those that had seen fewer entries of the pending input. */
  readonly seen: number
}

interface Read {
  readonly untrusted: UntrustedRead | null
  readonly steps: readonly { readonly seen: number }[]
}
type Draft = { -readonly [K in keyof Read]: Read[K] }

/** The first counts: whatever is read later is shown later. */
export function taint(draft: Draft, { untrusted }: Tainted, seen = 0): void {
  if (untrusted) draft.untrusted ??= { source: untrusted, step: draft.steps.length, seen }
}

/** The source of untrusted text that the model had read when it made a call of this step. */
export function readBefore(
  { untrusted, steps }: Read,
  { step }: { readonly step: number },
): UntrustedSource | undefined {
  if (untrusted === null || step < untrusted.step) return undefined
  return (steps[step]?.seen ?? 0) >= untrusted.seen ? untrusted.source : undefined
}

/** As a member of what hands it on. */
export const tainted = (source: UntrustedSource | undefined): Tainted =>
  source === undefined ? {} : { untrusted: source }

/** The same of a run's whole state. */
export const taintOf = ({ untrusted }: Pick<Read, 'untrusted'>): Tainted =>
  tainted(untrusted?.source)

/** For people: the source, quoted, because strangers have a say in it. */
export function describeSource({ kind, name, from }: UntrustedSource): string {
  if (kind === 'hook') return `the webhook that came in by ${name}`
  return from === undefined ? `a result of ${name}` : `a result of ${name} (${quoted(from)})`
}
