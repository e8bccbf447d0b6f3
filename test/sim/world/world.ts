/**
 * One seed: a world with its faults on, then with its faults stopped. Everything is the production
 * code except what it stands on: time, chance, store, bucket, queue, model, tools and receivers.
 */

// The engine loads it at the first search, which would take real time within a world.
import 'minisearch'
import { wakeSweep } from '../../../src/engine/worker/sweep.ts'
import { resume } from '../../../src/engine/worker/tick.ts'
import { Clients } from '../actors/clients.ts'
import { headerOf } from '../cli/header.ts'
import type { FaultKind, Mix } from '../faults/faults.ts'
import { drawMix, Faults } from '../faults/faults.ts'
import { atRest } from '../laws/finals.ts'
import type { Violation } from '../laws/invariants.ts'
import { Invariants } from '../laws/invariants.ts'
import { Broker } from './broker.ts'
import { isHalting } from './halts.ts'
import { Home } from './home.ts'
import { isRemembering } from './memory.ts'
import { MinuteClock } from './minute.ts'
import { frontPorts } from './object-ports.ts'
import { ObjectServer } from './objects.ts'
import type { Operation } from './operations.ts'
import { killers, workload } from './plan.ts'
import { EPOCH, Process } from './process.ts'
import type { Chance } from './random.ts'
import { chance } from './random.ts'
import { Schedule } from './schedule.ts'
import { OBJECTS } from './seeds.ts'
import { prepare } from './setup.ts'
import type { Profile, Sim } from './sim.ts'
import { DUE_PAGE, StoreServer } from './store.ts'
import { areTwins } from './tenants.ts'

export interface Plan {
  readonly seed: number
  /** What clients do; drawn from the seed when absent. */
  readonly operations?: readonly Operation[]
  /** Whether a tenant has an endpoint; drawn from the seed when absent, and operations are drawn. */
  readonly listens?: boolean
  /** Nothing ages in it: no snapshots, no deletion, no small pages of what is due. */
  readonly young?: boolean
  /** Clocks do not move between two readings, and slow storage is waited for: as it was when it was found. */
  readonly exact?: boolean
  readonly mix?: Mix
  readonly profile?: Profile
  readonly processes?: number
  readonly inject?: Sim['inject']
  readonly record?: boolean
}

export interface Result {
  readonly seed: number
  readonly violations: readonly Violation[]
  readonly fingerprint: string
  readonly commits: number
  readonly faults: Partial<Record<FaultKind, number>>
  readonly deaths: number
  readonly rare: Record<string, number>
  readonly hours: number
  readonly events: number
  readonly operations: number
  /** What kind of world it is, when it is recorded. */
  readonly header: readonly string[]
  readonly timeline: readonly string[]
}

const MINUTE = 60_000
const RETENTIONS = [null, null, 20 * MINUTE, 24 * 60 * MINUTE] as const
/** An outage may last an hour longer than the faults, a parked run another; deliveries longer. */
const SWEEP_MS = 20 * MINUTE
const HEALED_MS = 170 * MINUTE
const DELIVERED_MS = 120 * 60 * MINUTE

export class World implements Sim {
  readonly profile: Profile
  readonly skews: boolean
  readonly wobbles: boolean
  readonly schedule: Schedule
  readonly chance: Chance
  readonly faults: Faults
  readonly store: StoreServer
  readonly objects = new ObjectServer(() => EPOCH + this.schedule.now)
  readonly broker: Broker
  readonly law: Invariants
  readonly processes: Process[] = []
  readonly settings: Sim['settings']
  readonly inject: Sim['inject']
  operations = 0
  deaths = 0
  quietSince = 0
  modelBackAt = 0
  readonly rares: Record<string, number> = {}
  endpoint: Sim['endpoint']
  remembers = false
  halts = false
  readonly twins: boolean
  readonly home: Home | undefined
  readonly #seed: Chance
  #incarnations = 0
  #header: readonly string[] = []
  readonly #operations: readonly Operation[]

