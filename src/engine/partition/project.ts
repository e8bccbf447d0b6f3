/**
 * Projects the result of a commit on a run or a fan-out: the committed state, the observations that
 * still count, and the derived facts. Pure function; recomputed after a conflict (PROTOCOL.md rule
 * 5).
 */

import { type Enqueued, enqueue, type Outgoing, settle } from '../../core/outbox.ts'
import type { LoggedFact } from '../../core/run/log/facts.ts'
import { assert } from '../../lib/assert.ts'
import type { Committed } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'

/** Observed fact; for a model answer, with its prompt fingerprint. */
export interface Observed<F> {
  readonly fact: F
  readonly promptFingerprint?: string | undefined
  /** Key of the originating mail, which stays in the store until the fact is committed. */
  readonly mailKey?: string | undefined
}

export interface Uncommitted<F> {
  readonly observed: readonly Observed<F>[]
  /** Number of observations before each model call. */
  readonly asked: readonly number[]
  readonly acknowledged: readonly Outgoing[]
  /** Messages to add to the outbox without a fact. */
  readonly enqueued: readonly Enqueued[]
  readonly epoch: number
  /**
   * Whether the worker is an observer, which neither announces nor starts effects (PROTOCOL.md rule
   * 11).
   */
  readonly observer: boolean
  /** Number of effects that are in progress. */
  readonly busy: number
  /** Event types to which the tenant's endpoints subscribe. */
  readonly subscribed: readonly string[]
}

export interface Projection<S, F> {
  readonly state: S
  /** New facts with their log positions. */
  readonly facts: readonly LoggedFact<F>[]
}

/** Projection with the inputs from which it was computed. */
export interface Projected<S, F> extends Projection<S, F> {
  readonly base: S
  readonly of: Uncommitted<F>
  /** Number of observations that the projection includes. The lists only grow. */
  readonly observed: number
  readonly acknowledged: number
  /** Whether facts were derived from observations. More observations may change these facts. */
  readonly followed: boolean
}

/**
 * Projects a commit. Extends the last projection, `previous`, if the commit is the same, no facts
 * were derived, and only observations were added.
 */
export function project<S extends AnyState, F extends AnyFact>(
  kind: LogType<S, F>,
  committed: Committed<S, F> | undefined,
  of: Uncommitted<F>,
  now: number,
  previous?: Projected<S, F>,
): Projected<S, F> {
  const base = committed?.state ?? kind.machine.initial
  const from = previous && continues(previous, base, of) ? previous : undefined
  const at = Math.max(now, committed?.head.at ?? 0, from?.facts.at(-1)?.at ?? 0)
  const epoch = of.observer ? base.epoch : of.epoch
  const { busy, subscribed } = of
  const startState = from?.state ?? enqueue(settle(base, of.acknowledged), of.enqueued)
  const state = kind.draftOf({ ...startState, epoch, busy, subscribed })
  const facts: LoggedFact<F>[] = [...(from?.facts ?? [])]
  let followed = false
  const add = (fact: F): void => {
    const stampedFact = { seq: state.seq + 1, at, fact }
    facts.push(stampedFact)
    kind.apply(state, stampedFact)
  }
  const follow = (extent: 'before the end' | 'to the end'): void => {
    for (let round = 0; ; round += 1) {
      assert(round < 1_000, 'decide did not converge')
      const decided = kind.machine.decide(state, now)
      const derived = of.observer ? decided.filter((fact) => !kind.isLeaseOwners(fact)) : decided
      // The remaining observations still count, so they precede the end of the run.
      if (extent === 'before the end' && derived.some((fact) => kind.isTerminalFact(fact))) return
      if (derived.length === 0) return
      followed = true
      for (const fact of derived) add(fact)
    }
  }
  for (let index = from?.observed ?? 0; index < of.observed.length; index += 1) {
    const { fact, promptFingerprint: fingerprint } = of.observed[index]!
    if (of.asked.includes(index)) follow('before the end')
    if (kind.machine.accepts(state, fact) && kind.isCausedBy(state, fact, fingerprint)) add(fact)
    else if (kind.isLate(state, fact)) kind.recordLate(state, fact, at)
    else {
      const leftoverFact = kind.discarded?.(fact)
      if (leftoverFact && kind.machine.accepts(state, leftoverFact)) add(leftoverFact)
    }
  }
  follow('to the end')
  const projected = {
    base,
    of,
    observed: of.observed.length,
    acknowledged: of.acknowledged.length + of.enqueued.length,
    followed,
  }
  return { state, facts, ...projected }
}

const continues = <S, F>(previous: Projected<S, F>, base: S, of: Uncommitted<F>): boolean =>
  !previous.followed &&
  previous.base === base &&
  previous.of.observed === of.observed &&
  previous.acknowledged === of.acknowledged.length + of.enqueued.length &&
  previous.of.observer === of.observer &&
  previous.of.epoch === of.epoch
