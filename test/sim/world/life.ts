/**
 * One life of a Durable Object, as `src/hosts/cloudflare/object/partition-object.ts` lives it: passes over
 * its partitions by the passes that are deployed; wakes and what is under way are in memory and end
 * with it; its one alarm stays. `home.ts` brings it to life and ends it.
 */

import { dispatch } from '../../../src/engine/dispatch.ts'
import { recover, tick } from '../../../src/engine/worker/tick.ts'
import { holderOf } from '../../../src/hosts/cloudflare/bindings/address.ts'
import type { Question } from '../../../src/hosts/cloudflare/bindings/bindings.ts'
import { newBudget } from '../../../src/hosts/cloudflare/bindings/budget.ts'
import { Passes } from '../../../src/hosts/cloudflare/object/passes.ts'
import { wakeBy } from '../../../src/hosts/cloudflare/object/wakes.ts'
import type { HeadWrite, Row, RowSearch, Wake, World, Write } from '../../../src/ports/world.ts'
import { type Round, seqOf } from '../laws/hops.ts'
import { actingFor } from '../laws/tenancy.ts'
import type { Durable, Home } from './home.ts'
import { nameOf } from './names.ts'
import { objectPorts } from './object-ports.ts'
import { Process } from './process.ts'
import type { Sim } from './sim.ts'

// As there.
const BACKSTOP_MS = 30_000
const ALARM_MS = 840_000
const SOON_MS = 1_200_000
/** Who is idle is put away by the platform, soon or late. */
const IDLE_MS = [10_000, 70_000, 140_000] as const

export class ObjectLife {
  readonly process: Process
  readonly #sim: Sim
  readonly #home: Home
  readonly #object: Durable
  readonly budget: ReturnType<typeof newBudget>
  readonly #passes: Passes
  #recovery: Promise<void> | undefined
  #armed: number | undefined | null = null
  #idle = 0
  inAlarm = false

  constructor(sim: Sim, home: Home, object: Durable) {
    this.#sim = sim
    this.#home = home
    this.#object = object
    this.budget = newBudget({ queries: home.most, calls: home.most })
    this.process = new Process(sim, object.slot, object.lives, {
      name: `o${object.slot}`,
      object: object.name,
      skew: object.skew,
      ports: (process) => objectPorts(sim, home, { process, life: this }),
    })
    const { process } = this
    this.#passes = new Passes({
      budget: this.budget,
      places: home.lanes.placesFor(process),
      dispatch: (wake) => this.#dispatch(wake),
      clock: { now: () => this.#now(), timer: (ms) => this.#timer(ms) },
      onError: (where, error) => this.#threw(where, error),
      alarm: () => sim.store.nextAlarm(this.#isHere),
      tick: (now) => this.#tick(now),
      until: () => undefined,
      onBegin: () => this.arm(),
      onRest: async () => {
        this.arm()
        this.#rests()
      },
    })
    this.#rests()
  }

  get isBusy(): boolean {
    return this.#passes.isAtWork
  }

  // ── Calls ──

  read(partition: string, after?: string): Row[] {
    this.#ready()
    return this.#sim.store.read(partition, after)
  }

  heads(partitions: readonly string[]): (Row | null)[] {
    this.#ready()
    return partitions.map((one) => this.#sim.store.head(one))
  }

  answer(questions: readonly Question[]): (readonly (Row | null)[])[] {
    this.#ready()
    const { store } = this.#sim
    return questions.map((one) =>
      'of' in one ? store.read(one.of, one.after) : one.heads.map((of) => store.head(of)),
    )
  }

  commit(by: Process, p: string, writes: readonly Write[], head?: HeadWrite): 'ok' | 'conflict' {
    this.#ready()
    const result = this.write(by, p, writes, head)
    if (result === 'ok') this.#world.feed.publish(p, { type: 'changed' })
    return result
  }

  drop(partition: string): void {
    this.#ready()
    this.remove(partition)
  }

  list(under: string, before?: string, limit?: number) {
    this.#ready()
    return this.#sim.store.list(under, before, limit)
  }

  find(under: string, wanted: RowSearch) {
    this.#ready()
    return this.#sim.store.find(under, wanted)
  }

  wake(wakes: readonly Wake[], delayMs: number): void {
    this.#rests()
    this.#passes.add(wakes, delayMs > 0 ? this.#now() + delayMs : 0)
    if (delayMs > 0) this.arm()
    else void this.#passes.begin()
  }

  /** Of what it was told when it began: its rows, and those who look at them. */
  #ready(): void {
    this.#rests()
    void this.#recovered()
  }

