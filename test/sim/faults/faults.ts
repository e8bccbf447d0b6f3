/**
 * What may go wrong, and how often. Each seed sets each kind to off, normal, three times or six
 * times as likely, so that rare combinations occur. A kind is drawn where its operation happens.
 */

import type { Chance } from '../world/random.ts'

/** Probability of each kind at each of its occasions, at the normal setting. */
const BASE = {
  /** A commit is refused although nothing stood in its way. */
  'store conflict': 0.01,
  /** An operation throws: the store is throttled beyond what its client retries. */
  'store throttle': 0.004,
  /** A commit times out and was not applied. */
  'store lost write': 0.008,
  /** A commit times out although it was applied. */
  'store hidden write': 0.012,
  /** A read mixes rows from before and after a commit. */
  'store torn read': 0.06,
  /** An operation takes seconds to minutes. */
  'store slow': 0.004,
  /** The index of alarms lags. */
  'index lag': 0.05,
  'object throttle': 0.002,
  /** A create-only put is repeated by the client library and refused by its own first try. */
  'object repeated': 0.02,
  'queue duplicate': 0.05,
  'queue delay': 0.05,
  'queue loss': 0.02,
  /** The queue refuses to take messages. */
  'queue refusal': 0.01,
  'model refusal': 0.05,
  'model cut': 0.03,
  'model slow': 0.03,
  'tool slow': 0.04,
  'tool failure': 0.04,
  /** The tool did its work and its answer was lost. */
  'tool lost answer': 0.03,
  'server down': 0.01,
  /** The list of its tools takes long. */
  'server slow': 0.03,
  'receiver refusal': 0.08,
  'receiver lost answer': 0.05,
  'receiver hang': 0.02,
  'client lost answer': 0.03,
  'client disconnect': 0.05,
  /** At each of its occasions, some seconds apart. */
  'worker death': 0.02,
  'worker pause': 0.015,
  'consumers down': 0.004,
  'tick lost': 0.05,
  /** Whoever comes after a dead process dies soon, too. */
  'death again': 0.15,
  /** A wake that went round so often that it is dropped. */
  'queue worn wake': 0.01,
  /** Peers that never answer, go on for ever, or make no sense (peers.ts). */
  'model silent': 0.004,
  'model endless': 0.004,
  'model absurd': 0.01,
  'server silent': 0.004,
  'tool silent': 0.006,
  'tool absurd': 0.01,
  'receiver silent': 0.02,
  'receiver absurd': 0.02,
  /** The provider is down for minutes to an hour. */
  'model outage': 0.01,
} as const

export type FaultKind = keyof typeof BASE
export const FAULT_KINDS = Object.keys(BASE) as FaultKind[]

/** How many times as likely as in `BASE`; a seed draws 0, 1, 3 or 6, a kept plan may say more. */
export type Mix = Readonly<Record<FaultKind, number>>

export function drawMix(chance: Chance): Mix {
  const levels = [0, 0, 0, 1, 1, 1, 3, 3, 6] as const
  return Object.fromEntries(FAULT_KINDS.map((kind) => [kind, chance.pick(levels)])) as Mix
}

export const NO_FAULTS = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Mix

export class Faults {
  readonly counts: Partial<Record<FaultKind, number>> = {}
  readonly #chance: Chance
  /** What came later to this list draws from its own, so that the rest falls as it did. */
  readonly #worn: Chance
  readonly #peers: Chance
  readonly #outages: Chance
  readonly mix: Mix
  readonly #note: (text: string) => void
  #over = false

  constructor(chance: Chance, mix: Mix, note: (text: string) => void = () => undefined) {
    this.#note = note
    this.#chance = chance
    this.#worn = chance.fork('worn')
    this.#peers = chance.fork('peers')
    this.#outages = chance.fork('outages')
    this.mix = mix
  }

  /** From now on nothing goes wrong any more. */
  end(): void {
    this.#over = true
  }

  get over(): boolean {
    return this.#over
  }

  /** How long the outage that begins now lasts (ms). */
  outageMs(): number {
    return this.#outages.pick([20_000, 60_000, 600_000, 3_000_000])
  }

  /** Whether this goes wrong now; `whom` it strikes, for the timeline. */
  strikes(kind: FaultKind, whom = ''): boolean {
    const drawn = this.#of(kind).next()
    if (this.#over || drawn >= BASE[kind] * (this.mix[kind] ?? 0)) return false
    this.counts[kind] = (this.counts[kind] ?? 0) + 1
    this.#note(`    ! ${kind} ${whom}`.trimEnd())
    return true
  }

  #of(kind: FaultKind): Chance {
    if (kind === 'queue worn wake') return this.#worn
    if (kind === 'model outage') return this.#outages
    return / (?:silent|endless|absurd)$/.test(kind) ? this.#peers : this.#chance
  }

  get total(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0)
  }
}
