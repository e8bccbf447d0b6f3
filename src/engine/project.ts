/**
 * What a commit would make of a run or a fan-out: what is committed, then what was observed and
 * still counts, then what follows from it. Pure; after a conflict it is simply asked again
 * (protocol rule 5).
 */

import type { Stamped } from '../core/run/facts.ts'
import { assert } from '../lib/assert.ts'
import type { AnyFact, AnyState, Kind } from './kind.ts'
import type { Committed } from './log.ts'

/** A debt that was paid, by its name. */
export type Paid = string

/** What came of an effect; an answer of the model names what it rests on. */
export interface Observed<F> {
  readonly fact: F
  readonly basis?: string | undefined
}

export interface Uncommitted<F> {
  readonly observed: readonly Observed<F>[]
  /** How much was observed each time the model was asked. */
  readonly asked: readonly number[]
  readonly paid: readonly Paid[]
  readonly epoch: number
  /** Who only leaves something here speaks for nobody's effects and begins none (rule 11). */
  readonly guest: boolean
  /** Effects under way. */
  readonly busy: number
  /** Types that the tenant's endpoints want to hear. */
  readonly watched: readonly string[]
}

export interface Projection<S, F> {
  readonly state: S
  /** New facts in their places. */
  readonly facts: readonly Stamped<F>[]
}

export function project<S extends AnyState, F extends AnyFact>(
  kind: Kind<S, F>,
  committed: Committed<S, F> | undefined,
  of: Uncommitted<F>,
  now: number,
): Projection<S, F> {
  const base = committed?.state ?? kind.machine.initial
  const at = Math.max(now, committed?.head.at ?? 0)
  const epoch = of.guest ? base.epoch : of.epoch
  const { busy, watched } = of
  const state = kind.draftOf(kind.without({ ...base, epoch, busy, watched }, of.paid))
  const facts: Stamped<F>[] = []
  const add = (fact: F): void => {
    const stamped = { seq: state.seq + 1, at, fact }
    facts.push(stamped)
    kind.apply(state, stamped)
  }
  const follow = (how: 'before the end' | 'to the end'): void => {
    for (let round = 0; ; round += 1) {
      assert(round < 1_000, 'decide comes to rest')
      const followed = kind.machine.decide(state, now)
      const derived = of.guest ? followed.filter((fact) => !kind.isHolders(fact)) : followed
      // What was observed still counts, so the run does not end before it.
      if (how === 'before the end' && derived.some((fact) => kind.isTerminalFact(fact))) return
      if (derived.length === 0) return
      for (const fact of derived) add(fact)
    }
  }
  for (const [index, { fact, basis: wanted }] of of.observed.entries()) {
    if (of.asked.includes(index)) follow('before the end')
    if (kind.machine.accepts(state, fact) && kind.restsOn(state, fact, wanted)) add(fact)
  }
  follow('to the end')
  return { state, facts }
}
