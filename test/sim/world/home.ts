/**
 * The Cloudflare home of a world (profile `objects`): Durable Objects by their names, of which at
 * most one life is under way at a time, the calls between them, their alarms and the lanes. Which
 * object holds what, how a call's trouble is told and how wakes merge is the code that is deployed.
 */

import { holderOf, listerOf, parentOf } from '../../../src/hosts/cloudflare/bindings/address.ts'
import type { PartitionCalls } from '../../../src/hosts/cloudflare/bindings/bindings.ts'
import { Lanes } from './lanes.ts'
import { ObjectLife } from './life.ts'
import { short } from './names.ts'
import { EPOCH, type Process } from './process.ts'
import type { Chance } from './random.ts'
import type { Sim } from './sim.ts'

/** What outlives an object's lives: its name, its rows (in the store) and its one alarm. */
export interface Durable {
  readonly name: string
  /** How wrong the clock is where it lives, in ms. */
  readonly skew: number
  readonly slot: number
  lives: number
  /** Ms since 1970. */
  alarm: number | undefined
  life: ObjectLife | undefined
  /** It died, and has not lived since. */
  died: boolean
  /** Tries of an alarm that the object did not outlive. */
  tries: number
}

/** An alarm is tried again so often, from two seconds on. */
const ALARM_TRIES = 6
const ALARM_RETRY_MS = 2_000
/** What the platform takes to start one. */
const START_MS = [2, 60] as const

/** As the platform says it: the call may be made again where that does no harm. */
class CallFailed extends Error {
  readonly retryable: boolean
  constructor(message: string, retryable: boolean) {
    super(message)
    this.retryable = retryable
  }
}

/** What may go wrong with a call, by what it is for. */
export type Errand = 'ask' | 'commit' | 'wake'

export class Home {
  readonly #sim: Sim
  readonly #chance: Chance
  readonly #objects = new Map<string, Durable>()
  readonly #seated: (slot: number, process: Process) => void
  readonly lanes: Lanes
  /** How many calls an event may make before its worker hands over. */
  readonly most: number
  #slots: number

  /** `seated` is told of each life; slots below `slots` belong to others. */
  constructor(
    sim: Sim,
    chance: Chance,
    slots: number,
    seated: (slot: number, process: Process) => void,
  ) {
    this.#sim = sim
    this.#chance = chance
    this.#slots = slots
    this.#seated = seated
    this.most = chance.pick([6_000, 6_000, 60])
    this.lanes = new Lanes(sim, chance.pick([1, 2, 4, 16, 16]), (object, wake) => {
      void this.call(undefined, object, `calls back ${short(object)}`, 'wake', (life) =>
        life.wake([wake], 0),
      ).catch(() => undefined)
    })
  }

  /** Lives that are at something, which a death would interrupt. */
  busy(): Process[] {
    return this.#lives().flatMap((life) => (life.isBusy ? life.process : []))
  }

  living(): Process[] {
    return this.#lives().map((life) => life.process)
  }

  #lives(): ObjectLife[] {
    return [...this.#objects.values()].flatMap(({ life }) => life ?? [])
  }

  // ── Calls ──