  constructor(plan: Plan) {
    const seed = chance(plan.seed)
    this.#seed = seed
    const shape = seed.fork('shape')
    this.profile = plan.profile ?? profileOf(plan.seed, shape)
    this.#operations = plan.operations ?? workloadOf(this.profile, seed)
    this.twins = areTwins(this.#operations)
    this.skews = shape.flip(0.5)
    this.wobbles = !plan.young && !plan.exact
    this.chance = seed.fork('world')
    this.schedule = new Schedule(seed.fork('order'))
    if (plan.record) this.schedule.record()
    const mix = plan.mix ?? drawMix(seed.fork('mix'))
    this.faults = new Faults(seed.fork('faults'), mix, (text) => this.schedule.note(text))
    this.settings = {
      flushMs: shape.pick([0, 250, 5_000]),
      sliceMs:
        this.profile === 'node' ? Number.MAX_SAFE_INTEGER : shape.pick([5_000, 60_000, 600_000]),
      spillBytes: shape.pick([600, 4_096, 32_768]),
      maxLiveChildren: shape.pick([1, 2, 4, 32]),
      maxDepth: shape.pick([1, 1, 2]),
      modelPatienceSeconds: plan.young ? 0 : seed.fork('patience').pick([0, 0, 60, 3_600]),
      snapshotFacts: plan.young ? undefined : seed.fork('snapshots').pick([undefined, 3, 8]),
      retentionMs: plan.young ? null : seed.fork('retention').pick(RETENTIONS),
    }
    this.inject = plan.inject
    this.law = new Invariants(this)
    const minutes = new MinuteClock(this)
    this.store = new StoreServer(
      (applied) => {
        this.law.committed(applied)
        this.home?.changed(applied.partition)
      },
      (row, update, of) =>
        this.profile === 'objects'
          ? minutes.copyLater(row, update, of)
          : minutes.indexLater(row, update),
      plan.young ? DUE_PAGE : seed.fork('due page').pick([DUE_PAGE, DUE_PAGE, 2]),
      this.profile === 'objects',
    )
    this.broker = new Broker(this, shape.pick([1, 2, 4, 16]), seed.fork('hidden'))
    const count = this.profile === 'node' ? 1 : (plan.processes ?? shape.between(2, 4))
    if (this.profile === 'objects') {
      this.home = new Home(this, seed.fork('home'), count, (slot, process) => {
        this.processes[slot] = process
      })
    }
    // Slot 0 of the clouds is the minute clock's own function; it takes no messages.
    for (let slot = 0; slot < count; slot += 1) this.#born(slot)
  }

  async run(plan: Plan): Promise<Result> {
    const clients = await this.#begin(plan)
    const faulty = this.inject ? 10 * MINUTE : this.#seed.fork('length').between(60, 900) * 1000
    await this.schedule.run(faulty)
    this.faults.end()
    this.schedule.note('faults stop')
    this.quietSince = this.schedule.now
    const { now } = this.schedule
    for (const one of this.processes) one.pausedUntil = Math.min(one.pausedUntil, now)
    await this.schedule.run(faulty + HEALED_MS)
    this.#I15_healedInTime()
    clients.comeBackLater()
    this.#sweep()
    await this.schedule.run(faulty + DELIVERED_MS)
    if (this.law.violations.length === 0) atRest(this)
    if (this.law.violations.length === 0 && clients.active > 0)
      this.law.breach('I18_clientsAreAnswered', `${clients.active} clients wait for ever`)
    return this.#result(plan)
  }

  async #begin(plan: Plan): Promise<Clients> {
    const drawn = !plan.operations && !this.inject
    const listens = plan.listens ?? (drawn && listensIn(this.#seed))
    const operations = this.#operations
    this.remembers = isRemembering(operations)
    this.halts = isHalting(operations)
    const { keys, endpoint } = await prepare(this, listens)
    this.endpoint = endpoint
    const clients = new Clients(this, keys)
    const { seed } = plan
    if (plan.record) this.#header = headerOf(this, { seed, mix: this.faults.mix, operations })
    for (const operation of operations) clients.start(operation)
    this.#disturb()
    return clients
  }

  // ── Processes ────────────────────────────────────────────────────────────────────────────────

  #born(slot: number): void {
    this.#incarnations += 1
    // In the clouds slot numbers begin at 0 for the minute clock, on Node slot 1 does everything.
    const { home } = this
    const process = home
      ? new Process(this, slot + 1, this.#incarnations, {
          ports: (front) => frontPorts(this, home, front),
        })
      : new Process(this, this.profile === 'node' ? 1 : slot, this.#incarnations)
    this.processes[slot] = process
    if (this.profile === 'node' && this.#incarnations > 1) {
      this.schedule.after(1, process, `${process.name} recovers`, () => {
        this.law.awake.restarted()
        resume(process.world).catch((error: unknown) => this.law.threw(process, 'recover', error))
      })
    }
    // Nobody stands in for the minute clock, nor for the one process of a node.
    if (process.slot === 0 || this.profile === 'node') this.law.healing.restart()
    this.broker?.pump()
  }

  kill(process: Process): void {
    if (!process.alive) return
    this.deaths += 1
    this.quietSince = this.schedule.now
    this.schedule.note(`${process.name} dies`)
    process.die()
    this.law.healing.restart()
    // Who asks for an object, or its alarm, brings it back.
    if (process.object !== undefined) return this.home?.died(process)
    const back = this.chance.pick([500, 3_000, 20_000, 100_000])
    const slot = this.processes.indexOf(process)
    this.schedule.after(this.faults.over ? 500 : back, null, 'a process starts', () => {
      this.#born(slot)
      const next = this.processes[slot]
      if (!next || !this.faults.strikes('death again', next.name)) return
      const ms = this.chance.pick([50, 500, 3_000])
      this.schedule.after(ms, null, '', () => this.faults.over || this.kill(next))
    })
  }

  /** The bucket is swept when all has healed: what the faults have left is to go then. */
  #sweep(): void {
    this.schedule.after(SWEEP_MS, null, '', () => {
      const [process] = this.processes
      if (process?.alive)
        wakeSweep(process.world).catch((error: unknown) => this.law.threw(process, 'sweep', error))
      this.#sweep()
    })
  }

