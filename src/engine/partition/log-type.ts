/**
 * The interface between the engine and a machine: how its log is kept and advanced. There are two
 * types, runs (`logs/run.ts`) and fan-outs (`logs/fanout.ts`); log, transaction and executor serve
 * both and know neither.
 */

import type { LateResults } from '../../core/late-results.ts'
import type { Machine } from '../../core/machine.ts'
import type { Outbox, Outgoing } from '../../core/outbox.ts'
import type { LoggedFact, RunFact } from '../../core/run/log/facts.ts'
import type { FeedItem, World, Write } from '../../ports/world.ts'
import type { Turn } from './format.ts'

/**
 * The members that every state has: its place in the log, and those that the head row and the
 * worker add.
 */
export interface AnyState {
  readonly seq: number
  readonly status: string
  readonly ended_at: number | null
  readonly epoch: number
  readonly busy: number
  /** Types of events that the tenant's endpoints subscribe to. */
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

/** A state, and of the rows of facts that it was folded from the last key and all characters. */
export interface FoldedState<S> {
  readonly state: S
  readonly lastKey: string
  readonly length: number
}

/** How a log of this kind is folded and written; all pure. */
export interface LogType<S extends AnyState, F extends AnyFact, E extends AnyEffect = AnyEffect> {
  readonly machine: Machine<S, LoggedFact<F>, E, F>
  /** A copy that `apply` may change. */
  draftOf(state: S): S
  apply(draft: S, stampedFact: LoggedFact<F>): void
  isTerminalFact(fact: F): boolean
  /** Whether a caller started it: its end decides when everything below it is deleted. */
  isRoot(state: S): boolean
  /** Whose turn a wake of it takes; undefined before the first fact. */
  turnOf(state: S): Turn | undefined
  /** Its end, when it has killed too many workers. */
  poisoned(state: S, message: string): F
  /** As lists show it. */
  view(state: S): unknown
  /** Tags by which lists are searched for it; kinds that are only listed have none. */
  tags?(state: S): string | undefined
  /** More rows that say what these facts say; `state` is the one after them. */
  rows(tenant: string, state: S, facts: readonly LoggedFact<F>[]): Write[]
  /** Feed items of these facts, seen elsewhere at once when they are committed. */
  news?(
    tenant: string,
    state: S,
    facts: readonly LoggedFact<F>[],
  ): { readonly partition: string; readonly item: FeedItem } | undefined
  /** Types of events that some endpoint of the tenant subscribes to. */
  subscribedTypes(world: World, tenant: string): Promise<readonly string[]>
  /** How long logs of this kind are kept short to read; kinds whose logs stay short have none. */
  readonly snapshot?: {
    /** Whether a log of so many facts may have one. */
    mayBe(world: World, facts: number): boolean
    find(world: World, partition: string): Promise<FoldedState<S> | undefined>
    keep(world: World, partition: string, foldedState: FoldedState<S>): Promise<void>
  }
  /** Mail that came before its subject was recorded: it waits. */
  isEarly(state: S, fact: F): boolean
  /** Mail that can be no fact, because it came after the end: its content goes to the head. */
  isLate(state: S, fact: F): boolean
  /** Whether it must still be sent, so that it stays in the head until then. */
  mustTellLate(state: S, fact: F): boolean
  recordLate(draft: S, fact: F, at: number): void
  /** The usage of an observation that does not count, because it was billed. */
  discarded?(fact: F): F | undefined
  /** The fact about a jump of the wall clock (ms since 1970); kinds without a clock: none. */
  stepped?(state: S, step: { readonly before: number; readonly after: number }): F | undefined
  /** Only who holds the lease may derive it. */
  isLeaseOwners(fact: F): boolean
  /** Whether what was observed rests on what the log says. */
  isCausedBy(state: S, fact: F, fingerprint: string | undefined): boolean
}

/** The result of an effect. */
export interface EffectResult<F = RunFact> {
  readonly facts?: readonly F[]
  /**
   * The prompt fingerprint of a model's answer (`transcript.ts`): with any other it does not count.
   */
  readonly fingerprint?: string
  /** The message of the outbox that its receiver has. */
  readonly acknowledged?: Outgoing
}

/** The context of an effect: the world, the pending effects as they stand, and the way to stop. */
export interface ContextOf<S> {
  readonly world: World
  readonly tenant: string
  readonly state: S
  /** As this worker found it: another one may have begun an effect that was pending then. */
  readonly stateAtStart: S
  /** Reads of this kind that began together with that of the log (`early`). */
  readonly early?: object | undefined
  /** On the monotonic clock: what must not be doubled does not begin later. */
  readonly startDeadline: number
  readonly signal: AbortSignal
}

/** How a partition of this kind is moved. */
export interface EffectHandlers<S extends AnyState, F extends AnyFact, E extends AnyEffect>
  extends LogType<S, F, E> {
  perform(context: ContextOf<S>, effect: E): Promise<EffectResult<F>>
  /** Begins to read what a log that has not started needs next; where that is as fast later: none. */
  early?(world: World, tenant: string): object | undefined
  /** Not performed while facts are uncommitted, because something outside changes by it. */
  needsCommit(effect: E): boolean
  /** Must not be doubled: performed only under a lease that is fresh. */
  isOnce(effect: E): boolean
  /** Facts derived from it rest on the current state. */
  isAsking(effect: E): boolean
  /** Creates a child: only so many of them are under way at once. */
  isSpawn(effect: E): boolean
  /** Milliseconds after which it is aborted. */
  timeoutMs(effect: E): number
  /** The facts of one that did not stop; undefined: none, and this pass ends. */
  overdue(context: ContextOf<S>, effect: E): EffectResult<F> | undefined
  /** When its time is over, ms since 1970. */
  deadline(state: S): number | undefined
}
