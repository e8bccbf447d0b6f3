/**
 * One process of ours: the production engine and HTTP app on a world of its own. It can die at any
 * await (nothing of it ever happens again), stand still for a while, and have a clock that is wrong.
 */

import { createApp } from '../../../src/http/app.ts'
import type { App } from '../../../src/http/request/route.ts'
import type { World } from '../../../src/ports/world.ts'
import type { HomePorts } from './object-ports.ts'
import { makePorts } from './ports.ts'
import type { Owner } from './schedule.ts'
import type { Sim } from './sim.ts'

export const EPOCH = 1_800_000_000_000

/** What a process of the home of objects has that others lack. */
export interface Dwelling {
  readonly name?: string
  readonly object?: string
  readonly skew?: number
  readonly ports?: (process: Process) => HomePorts
}

export class Process implements Owner {
  readonly name: string
  readonly slot: number
  readonly born: number
  alive = true
  pausedUntil = 0
  diedAt = Number.POSITIVE_INFINITY
  /** How wrong its clock is, in ms. */
  skew: number
  /** Commits under way whose fate is that they fail. */
  fated = 0
  #troubledAt = Number.NEGATIVE_INFINITY
  /** Wakes that it handles now. */
  busy = 0
  /** The object whose life it is, in the home of objects. */
  readonly object: string | undefined
  /** When it read a partition last, there where that lies. */
  readonly lookedAt = new Map<string, number>()
  readonly world: World
  #app: App | undefined
  readonly #sim: Sim
  readonly #onDeath = new Set<() => void>()

  constructor(sim: Sim, slot: number, incarnation: number, more: Dwelling = {}) {
    this.slot = slot
    this.name = `${more.name ?? `w${slot}`}.${incarnation}`
    this.object = more.object
    this.born = sim.schedule.now
    this.skew = more.skew ?? (sim.skews ? sim.chance.between(-5_000, 5_000) : 0)
    this.world = makePorts(sim, this, more.ports?.(this))
    this.#sim = sim
  }

  /** Until when something disturbed it: a pause, a store that was slow or refused. */
  get troubledAt(): number {
    return this.fated > 0 ? Number.MAX_SAFE_INTEGER : this.#troubledAt
  }

  trouble(until: number): void {
    this.#troubledAt = Math.max(this.#troubledAt, until)
  }

  /** Built when the first request comes: most processes of a seed die without one. */
  get app(): App {
    const onError = (error: unknown): void => this.#sim.law.threw(this, 'http', error)
    this.#app ??= createApp(this.world, { onError }).app
    return this.#app
  }

  die(): void {
    if (!this.alive) return
    this.alive = false
    this.diedAt = this.#sim.schedule.now
    for (const tell of [...this.#onDeath]) tell()
  }

  /** Calls back when the process dies, until the returned function is called. */
  onDeath(tell: () => void): () => void {
    this.#onDeath.add(tell)
    return () => this.#onDeath.delete(tell)
  }
}
