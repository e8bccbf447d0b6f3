/**
 * The queue between processes: delivers at least once, out of order, late, or never. A message that
 * was not acknowledged in time comes back (profiles.ts), also while it is still handled; one that
 * came back too often is gone.
 */

import { dispatch } from '../../../src/engine/dispatch.ts'
import { merged } from '../../../src/hosts/shared/wake.ts'
import type { Wake, World } from '../../../src/ports/world.ts'
import { I18_roundsAreCounted, type Round, seqOf, WORN } from '../laws/hops.ts'
import { actingFor, actingOn } from '../laws/tenancy.ts'
import { nameOf } from './names.ts'
import { remote } from './ports.ts'
import type { Process } from './process.ts'
import { delayOf, QUEUES, type QueueProfile } from './profiles.ts'
import type { Chance } from './random.ts'
import type { Sim } from './sim.ts'

interface Message {
  readonly wake: Wake
  readonly sent: number
  /** In the `node` profile a message lives and dies with its process. */
  readonly home: Process | undefined
  receives: number
  acked: boolean
}
/** Looks at the partition that a wake names. */
type Handle = (world: World, wake: Wake) => Promise<void>

export class Broker {
  readonly #sim: Sim
  readonly #width: number
  readonly #profile: QueueProfile
  readonly #hiddenMs: number
  readonly #handle: Handle
  #waiting: Message[] = []
  /** Partitions that a process of the `node` profile handles now, with a wake that came meanwhile. */
  #handled = new Map<string, Message | undefined>()
  #down = false
  /** When a message last found nobody who was free. */
  crowdedAt = Number.NEGATIVE_INFINITY

  constructor(sim: Sim, width: number, hidden: Chance, act: Handle = dispatch) {
    this.#sim = sim
    this.#width = width
    this.#profile = QUEUES[sim.profile === 'objects' ? 'cloudflare' : sim.profile]
    this.#hiddenMs = hidden.pick(this.#profile.hiddenMs)
    this.#handle = act
  }

  get down(): boolean {
    return this.#down
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Consumers stop for a while; messages wait. */
  pause(down: boolean): void {
    this.#down = down
    if (!down) this.pump()
  }

  send(from: Process, wakes: readonly Wake[], delayMs: number): Promise<'ok' | 'lost'> {
    const { faults, profile, law } = this.#sim
    for (const wake of wakes) law.promptness.I18_wakesSayWhatHasStarted(from, wake)
    if (delayMs <= 0) I18_roundsAreCounted(this.#sim, actingOn(), wakes)
    const home = profile === 'node' ? from : undefined
    return remote(this.#sim, from, {
      label: `send ${wakes.length}${delayMs > 0 ? ` in ${Math.round(delayMs / 1000)} s` : ''}`,
      ms: home ? [0, 0] : [1, 10],
      injected: (kind, apply) => {
        if (kind === 'refused' || kind === 'lost write') return 'lost'
        apply()
        return kind === 'twice' ? apply() : kind === 'hidden write' ? 'lost' : 'ok'
      },
      apply: () => {
        const { batch } = this.#profile
        const delay = delayOf(this.#profile, delayMs)
        let answer: 'ok' | 'lost' = 'ok'
        // Each request of a send is taken or refused by itself.
        for (let at = 0; at < wakes.length; at += batch) {
          if (!home && faults.strikes('queue refusal')) answer = 'lost'
          else for (const wake of wakes.slice(at, at + batch)) this.#take(wake, delay, home)
        }
        return answer
      },
    })
  }

  #take(wake: Wake, delay: number, home: Process | undefined): void {
    const { faults, chance, schedule } = this.#sim
    if (!home && faults.strikes('queue loss', nameOf(wake.partition))) return
    const worn =
      /\/(?:run|fanout)\//.test(wake.partition) &&
      faults.strikes('queue worn wake', nameOf(wake.partition))
    if (worn) this.#sim.rare('a wake is worn')
    const sent = worn ? { ...wake, staleCount: WORN } : wake
    const copies = !home && faults.strikes('queue duplicate', nameOf(wake.partition)) ? 2 : 1
    for (let copy = 0; copy < copies; copy += 1) {
      const late =
        !home && faults.strikes('queue delay', nameOf(wake.partition))
          ? chance.between(1_000, 120_000)
          : 0
      const message = { wake: sent, sent: schedule.now, home, receives: 0, acked: false }
      const travel = home ? 0 : chance.between(1, 30)
      schedule.after(delay + late + travel, home ?? null, '', () => this.#arrive(message))
    }
  }

  /** In a Node process a partition waits once: two wakes for it become one. */
  #arrive(message: Message): void {
    const { home, wake } = message
    const at = home
      ? this.#waiting.findIndex((one) => one.home === home && one.wake.partition === wake.partition)
      : -1
    const before = this.#waiting[at]
    if (before) this.#waiting[at] = { ...before, wake: merged(before.wake, wake) }
    else this.#waiting.push(message)
    this.pump()
  }

  /** Hands out what waits to whoever is free, started runs first. */
  pump(): void {
    if (this.#down) return
    const order = [
      ...this.#waiting.filter((m) => m.wake.started),
      ...this.#waiting.filter((m) => !m.wake.started),
    ]
    for (const message of order) {
      const taker = this.#taker(message)
      if (!taker) {
        this.crowdedAt = this.#sim.schedule.now
        continue
      }
      this.#waiting.splice(this.#waiting.indexOf(message), 1)
      this.#deliver(message, taker)
    }
  }

  /**
   * Whether a wake for it costs nothing on Node: it waits in its lane already, where it stands once,
   * or a process is at it and looks again when it is done.
   */
  joins(partition: string): boolean {
    const waits = this.#waiting.some(
      ({ home, wake }) => home?.alive && wake.partition === partition,
    )
    if (waits) return true
    return this.#sim.processes.some(
      ({ name, alive }) => alive && this.#handled.has(`${name} ${partition}`),
    )
  }

