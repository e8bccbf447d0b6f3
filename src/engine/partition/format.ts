/** Rows of a log as they stand in the store, and the format that they are in (protocol rule 36). */

import type { CrashCount } from '../../core/crash-count.ts'
import type { LateResults } from '../../core/late-results.ts'
import type { Outbox } from '../../core/outbox.ts'
import type { RunFact } from '../../core/run/log/facts.ts'
import type { Lease } from '../../core/run/state/state.ts'
import type { RunView } from '../../core/run/views/view.ts'
import type { Alarm, Listing, Wake } from '../../ports/world.ts'

/** The format of rows that this version writes, and the newest that it reads (protocol rule 36). */
export const FORMAT = 1

export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat'
}

/** The lane of a wake, and whether the run has started: it goes before queued ones. */
export type Turn = Pick<Alarm, 'lane' | 'started'> & Pick<Wake, 'priority'>
/** Before the first fact says more. */
export const FIRST_TURN: Turn = { lane: 'main', started: false }

/** The head row: what changes without facts, and what lists show. */
export interface Head<V = RunView> {
  /** The oldest reader version that may advance this log. */
  readonly format: number
  readonly seq: number
  /** Time of the last fact. */
  readonly at: number
  /** Names the commit that wrote this head, so that an ambiguous one can be settled. */
  readonly commit: string
  readonly epoch: number
  readonly lease: Lease | null
  readonly outbox: Outbox
  /** Results of children that arrived after the end; absent: none. */
  readonly late_results?: LateResults | undefined
  readonly wake_at: number | null
  /** How often the tick has sent this partition again without a fact since. */
  readonly redeliveries: number
  /** Passes that may have killed their workers, since the last fact of a lease owner. */
  readonly crashes?: CrashCount | undefined
  readonly listed: Listing | null
  /** Its facts name bodies, which lie in the bucket; absent: none do. */
  readonly bodies?: true | undefined
  /** Its tools may have written files; absent: none have. */
  readonly files?: true | undefined
  /** Its facts name runs below it, or pages; absent: none do. */
  readonly children?: true | undefined
  /** A root that has nothing left to do but to go; absent: it has, or is none. */
  readonly ended?: true | undefined
  /** Whose turn its wakes take. */
  readonly turn: Turn
  /** As lists and parents show it; nothing is decided by it. */
  readonly view: V
}

export interface FactRow<F = RunFact> {
  readonly commit: string
  readonly epoch: number
  readonly at: number
  readonly first: number
  readonly facts: readonly F[]
}

/** The members that every head has, whatever it is the head of. */
export interface AlarmedHead {
  readonly wake_at: number | null
  /** How often the tick has sent this partition again without progress. */
  readonly redeliveries: number
  /** The list of the partition; each head write states it again. */
  readonly listed: Listing | null
  /** The lease of runs and fan-outs. */
  readonly lease?: { readonly until: number } | null
  /** The turn of runs and fan-outs. */
  readonly turn?: Turn
  readonly seq?: number
  readonly bodies?: true | undefined
  readonly files?: true | undefined
  readonly children?: true | undefined
  /** Nothing is left to do but to delete it. */
  readonly ended?: true | undefined
}
