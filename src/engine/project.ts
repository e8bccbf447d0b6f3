/**
 * What a commit would make of a run: what is committed, then what was observed and still counts,
 * then what follows from it. Pure; after a conflict it is simply asked again (protocol rule 5).
 */

import { apply, draftOf } from '../core/run/evolve.ts'
import type { RunFact, Stamped } from '../core/run/facts.ts'
import { isTerminalFact } from '../core/run/facts.ts'
import { runMachine } from '../core/run/machine.ts'
import type { Debts, RunState } from '../core/run/state.ts'
import { basis } from '../core/run/transcript.ts'
import { assert } from '../lib/assert.ts'
import type { Committed } from './log.ts'

/** A debt that was paid: `parent`, `session`, `webhook 12`, `events 12`, `cancel call_…`. */
export type Paid = string

/** What came of an effect; an answer of the model names what it rests on. */
export interface Observed {
  readonly fact: RunFact
  readonly basis?: string | undefined
}

export interface Uncommitted {
  readonly observed: readonly Observed[]
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

export interface Projection {
  readonly state: RunState
  /** New facts in their places. */
  readonly facts: readonly Stamped<RunFact>[]
}

export function project(
  committed: Committed | undefined,
  of: Uncommitted,
  now: number,
): Projection {
  const base = committed?.state ?? runMachine.initial
  const at = Math.max(now, committed?.head.at ?? 0)
  const epoch = of.guest ? base.epoch : of.epoch
  const { busy, watched } = of
  const state = draftOf({ ...base, epoch, busy, watched, debts: without(base, of.paid) })
  const facts: Stamped<RunFact>[] = []
  const add = (fact: RunFact): void => {
    const stamped = { seq: state.seq + 1, at, fact }
    facts.push(stamped)
    apply(state, stamped)
  }
  const follow = (how: 'before the end' | 'to the end'): void => {
    for (let round = 0; ; round += 1) {
      assert(round < 1_000, 'decide comes to rest')
      const followed = runMachine.decide(state, now)
      const derived = of.guest ? followed.filter(({ type }) => type !== 'tool.call') : followed
      // What was observed still counts, so the run does not end before it.
      if (how === 'before the end' && derived.some(isTerminalFact)) return
      if (derived.length === 0) return
      for (const fact of derived) add(fact)
    }
  }
  for (const [index, { fact, basis: wanted }] of of.observed.entries()) {
    if (of.asked.includes(index)) follow('before the end')
    if (runMachine.accepts(state, fact) && restsOn(state, fact, wanted)) add(fact)
  }
  follow('to the end')
  return { state, facts }
}

const restsOn = (state: RunState, fact: RunFact, wanted: string | undefined): boolean =>
  fact.type !== 'assistant.message' || wanted === undefined || wanted === basis(state, fact.seen)

function without({ debts, seq }: RunState, paid: readonly Paid[]): Debts {
  if (paid.length === 0) return debts
  return {
    parent: debts.parent && !paid.includes('parent'),
    session: debts.session && !paid.includes('session'),
    webhook: debts.webhook.filter((seq) => !paid.includes(`webhook ${seq}`)),
    cancel: debts.cancel.filter((call) => !paid.includes(`cancel ${call}`)),
    tell: paid.includes(`tell ${debts.tell}`) ? null : (debts.tell ?? null),
    events: untold(debts.events ?? null, seq, paid),
  }
}

/** `events 12`: told of everything up to 12. What came after it is looked at once more. */
function untold(from: number | null, seq: number, paid: readonly Paid[]): number | null {
  const told = paid.flatMap((one) => (one.startsWith(TOLD) ? [Number(one.slice(TOLD.length))] : []))
  const upTo = Math.max(0, ...told)
  if (from === null || upTo < from) return from
  return seq > upTo ? upTo + 1 : null
}

const TOLD = 'events '