  // ── Rows ──

  write(by: Process, p: string, writes: readonly Write[], head?: HeadWrite): 'ok' | 'conflict' {
    const { law, store, schedule } = this.#sim
    const result = law.holders.by(by, () => store.commit(p, writes, head))
    schedule.note(`    → ${result}`)
    if (result === 'conflict') {
      by.trouble(schedule.now)
      law.holders.refused(by, p)
      return result
    }
    this.arm()
    if (head?.wakes && head.alarm) this.wake([wakeBy(p, head.alarm)], 0)
    return result
  }

  remove(partition: string): void {
    this.#sim.law.retention.dropping(partition)
    this.#sim.store.drop(partition)
    this.arm()
  }

  /** Without what is being passed over: whoever does that knows what is due. */
  due(now: number, cursor?: string) {
    const { entries, ...more } = this.#sim.store.due(now, cursor, this.#isHere)
    return { ...more, entries: entries.filter(({ partition }) => !this.#passes.has(partition)) }
  }

  readonly #isHere = (partition: string): boolean => holderOf(partition) === this.#object.name

  // ── Passes ──

  async alarm(): Promise<void> {
    this.#rests()
    this.#armed = null
    const end = this.#timer(ALARM_MS)
    await this.#recovered()
    await Promise.race([this.#passes.begin(), end.over])
    end.clear()
    this.inAlarm = false
    this.arm()
  }

  async #tick(now: number): Promise<void> {
    if (this.due(now).entries.length === 0) return
    const { queue } = this.#world
    const send: typeof queue.send = (wakes, delayMs) => {
      for (const { partition } of wakes) this.#sim.law.alarms.I18_theTickBacksOff(partition)
      return queue.send(wakes, delayMs)
    }
    await tick({ ...this.#world, queue: { send } })
  }

  async #dispatch(wake: Wake): Promise<void> {
    const { partition } = wake
    const { law, schedule } = this.#sim
    schedule.note(`${this.process.name} takes ${nameOf(partition)}`)
    void this.#recovered()
    const round: Round = { wake, seq: seqOf(this.#sim, partition) }
    const leave = law.places.taken(this.process, partition)
    const act = () => dispatch(this.#world, wake)
    try {
      await actingFor(partition.split('/')[0]!, act, round)
    } finally {
      leave()
      law.company.over(this.process, round)
    }
  }

  /** Once in its life: what the life before it was at goes on. Never rejects. */
  #recovered(): Promise<void> {
    this.#recovery ??= this.#recover().catch((error: unknown) => this.#threw('recovery', error))
    return this.#recovery
  }

  async #recover(): Promise<void> {
    const alarm = this.#sim.store.nextAlarm(this.#isHere)
    if (alarm === undefined || alarm > this.#now() + SOON_MS) return
    if (this.due(alarm).entries.length > 0) await recover(this.#world)
  }

  // ── Time ──

  arm(): void {
    if (!this.process.alive) return
    const at = this.isBusy ? this.#backstop() : this.#passes.next()
    if (at === this.#armed) return
    this.#armed = at
    this.#home.setAlarm(this.#object, at === undefined ? undefined : Math.max(at, this.#now()))
  }

  #backstop(): number {
    const at = this.#now() + BACKSTOP_MS
    return this.#armed == null ? at : Math.min(this.#armed, at)
  }

  #threw(where: string, error: unknown): void {
    this.#sim.law.threw(this.process, where, error)
  }

  #now(): number {
    return this.#home.now(this.#object)
  }

  get #world(): World {
    return this.process.world
  }

  /** Somebody asked for it: from now on it is idle, unless it works. */
  #rests(): void {
    this.#idle += 1
    const idle = this.#idle
    const ms = this.#sim.chance.fork(`${this.process?.name} ${idle}`).pick(IDLE_MS)
    this.#sim.schedule.after(ms, null, '', () => {
      if (idle === this.#idle && this.process.alive) this.#home.evict(this.#object)
    })
  }

  #timer(ms: number): { readonly over: Promise<void>; clear(): void } {
    const stop = new AbortController()
    const over = this.process.world.clock.sleep(Math.max(0, ms), stop.signal)
    return { over, clear: () => stop.abort('over') }
  }
}
