/**
 * Interface between the engine and a state machine: how a log is kept and advanced. Runs
 * (`logs/run.ts`) and fan-outs (`logs/fanout.ts`) implement it. Log, transaction, and executor
 * depend on neither.
 */

import type { LateResults } from '../../core/late-results.ts'
import type { Machine } from '../../core/machine.ts'
import type { Outbox, Outgoing } from '../../core/outbox.ts'
import type { LoggedFact, RunFact } from '../../core/run/log/facts.ts'
import type { FeedItem, World, Write } from '../../ports/world.ts'
import type { Turn } from './format.ts'

/** Members of every log's state: log position, and members for the head row and the worker. */
export interface AnyState {
  readonly seq: number
  readonly status: string
  readonly ended_at: number | null
  readonly epoch: number
  readonly busy: number
  /** Event types to which the tenant's endpoints subscribe. */
  readonly subscribed: readonly string[]
  readonly outbox: Outbox
  readonly late_results: LateResults
}
export interface AnyFact {
  readonly type: string
}
export interface AnyEffect {
  readonly kind: string
  readonly id: string
}

/** Folded state with the last key and the total size of the rows from which it was folded. */
export interface FoldedState<S> {
  readonly state: S
  readonly lastKey: string
  readonly length: number
}

/** Pure functions that fold and write a log of this type. */
export interface LogType<S extends AnyState, F extends AnyFact, E extends AnyEffect = AnyEffect> {
  readonly machine: Machine<S, LoggedFact<F>, E, F>
  /** Returns a copy of the state that `apply` may change. */
  draftOf(state: S): S
  apply(draft: S, stampedFact: LoggedFact<F>): void
  isTerminalFact(fact: F): boolean
  /**
   * Returns whether a caller started the log. A root's end schedules the deletion of all
   * descendants.
   */
  isRoot(state: S): boolean
  /** Returns the turn of the log's wakes; undefined before the first fact. */
  turnOf(state: S): Turn | undefined
  /** Returns the terminal fact to write after too many worker crashes. */
  poisoned(state: S, message: string): F
  /** Returns the view of a state for lists. */
  view(state: S): unknown
  /** Returns the search tags of a state for lists; omitted for log types without search. */
  tags?(state: S): string | undefined
  /** Returns additional rows derived from new facts; `state` includes the facts. */
  rows(tenant: string, state: S, facts: readonly LoggedFact<F>[]): Write[]
  /** Returns feed items for new facts, delivered when the facts are committed. */
  news?(
    tenant: string,
    state: S,
    facts: readonly LoggedFact<F>[],
  ): { readonly partition: string; readonly item: FeedItem } | undefined
  /** Returns the event types to which any of the tenant's endpoints subscribes. */
  subscribedTypes(world: World, tenant: string): Promise<readonly string[]>
  /** Snapshot functions; omitted for log types with short logs. */
  readonly snapshot?: {
    /** Returns whether a log with this number of facts can have a snapshot. */
    mayBe(world: World, facts: number): boolean
    find(world: World, partition: string): Promise<FoldedState<S> | undefined>
    keep(world: World, partition: string, foldedState: FoldedState<S>): Promise<void>
  }
  /** Returns whether mail arrived before its subject was recorded, and therefore waits. */
  isEarly(state: S, fact: F): boolean
  /** Returns whether mail arrived after the log's end. Its content then goes to the head row. */
  isLate(state: S, fact: F): boolean
  /** Returns whether late mail must still be sent. It stays in the head row until then. */
  mustTellLate(state: S, fact: F): boolean
  recordLate(draft: S, fact: F, at: number): void
  /** Returns a fact with the billed usage of an observation that does not count. */
  discarded?(fact: F): F | undefined
  /**
   * Returns the fact about a jump of the wall clock (milliseconds since 1970); omitted for log
   * types without a clock.
   */
  stepped?(state: S, step: { readonly before: number; readonly after: number }): F | undefined
  /** Returns whether only the lease owner may derive a fact. */
  isLeaseOwners(fact: F): boolean
  /** Returns whether an observed fact is based on the current log. */
  isCausedBy(state: S, fact: F, fingerprint: string | undefined): boolean
}

/** Result of performing an effect. */
export interface EffectResult<F = RunFact> {
  readonly facts?: readonly F[]
  /**
   * Prompt fingerprint of a model's answer (`transcript.ts`). An answer with another fingerprint
   * does not count.
   */
  readonly fingerprint?: string
  /** Outbox message that was delivered. */
  readonly acknowledged?: Outgoing
}

/** Context of an effect: the world, the log's current state, and the abort signal. */
export interface ContextOf<S> {
  readonly world: World
  readonly tenant: string
  readonly state: S
  /**
   * State when this worker opened the log. Another worker may have started an effect since then.
   */
  readonly stateAtStart: S
  /** Early reads of this log type (`early`), started together with the read of the log. */
  readonly early?: object | undefined
  /** Latest start of effects that must not run twice, on the monotonic clock. */
  readonly startDeadline: number
  readonly signal: AbortSignal
}

/** Functions that perform the effects of a log type. */
export interface EffectHandlers<S extends AnyState, F extends AnyFact, E extends AnyEffect>
  extends LogType<S, F, E> {
  perform(context: ContextOf<S>, effect: E): Promise<EffectResult<F>>
  /** Starts the reads that an unstarted log needs next; omitted where this saves no time. */
  early?(world: World, tenant: string): object | undefined
  /**
   * Returns whether an effect has external results, and therefore waits until facts are committed.
   */
  needsCommit(effect: E): boolean
  /** Returns whether an effect starts work, which waits while the tenant is not active. */
  isWork(effect: E): boolean
  /** Returns whether an effect must not run twice, and therefore requires a fresh lease. */
  isOnce(effect: E): boolean
  /** Returns whether the facts that an effect produces depend on the current state. */
  isAsking(effect: E): boolean
  /** Returns whether an effect creates a child. The number of concurrent spawns is limited. */
  isSpawn(effect: E): boolean
  /** Returns the time-out of an effect in milliseconds. */
  timeoutMs(effect: E): number
  /** Returns the facts of an effect that ignored its abort; undefined if the pass must end. */
  overdue(context: ContextOf<S>, effect: E): EffectResult<F> | undefined
  /** Returns the deadline of the run or fan-out, in milliseconds since 1970. */
  deadline(state: S): number | undefined
}
