/**
 * The watchdog's law (I24): nobody holds a place, in a lane or at a receiver, for longer than the
 * longest that one effect may take. A look at a run may last long, as long as it goes on.
 */

import { short } from '../world/names.ts'
import type { Process } from '../world/process.ts'
import type { Sim } from '../world/sim.ts'

/** A quarter of an hour for a model, the time to stop, and storage that is slow three times. */
const RUN_MS = 900_000 + 10_000 + 3 * 95_000
/** A post has 15 s; the rest is storage. */
const OTHER_MS = 20_000 + 6 * 95_000
const LOOK_MS = 30_000

interface Place {
  readonly process: Process
  readonly partition: string
  /** When it was taken, or when something came of it last. */
  since: number
}

export class Places {
  readonly #sim: Sim
  readonly #held = new Set<Place>()
  #checked = 0

  constructor(sim: Sim) {
    this.#sim = sim
  }

  /** A wake is handled; returns what to call when it has been. */
  taken(process: Process, partition: string): () => void {
    if (process.object !== undefined) this.#I2_onePassAtATime(process, partition)
    const place: Place = { process, partition, since: this.#sim.schedule.now }
    this.#held.add(place)
    return () => void this.#held.delete(place)
  }

  /** An object is the only worker for what it holds, so nothing but itself keeps two apart. */
  #I2_onePassAtATime(process: Process, partition: string): void {
    for (const place of this.#held) {
      if (place.process !== process || place.partition !== partition) continue
      const message = `${process.name} makes two passes over ${short(partition)} at once`
      this.#sim.law.breach('I2_onePassAtATime', message)
    }
  }

  /** Facts were committed, which is what looks are for. */
  cameOn(partition: string): void {
    for (const place of this.#held) {
      if (place.partition === partition) place.since = this.#sim.schedule.now
    }
  }

  check(): void {
    const { now } = this.#sim.schedule
    if (now - this.#checked < LOOK_MS) return
    this.#checked = now
    for (const place of this.#held) {
      if (place.process.alive) this.#I24_placesAreGivenBack(place)
      else this.#held.delete(place)
    }
  }

  #I24_placesAreGivenBack({ process, partition, since }: Place): void {
    const { schedule, law } = this.#sim
    const isLog = /\/(?:run|fanout)\//.test(partition)
    const from = Math.max(since, process.pausedUntil)
    const held = schedule.now - from
    if (held <= (isLog ? RUN_MS : OTHER_MS)) return
    const where = `${process.name} at ${short(partition)}`
    law.breach('I24_placesAreGivenBack', `${where}: nothing came of it for ${held} ms`)
  }
}