  #taker({ home }: Message): Process | undefined {
    const { processes, schedule, chance } = this.#sim
    if (home) return home.alive && home.busy < this.#width ? home : undefined
    const free = processes.filter(
      (one) =>
        one.alive && one.slot > 0 && one.busy < this.#width && one.pausedUntil <= schedule.now,
    )
    return free.length > 0 ? chance.pick(free) : undefined
  }

  #deliver(message: Message, taker: Process): void {
    const { schedule, profile, law, chance } = this.#sim
    const { partition } = message.wake
    if (profile === 'node') {
      const key = `${taker.name} ${partition}`
      if (this.#handled.has(key)) {
        this.#handled.set(key, message)
        return
      }
      this.#handled.set(key, undefined)
    }
    message.receives += 1
    taker.busy += 1
    const offDeath = this.#untilItReturns(message, taker)
    let round: Round | undefined
    let leave = (): void => {}
    schedule.after(chance.between(0, 5), taker, `${taker.name} takes ${nameOf(partition)}`, () => {
      const tenant = partition.split('/')[0]!
      round = { wake: message.wake, seq: seqOf(this.#sim, partition) }
      leave = law.places.taken(taker, partition)
      actingFor(tenant, () => this.#handle(taker.world, message.wake), round).then(
        () => done(),
        (error: unknown) => {
          law.threw(taker, partition, error)
          done()
        },
      )
    })
    const done = (): void => {
      leave()
      if (!taker.alive) return
      if (round) law.company.over(taker, round)
      message.acked = true
      offDeath()
      taker.busy -= 1
      const key = `${taker.name} ${partition}`
      const again = this.#handled.get(key)
      this.#handled.delete(key)
      if (again) this.#waiting.push(again)
      this.pump()
    }
  }

  /**
   * A message is hidden from when it was taken (SQS), or until its consumer is known to have died
   * (Cloudflare). Returns what to call when it was acknowledged.
   */
  #untilItReturns(message: Message, taker: Process): () => void {
    const { schedule, profile } = this.#sim
    const comesBack = (): void => {
      schedule.after(this.#hiddenMs, null, '', () => this.#again(message))
    }
    if (profile === 'cloudflare') return taker.onDeath(comesBack)
    if (profile === 'sqs') comesBack()
    return () => {}
  }

  #again(message: Message): void {
    if (message.acked) return
    if (message.receives >= this.#profile.maxReceives) {
      this.#sim.rare('message dead-lettered')
      return
    }
    this.#arrive(message)
  }
}
