/** Stored rows of a log, and their format version (PROTOCOL.md rule 36). */

import type { CrashCount } from '../../core/crash-count.ts'
import type { LateResults } from '../../core/late-results.ts'
import type { Outbox } from '../../core/outbox.ts'
import type { RunFact } from '../../core/run/log/facts.ts'
import type { Lease } from '../../core/run/state/state.ts'
import type { RunView } from '../../core/run/views/view.ts'
import type { Alarm, Listing, Wake } from '../../ports/world.ts'

/**
 * Format version that this release writes, and the newest one that it reads (PROTOCOL.md rule 36).
 */
export const FORMAT = 1

export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat'
}

/** Lane of a wake, and whether the run has started, which gives it precedence over queued runs. */
export type Turn = Pick<Alarm, 'lane' | 'started'> & Pick<Wake, 'priority'>
/** Turn of a log before its first fact. */
export const FIRST_TURN: Turn = { lane: 'main', started: false }

/** Head row of a log: data that changes without facts, and the view for lists. */
export interface Head<V = RunView> {
  /** Format version that a reader needs to advance this log. */
  readonly format: number
  readonly seq: number
  /** Time of the log's last fact. */
  readonly at: number
  /** ID of the commit that wrote this head. Resolves an ambiguous outcome. */
  readonly commit: string
  readonly epoch: number
  readonly lease: Lease | null
  readonly outbox: Outbox
  /** Results of children that arrived after the end of the run or fan-out, if any. */
  readonly late_results?: LateResults | undefined
  readonly wake_at: number | null
  /** Number of redeliveries by the tick since the log's last fact. */
  readonly redeliveries: number
  /** Number of passes since the lease owner's last fact that may have crashed their workers. */
  readonly crashes?: CrashCount | undefined
  readonly listed: Listing | null
  /** Whether the log's facts reference bodies in the bucket. */
  readonly bodies?: true | undefined
  /** Whether the run's tools may have written files. */
  readonly files?: true | undefined
  /** Whether the log's facts name child runs or pages. */
  readonly children?: true | undefined
  /** Whether the log is a root that only awaits its deletion. */
  readonly ended?: true | undefined
  /** Turn of the log's wakes: lane, precedence, and priority. */
  readonly turn: Turn
  /** View of the run or fan-out for lists and parents. No decision depends on it. */
  readonly view: V
}

export interface FactRow<F = RunFact> {
  readonly commit: string
  readonly epoch: number
  readonly at: number
  readonly first: number
  readonly facts: readonly F[]
}

/** Head members of every partition type. */
export interface AlarmedHead {
  readonly wake_at: number | null
  /** Number of redeliveries by the tick without progress. */
  readonly redeliveries: number
  /** List entry of the partition. Each head write repeats this entry. */
  readonly listed: Listing | null
  /** Lease on the partition; present only for runs and fan-outs. */
  readonly lease?: { readonly until: number } | null
  /** Turn of the partition's wakes; present only for runs and fan-outs. */
  readonly turn?: Turn
  readonly seq?: number
  readonly bodies?: true | undefined
  readonly files?: true | undefined
  readonly children?: true | undefined
  /** Whether the partition only awaits its deletion. */
  readonly ended?: true | undefined
}