  /** Deaths, pauses and outages come at moments of their own, not at operations. */
  #disturb(): void {
    if (this.faults.over) return
    this.schedule.after(this.chance.between(500, 6_000), null, '', () => {
      if (this.faults.over) return
      // What rests has nothing to lose.
      const working = this.home ? [...this.doors, ...this.home.busy()] : [...this.processes]
      for (const process of working) {
        if (!process.alive) continue
        if (this.faults.strikes('worker death', process.name)) this.#struck(process)
        else if (this.faults.strikes('worker pause', process.name)) this.#pause(process)
      }
      if (this.home && this.faults.strikes('consumers down')) this.#deployed(this.home)
      else if (this.profile !== 'node' && this.faults.strikes('consumers down')) this.#outage()
      this.#disturb()
    })
  }

  #struck(process: Process): void {
    this.law.objects.struck(process)
    this.kill(process)
  }

  /** A deployment: all that live end at once. */
  #deployed(home: Home): void {
    this.schedule.note('a new version is deployed')
    this.rare('a deployment')
    for (const process of [...this.doors, ...home.living()]) this.#struck(process)
  }

  get doors(): readonly Process[] {
    return this.home ? this.processes.filter(({ object }) => object === undefined) : this.processes
  }

  #pause(process: Process): void {
    const ms = this.chance.pick([2_000, 20_000, 70_000, 90_000])
    this.schedule.note(`${process.name} stands still for ${ms} ms`)
    process.pausedUntil = this.schedule.now + ms
    process.trouble(process.pausedUntil)
  }

  #outage(): void {
    const ms = this.chance.pick([1, 5, 30, 60]) * MINUTE
    this.schedule.note(`consumers are down for ${ms / MINUTE} min`)
    this.broker.pause(true)
    this.schedule.after(ms, null, 'consumers are back', () => {
      this.broker.pause(false)
      this.quietSince = this.schedule.now
    })
  }

  // ── The end ──────────────────────────────────────────────────────────────────────────────────

  #I15_healedInTime(): void {
    const logs = [...this.law.runs.values(), ...this.law.fanouts.byPartition.values()]
    for (const log of logs) {
      const { partition, status } = log
      // Whoever could seal it may still come.
      if ('pages' in log && log.spec?.open && !log.sealed) continue
      if (['completed', 'failed', 'cancelled', 'timed_out'].includes(status)) continue
      this.law.breach('I15_healedInTime', `${partition} is ${status} long after the last fault`)
      return
    }
  }

  rare(name: string): void {
    this.rares[name] = (this.rares[name] ?? 0) + 1
  }

  #result({ seed }: Plan): Result {
    return {
      seed,
      violations: this.law.violations,
      fingerprint: this.schedule.fingerprint,
      commits: this.law.commits,
      faults: this.faults.counts,
      deaths: this.deaths,
      rare: this.rares,
      hours: this.schedule.now / 3_600_000,
      events: this.schedule.events,
      operations: this.operations,
      header: this.#header,
      timeline: this.schedule.lines,
    }
  }
}

const profileOf = (seed: number, shape: Chance): Profile => {
  const drawn = shape.pick(['sqs', 'cloudflare', 'node'] as const)
  return seed >= OBJECTS ? 'objects' : drawn
}

export const workloadOf = (profile: Profile, seed: Chance): readonly Operation[] => {
  const operations = workload(seed.fork('workload'))
  if (profile !== 'objects') return operations
  return [...operations, ...killers(seed.fork('killers'))].sort((one, two) => one.at - two.at)
}

/** Whether a seed has an endpoint. */
export const listensIn = (seed: Chance): boolean => seed.fork('endpoints').flip(0.5)

export async function simulate(plan: Plan): Promise<Result> {
  return new World(plan).run(plan)
}
