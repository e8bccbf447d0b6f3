/**
 * How often the model is really asked (I16). Facts say how many attempts failed; who asks again
 * within one of them, with no fact in between, spends tokens that nobody counts. It may when the
 * answer may be lost: its asker died, was disturbed, or has asked at the same time as another one.
 */

import type { Shadow } from '../shadow/shadow.ts'
import { EPOCH, type Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import type { Round } from './hops.ts'
import { actingOn } from './tenancy.ts'

interface Ask {
  readonly process: Process
  /** The wake that it came of: one look at the run. */
  readonly round: Round | undefined
  readonly at: number
  /** Failures that stood in the log, and how long it was. */
  readonly failed: number
  readonly facts: number
}

/** Just before it asked. */
const BEFORE_MS = 1_000
/** Who looks at the run within so long of another may have asked on what did not count. */
const AT_ONCE_MS = 20_000

export class Attempts {
  readonly #sim: Sim
  /** By run, turn and model. */
  readonly #asks = new Map<string, Ask[]>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  I16_attemptsAreFacts(
    process: Process,
    shadow: Shadow,
    { turn, model }: { readonly turn: number; readonly model: string },
  ): void {
    // A zombie asks what has been answered long ago.
    if (turn !== shadow.steps) return
    const { now } = this.#sim.schedule
    // Of a chain each model is asked once in an attempt.
    const key = `${shadow.partition} ${turn} ${model}`
    const asks = this.#asks.get(key) ?? []
    const failed = shadow.attempts
    const round = actingOn()
    this.#asks.set(key, [...asks, { process, round, at: now, failed, facts: shadow.facts.length }])
    const same = asks.filter(
      (one) => one.failed === failed && !mayBeLost(one) && !isOvertaken(shadow, one),
    )
    const first = same.find((one) => one.round === round && one.facts === shadow.facts.length)
    // What one of two has asked may rest on results of which the other's are the ones that count.
    if (!first || asks.some((one) => one.round !== first.round && one.at > now - 2 * AT_ONCE_MS))
      return
    const message = `${key}: asked again by ${process.name}, ${now - first.at} ms after ${first.process.name}`
    this.#sim.law.breach('I16_attemptsAreFacts', message)
  }
}

/**
 * A question of this turn was answered though its time was over: the model may have been asked as if
 * nobody had answered, which was about to be committed when the answer came, and that counts.
 */
function isOvertaken({ facts }: Shadow, { at }: Ask): boolean {
  const turn = facts.slice(facts.findLastIndex(({ type }) => type === 'assistant.message'))
  const over = turn.flatMap((fact) =>
    fact.type === 'question.asked' && fact.expires_at - EPOCH < at + MOMENT_MS ? [fact.call] : [],
  )
  return turn.some(
    (fact) =>
      fact.type === 'question.answered' && fact.outcome === 'answered' && over.includes(fact.call),
  )
}
/** Clocks of processes differ by a few seconds at the most. */
const MOMENT_MS = 5_000

const mayBeLost = ({ process, at }: Ask): boolean =>
  !process.alive || process.troubledAt > at - BEFORE_MS
