/**
 * Lanes of the home of objects, as `src/hosts/cloudflare/lanes/{lane-object,lane-place}.ts` keep
 * them: an object asks before a run starts, whoever waits is called back, and a place that nobody gives back
 * is free when its time is over.
 */

import { workerOf } from '../../../src/hosts/cloudflare/bindings/address.ts'
import type { LanePlaces } from '../../../src/hosts/cloudflare/lanes/lane-place.ts'
import { poolOf } from '../../../src/hosts/cloudflare/lanes/lanes.ts'
import type { Wake } from '../../../src/ports/world.ts'
import { remote } from './ports.ts'
import type { Process } from './process.ts'
import type { Sim } from './sim.ts'

// As there.
const PLACE_MS = 1_200_000
const CALLED_MS = 30_000
const ASK_AGAIN_MS = 60_000
const LANE_RETRY_MS = 5_000

interface Lane {
  /** By partition: until when. */
  readonly places: Map<string, number>
  readonly waiting: Map<string, Wake>
}

export class Lanes {
  readonly #sim: Sim
  readonly #width: number
  readonly #lanes = new Map<string, Lane>()
  /** Calls the object back that waits. */
  readonly #callBack: (object: string, wake: Wake) => void

  constructor(sim: Sim, width: number, callBack: (object: string, wake: Wake) => void) {
    this.#sim = sim
    this.#width = width
    this.#callBack = callBack
  }

  /** Of one life of an object. */
  placesFor(by: Process): LanePlaces {
    const held = new Set<string>()
    return {
      take: (wake) => this.#take(by, wake, held),
      giveBack: (partition) => this.#giveBack(by, partition, held),
    }
  }

  async #take(by: Process, wake: Wake, held: Set<string>): Promise<number | undefined> {
    const { partition } = wake
    const pool = poolOf(wake)
    if (!pool || held.has(partition)) return undefined
    try {
      const label = `asks the lane ${pool}`
      const isIn = await remote(this.#sim, by, {
        ...{ label, ms: [1, 6], throttle: 'store throttle' },
        apply: () => this.#enter(pool, wake),
      })
      if (!isIn) return ASK_AGAIN_MS
      held.add(partition)
      return undefined
    } catch {
      return LANE_RETRY_MS
    }
  }

  async #giveBack(by: Process, partition: string, held: Set<string>): Promise<void> {
    if (!held.delete(partition)) return
    const how = { label: 'leaves the lane', ms: [1, 6], throttle: 'store throttle' } as const
    const apply = (): void => {
      for (const lane of this.#lanes.values()) {
        lane.places.delete(partition)
        lane.waiting.delete(partition)
        this.#next(lane)
      }
    }
    await remote(this.#sim, by, { ...how, apply }).catch(() => undefined)
  }

  #enter(pool: string, wake: Wake): boolean {
    const lane = this.#lanes.get(pool) ?? { places: new Map(), waiting: new Map() }
    this.#lanes.set(pool, lane)
    const { partition } = wake
    this.#expire(lane)
    const isIn = lane.places.has(partition) || lane.places.size < this.#width
    if (isIn) this.#place(lane, partition, PLACE_MS)
    else {
      lane.waiting.set(partition, wake)
      this.#sim.rare('a lane is full')
    }
    this.#crowd()
    return isIn
  }

  #place(lane: Lane, partition: string, ms: number): void {
    lane.waiting.delete(partition)
    lane.places.set(partition, this.#sim.schedule.now + ms)
    this.#sim.schedule.after(ms, null, '', () => this.#next(lane))
  }

  #expire({ places }: Lane): void {
    const { now } = this.#sim.schedule
    for (const [partition, until] of places) if (until <= now) places.delete(partition)
  }

  #next(lane: Lane): void {
    this.#expire(lane)
    while (lane.places.size < this.#width) {
      const [next] = lane.waiting.values()
      if (!next) break
      this.#place(lane, next.partition, CALLED_MS)
      this.#callBack(workerOf(next.partition), next)
    }
    this.#crowd()
  }

  /** While somebody waits, nothing is promised of how soon work begins. */
  #crowd(): void {
    const { broker, schedule } = this.#sim
    const waits = [...this.#lanes.values()].some(({ waiting }) => waiting.size > 0)
    if (waits) broker.crowdedAt = Number.MAX_SAFE_INTEGER
    else if (broker.crowdedAt > schedule.now) broker.crowdedAt = schedule.now
  }
}