  /** The object, as this process reaches it. */
  stub(from: Process, name: string): PartitionCalls {
    const call = <T>(label: string, errand: Errand, act: (life: ObjectLife) => T): Promise<T> =>
      this.call(from, name, `${label} in ${short(name)}`, errand, act)
    const looked = (partition: string): void => {
      from.lookedAt.set(partition, this.#sim.schedule.now)
    }
    return {
      read: (partition, after) =>
        call(`read ${short(partition)}`, 'ask', (life) => {
          looked(partition)
          return life.read(partition, after)
        }),
      heads: (partitions) => call(`heads ${partitions.length}`, 'ask', (l) => l.heads(partitions)),
      answer: (questions) =>
        call(`answer ${questions.length}`, 'ask', (life) => {
          for (const one of questions) if ('of' in one) looked(one.of)
          return life.answer(questions)
        }),
      commit: (partition, writes, head) =>
        call(`commit ${short(partition)}`, 'commit', (life) =>
          life.commit(from, partition, writes, head),
        ),
      drop: (partition) => call(`drop ${short(partition)}`, 'ask', (l) => l.drop(partition)),
      list: (under, before, limit) =>
        call(`list ${short(under)}`, 'ask', (life) => life.list(under, before, limit)),
      find: (under, wanted) =>
        call(`find ${short(under)}`, 'ask', (life) => life.find(under, wanted)),
      copied: async () => undefined,
      wake: (wakes, delayMs) =>
        call(`wake ${wakes.length}`, 'wake', (life) => life.wake(wakes, delayMs)),
      changed: async () => undefined,
      readIndexed: () => Promise.reject(new Error('no world exports a tenant')),
      writeIndexed: () => Promise.reject(new Error('no world imports a tenant')),
      follow: () => Promise.reject(new Error('nobody follows an object in this world')),
    }
  }

  /** One call: it travels, may find the object dead, and its answer travels back, or not. */
  call<T>(
    from: Process | undefined,
    name: string,
    label: string,
    errand: Errand,
    act: (life: ObjectLife) => T,
  ): Promise<T> {
    const { schedule, faults } = this.#sim
    const who = `${from?.name ?? 'a lane'} ${label}`
    this.#sim.operations += 1
    const outlives = from === undefined || this.#chance.flip(0.5)
    const slow = faults.strikes('store slow', who) ? this.#chance.between(1_000, 95_000) : 0
    const late =
      errand === 'wake' && faults.strikes('queue delay', who)
        ? this.#chance.between(1_000, 60_000)
        : 0
    const fate = this.#fate(errand, who)
    if (from && (slow + late > 0 || fate)) from.trouble(schedule.now + slow + late)
    if (from && fate) from.fated += 1
    const failed = (): CallFailed =>
      new CallFailed('Network connection lost.', this.#chance.flip(0.8))
    const way = (): number => this.#chance.between(1, 8)
    const call = new Promise<T>((resolve, reject) => {
      const back = (answer: () => void, ms = 0): void =>
        schedule.after(way() + ms, from ?? null, '', answer)
      const arrive = (): void => {
        if (from && !from.alive && !outlives) return
        if (fate === 'lost') return back(() => reject(failed()), slow)
        const life = this.#live(name)
        const { pausedUntil } = life.process
        // Who stands still answers later, or never.
        if (pausedUntil > schedule.now)
          return schedule.after(pausedUntil - schedule.now, null, '', arrive)
        schedule.note(who)
        let isOver = false
        const forget = life.process.onDeath(() => {
          if (isOver) return
          isOver = true
          from?.trouble(schedule.now)
          back(() => reject(failed()))
        })
        let answer: () => void
        try {
          const value = act(life)
          answer = fate === 'hidden' ? () => reject(failed()) : () => resolve(value)
        } catch (error) {
          answer = () => reject(error)
        }
        // The answer leaves when what was written is durable; until then a death hides it.
        schedule.after(this.#chance.between(0, 3), null, '', () => {
          if (isOver) return
          isOver = true
          forget()
          back(answer, slow)
        })
      }
      schedule.after(way() + late, null, '', arrive)
    })
    return call.finally(() => {
      if (from && fate) from.fated -= 1
    })
  }

  #fate(errand: Errand, who: string): 'lost' | 'hidden' | undefined {
    const { faults } = this.#sim
    if (faults.strikes('store throttle', who)) return 'lost'
    if (errand === 'ask') return undefined
    if (errand === 'wake') {
      if (faults.strikes('queue refusal', who)) return 'lost'
      return faults.strikes('queue loss', who) ? 'lost' : undefined
    }
    if (faults.strikes('store lost write', who)) return 'lost'
    return faults.strikes('store hidden write', who) ? 'hidden' : undefined
  }

  // ── Lives ──

