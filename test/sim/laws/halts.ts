/** What a pause promises: no model or tool call of the tenant begins later than 5 s after it. */

import type { Sim } from '../world/sim.ts'

const PROMISED_MS = 5_000

export class Halts {
  readonly #sim: Sim
  /** When the halt of each tenant was acknowledged. */
  readonly #since = new Map<string, number>()
  readonly #ever = new Set<string>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** Whether a partition belongs to a tenant that has ever been halted: its work may be late. */
  wasHalted(partition: string): boolean {
    return this.#ever.has(partition.split('/')[0]!)
  }

  /** The request is on its way, so that work may wait from now on. */
  halting(tenant: string): void {
    this.#ever.add(tenant)
  }

  halted(tenant: string): void {
    this.#since.set(tenant, this.#sim.schedule.now)
  }

  resuming(tenant: string): void {
    this.#since.delete(tenant)
  }

  /** Judges the beginning of a call. */
  I26_noCallBeginsWhileHalted(tenant: string | undefined, call: string): void {
    const since = tenant === undefined ? undefined : this.#since.get(tenant)
    if (since === undefined) return
    const late = this.#sim.schedule.now - since
    if (late <= PROMISED_MS) return this.#sim.rare('a call begins just after a halt')
    const message = `${call} begins for ${tenant} ${Math.round(late)} ms after it was halted`
    this.#sim.law.breach('I26_noCallBeginsWhileHalted', message)
  }
}
