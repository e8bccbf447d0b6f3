/**
 * How soon a death is healed (I18). Whoever works at a run commits something at least every twenty
 * seconds, were it only its lease; so where nothing is committed for longer its worker has died, and
 * another one's commit must follow in time, unless more goes wrong meanwhile.
 */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { Head } from '../../../src/engine/partition/format.ts'
import type { Shadow } from '../shadow/shadow.ts'
import type { Sim } from '../world/sim.ts'

const HEALED_MS = 150_000
/** Two clocks, each wrong by five seconds at most. */
const SKEW_MS = 10_000

interface Since {
  readonly at: number
  readonly faults: number
}

export class Healing {
  readonly #sim: Sim
  /** Runs that somebody works at: when that was last seen, or when a process died since. */
  readonly #since = new Map<string, Since>()
  readonly #leasedUntil = new Map<string, number>()
  /** How often the minute clock had sent it in vain. */
  readonly #redeliveries = new Map<string, number>()

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** A head was written, with these facts. That the minute clock pushes it is no sign of life. */
  wrote(shadow: Shadow, fresh: readonly RunFact[], { lease, redeliveries }: Head): void {
    const { partition, status } = shadow
    const pushed = this.#redeliveries.get(partition) ?? 0
    this.#redeliveries.set(partition, redeliveries)
    const until = lease?.until ?? 0
    const held = until > (this.#leasedUntil.get(partition) ?? 0)
    this.#leasedUntil.set(partition, until)
    if (fresh.length === 0 && !held) return
    const since = this.#since.get(partition)
    this.#since.delete(partition)
    // What was sent in vain more than once is sent after pauses that double (rule 31).
    if (since && pushed < 2) this.#I18_deathsAreHealed(partition, since)
    if (status === 'running' && !this.#sim.law.alarms.waitsForRoom(shadow)) {
      this.#since.set(partition, this.#now())
    }
  }

  /** A process has died, or has come back that others could not stand in for: the time runs anew. */
  restart(): void {
    for (const partition of this.#since.keys()) this.#since.set(partition, this.#now())
  }

  #I18_deathsAreHealed(partition: string, { at, faults }: Since): void {
    const { schedule, processes, broker, law, quietSince, skews } = this.#sim
    const late = schedule.now - at
    if (late <= HEALED_MS + (skews ? SKEW_MS : 0)) return
    const living = processes.filter(({ alive }) => alive)
    const trouble = Math.max(...living.map((one) => Math.max(one.troubledAt, one.pausedUntil)))
    const calm = this.#sim.faults.total === faults && trouble <= at && quietSince <= at
    const busy = broker.crowdedAt >= at || broker.down || law.suspects.some(at)
    if (!calm || busy || law.newer.has(partition)) return
    law.breach('I18_deathsAreHealed', `${partition}: nothing for ${late} ms`)
  }

  #now(): Since {
    return { at: this.#sim.schedule.now, faults: this.#sim.faults.total }
  }
}
