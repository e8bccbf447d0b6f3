/**
 * The pure core asked in one sentence: given these facts, at this moment, what does the machine say?
 * There is no store, no world and no clock: the facts stand a second apart, from NOW on.
 */

import type { FanoutFact } from '../../src/core/fanout/facts.ts'
import { fanoutMachine } from '../../src/core/fanout/machine.ts'
import type { FanoutState } from '../../src/core/fanout/state.ts'
import type { Machine } from '../../src/core/machine.ts'
import type { LoggedFact, RunFact } from '../../src/core/run/log/facts.ts'
import { runMachine } from '../../src/core/run/machine.ts'
import type { RunState } from '../../src/core/run/state/state.ts'
import { NOW } from './facts.ts'

type State = { readonly seq: number; readonly epoch: number; readonly busy: number }
type AnyMachine<S, F> = Machine<S, LoggedFact<F>, { readonly id: string }, F>

/** A log and a moment; every step makes a new one. */
export class Given<S extends State, F extends { readonly type: string }> {
  readonly state: S
  readonly #machine: AnyMachine<S, F>
  /** Seconds after NOW: when the next fact happens, and when a question is asked. */
  readonly #at: number

  constructor(machine: AnyMachine<S, F>, state: S, at: number) {
    this.#machine = machine
    this.state = state
    this.#at = at
  }

  /** These facts happen, a second apart, the first of them now. */
  and(...facts: readonly F[]): Given<S, F> {
    const stamped = facts.map((fact, index) => {
      return { seq: this.state.seq + 1 + index, at: NOW + (this.#at + index) * 1_000, fact }
    })
    const state = this.#machine.evolve(this.state, stamped)
    return new Given(this.#machine, state, this.#at + facts.length)
  }

  /** So many seconds after NOW. */
  at(seconds: number): Given<S, F> {
    return new Given(this.#machine, this.state, seconds)
  }

  /** What is not folded: the head's epoch and outbox, what the worker knows. */
  with(more: Partial<S>): Given<S, F> {
    return new Given(this.#machine, { ...this.state, ...more }, this.#at)
  }

  /** What follows has happened too. */
  decided(): Given<S, F> {
    return this.and(...this.decides)
  }

  get decides(): readonly F[] {
    return this.#machine.decide(this.state, this.#now)
  }

  /** The types of what follows. */
  get follows(): readonly string[] {
    return this.decides.map(({ type }) => type)
  }

  /** The ids of the effects that are pending. */
  get pending(): readonly string[] {
    return this.#machine.pendingEffects(this.state, this.#now).map(({ id }) => id)
  }

  accepts(fact: F): boolean {
    return this.#machine.accepts(this.state, fact)
  }

  /** Seconds after NOW. */
  get wakesAt(): number | undefined {
    const at = this.#machine.wakeAt(this.state, this.#now)
    return at === undefined ? undefined : (at - NOW) / 1_000
  }

  get #now(): number {
    return NOW + this.#at * 1_000
  }
}

/** A run of this log, looked at by the worker of epoch 1. */
export const givenRun = (...facts: readonly RunFact[]): Given<RunState, RunFact> =>
  new Given(runMachine, { ...runMachine.initial, epoch: 1 }, 0).and(...facts)

export const givenFanout = (...facts: readonly FanoutFact[]): Given<FanoutState, FanoutFact> =>
  new Given(fanoutMachine, { ...fanoutMachine.initial, epoch: 1 }, 0).and(...facts)
