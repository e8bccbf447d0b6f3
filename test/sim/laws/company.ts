/**
 * A run that may be killing its workers goes alone in its process (rule 34): while a counted look at
 * it is under way nobody looks at another one there, and it waits for those that are at work.
 */

import type { Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'
import type { Round } from './hops.ts'

/** Nobody waits for a suspect for longer than a minute, nor it for others than ten seconds. */
const ALONE_MS = 55_000
const QUIET_MS = 9_000
/** Who was troubled so shortly before a look may have come to it late. */
const CALM_MS = 1_000

interface Look {
  readonly process: Process
  readonly partition: string
  readonly began: number
  /** It was looked at in passing, and now waits for its own turn. */
  readonly suspect: boolean
}

interface Alone {
  readonly partition: string
  readonly since: number
}

export class Company {
  readonly #sim: Sim
  readonly #looks = new Map<Round, Look>()
  /** Who is alone in a process, and since when. */
  readonly #alone = new Map<Process, Alone>()
  readonly #beside: {
    readonly process: Process
    readonly partition: string
    readonly alone: Alone
  }[] = []

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** A log is read; `round`: for this wake. */
  read(process: Process, round: Round | undefined, partition: string): void {
    if (round?.wake.partition !== partition || this.#looks.has(round)) return
    if (!/\/(?:run|fanout)\//.test(partition)) return
    const { now } = this.#sim.schedule
    const suspect = this.#sim.law.suspects.isOne(partition)
    this.#looks.set(round, { process, partition, began: now, suspect })
    const alone = this.#alone.get(process)
    if (alone && now - alone.since < ALONE_MS) this.#beside.push({ process, partition, alone })
  }

  /** Everything that happens at one moment has happened: who came as the other left was not beside it. */
  settled(): void {
    for (const { process, partition, alone } of this.#beside.splice(0)) {
      if (this.#alone.get(process) !== alone) continue
      this.#I17_suspectsGoAlone(process, alone.partition, partition, alone.since)
    }
  }

  /** The wake has been handled. */
  over(process: Process, round: Round): void {
    this.#looks.delete(round)
    const { partition } = round.wake
    if (this.#alone.get(process)?.partition === partition) this.#alone.delete(process)
  }

  /** A look at a suspect was counted: from now on it goes alone. */
  counted(process: Process | undefined, partition: string): void {
    if (!process?.alive) return
    const { now } = this.#sim.schedule
    this.#sim.rare('a suspect goes alone')
    this.#alone.set(process, { partition, since: now })
    for (const look of this.#looks.values()) {
      const { began, suspect } = look
      if (look.process !== process || suspect || now - began > QUIET_MS) continue
      this.#I17_suspectsGoAlone(process, partition, look.partition, began)
    }
  }

  #I17_suspectsGoAlone(process: Process, one: string, other: string, since: number): void {
    const { law } = this.#sim
    if (one === other || process.troubledAt > since - CALM_MS) return
    if (law.newer.has(one) || law.suspects.isOne(other)) return
    law.breach('I17_suspectsGoAlone', `${process.name} looks at ${one} and at ${other} at once`)
  }
}
