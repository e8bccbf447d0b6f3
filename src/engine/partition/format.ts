/** Stored rows of a log, and their format (protocol rule 36). */

import type { CrashCount } from '../../core/crash-count.ts'
import type { LateResults } from '../../core/late-results.ts'
import type { Outbox } from '../../core/outbox.ts'
import type { RunFact } from '../../core/run/log/facts.ts'
import type { Lease } from '../../core/run/state/state.ts'
import type { RunView } from '../../core/run/views/view.ts'
import type { Alarm, Listing, Wake } from '../../ports/world.ts'

/** Format that this version writes, and the newest format that it reads (protocol rule 36). */
export const FORMAT = 1

export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat'
}

/** Lane of a wake, and whether the run has started, which gives it precedence. */
export type Turn = Pick<Alarm, 'lane' | 'started'> & Pick<Wake, 'priority'>
/** Turn before the first fact. */
export const FIRST_TURN: Turn = { lane: 'main', started: false }

/** Head row: data that changes without facts, and the view for lists. */
export interface Head<V = RunView> {
  /** Oldest reader version that may advance this log. */
  readonly format: number
  readonly seq: number
  /** Time of the last fact. */
  readonly at: number
  /** ID of the commit that wrote this head, which resolves an ambiguous outcome. */
  readonly commit: string
  readonly epoch: number
  readonly lease: Lease | null
  readonly outbox: Outbox
  /** Results of children that arrived after the end, if any. */
  readonly late_results?: LateResults | undefined
  readonly wake_at: number | null
  /** Number of redeliveries by the tick since the last fact. */
  readonly redeliveries: number
  /** Number of passes since the lease owner's last fact that may have crashed their workers. */
  readonly crashes?: CrashCount | undefined
  readonly listed: Listing | null
  /** Whether the facts reference bodies in the bucket. */
  readonly bodies?: true | undefined
  /** Whether the run's tools may have written files. */
  readonly files?: true | undefined
  /** Whether the facts name child runs or pages. */
  readonly children?: true | undefined
  /** Whether this is a root that only awaits its deletion. */
  readonly ended?: true | undefined
  /** Turn of the log's wakes. */
  readonly turn: Turn
  /** View for lists and parents; no decision depends on it. */
  readonly view: V
}

export interface FactRow<F = RunFact> {
  readonly commit: string
  readonly epoch: number
  readonly at: number
  readonly first: number
  readonly facts: readonly F[]
}

/** Members of the head of every partition type. */
export interface AlarmedHead {
  readonly wake_at: number | null
  /** Number of redeliveries by the tick without progress. */
  readonly redeliveries: number
  /** List entry of the partition; each head write repeats it. */
  readonly listed: Listing | null
  /** Lease; present only for runs and fan-outs. */
  readonly lease?: { readonly until: number } | null
  /** Turn; present only for runs and fan-outs. */
  readonly turn?: Turn
  readonly seq?: number
  readonly bodies?: true | undefined
  readonly files?: true | undefined
  readonly children?: true | undefined
  /** Whether the partition only awaits its deletion. */
  readonly ended?: true | undefined
}