  #durable(name: string): Durable {
    const known = this.#objects.get(name)
    if (known) return known
    const skew = this.#sim.skews ? this.#chance.fork(`clock of ${name}`).between(-5_000, 5_000) : 0
    const slot = this.#slots++
    const rest = { lives: 0, alarm: undefined, life: undefined, died: false, tries: 0 }
    const made: Durable = { name, skew, slot, ...rest }
    this.#objects.set(name, made)
    return made
  }

  /** Its life, which begins with the first call or alarm. */
  #live(name: string): ObjectLife {
    const object = this.#durable(name)
    if (object.life) return object.life
    const { schedule, faults, law } = this.#sim
    object.lives += 1
    const life = new ObjectLife(this.#sim, this, object)
    object.life = life
    const { process } = life
    this.#seated(object.slot, process)
    schedule.note(`${process.name} begins: ${short(name)}, life ${object.lives}`)
    if (object.died) {
      object.died = false
      law.objects.reborn(name)
      if (faults.strikes('death again', process.name)) {
        const ms = this.#chance.pick([50, 500, 3_000])
        schedule.after(ms, process, '', () => {
          if (faults.over) return
          law.objects.struck(process)
          this.#sim.kill(process)
        })
      }
    } else if (object.lives > 1) this.#sim.rare('an object comes back from its rest')
    return life
  }

  /** It has died at work: what it had in memory is gone. */
  died(process: Process): void {
    const object = this.#objects.get(process.object!)
    if (object?.life?.process !== process) return
    const { life } = object
    object.life = undefined
    object.died = true
    this.#sim.rare('an object dies')
    if (!life.inAlarm) return
    const { alarm, tries } = object
    const now = this.now(object)
    // It was due during the one before.
    if (alarm !== undefined && alarm <= now) return this.setAlarm(object, now)
    // The platform tries its alarm again; what was set meanwhile may take the place of that.
    if (alarm === undefined ? tries >= ALARM_TRIES : this.#chance.flip(0.5)) return
    object.tries += 1
    const again = now + ALARM_RETRY_MS * 2 ** Math.min(tries, ALARM_TRIES)
    this.setAlarm(object, Math.min(again, alarm ?? Number.POSITIVE_INFINITY))
  }

  /** Nobody has asked for it for a while: it is put away. */
  evict(object: Durable): void {
    const { life } = object
    if (!life || life.isBusy || life.inAlarm) return
    this.#sim.rare('an object is put away')
    this.#sim.schedule.note(`${life.process.name} is put away`)
    object.life = undefined
    life.process.die()
  }

  // ── Time ──

  now({ skew }: Pick<Durable, 'skew'>): number {
    return EPOCH + Math.floor(this.#sim.schedule.now) + skew
  }

  setAlarm(object: Durable, at: number | undefined): void {
    object.alarm = at
    if (at === undefined) return
    const { schedule, faults } = this.#sim
    const late = faults.strikes('tick lost', object.name) ? this.#chance.between(1_000, 60_000) : 0
    const ms = Math.max(0, at - this.now(object)) + late + this.#chance.between(...START_MS)
    schedule.after(ms, null, '', () => this.#ring(object, at))
  }

  #ring(object: Durable, at: number): void {
    if (object.alarm !== at) return
    const life = this.#live(object.name)
    // Never two of its alarms at once.
    if (life.inAlarm) return
    object.alarm = undefined
    life.inAlarm = true
    this.#sim.schedule.after(0, life.process, `${life.process.name} alarm`, () => {
      void life.alarm().then(() => {
        object.tries = 0
        const { alarm } = object
        if (alarm !== undefined && alarm <= this.now(object)) this.setAlarm(object, alarm)
      })
    })
  }

  /** A row of this partition was written, by whomever. */
  changed(partition: string): void {
    const name = holderOf(partition)
    if (name === undefined || this.#sim.operations === 0) return
    this.#objects.get(name)?.life?.arm()
  }
}

/** Whether a list shows copies: one that an object holds whole does not. */
export const isCopied = (under: string): boolean =>
  listerOf(under) === undefined || parentOf(under) !== undefined
