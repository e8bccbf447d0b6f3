/**
 * Virtual time. Everything that happens is an event in one heap; between two events all promises
 * that can settle do settle. Ties are broken by chance, so a seed also chooses the order of what
 * happens "at once". The order of events is the trace, and its hash is the seed's fingerprint.
 */

import { seconds } from '../cli/header.ts'
import type { Chance } from './random.ts'
import { hash } from './random.ts'

/** Whose code an event continues: nothing of a dead owner ever happens, a paused one happens later. */
export interface Owner {
  readonly alive: boolean
  readonly pausedUntil: number
}

interface Event {
  at: number
  readonly order: number
  readonly owner: Owner | null
  readonly label: string
  readonly act: () => void
}

/** Events at one moment, and in a whole world: the largest kept world takes 800,000. */
const STILL_MAX = 20_000
const EVENTS_MAX = 20_000_000

/** Real code settles its promises within one turn of the event loop; nothing else is waiting in it. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export class Schedule {
  /** Milliseconds since the world began. */
  now = 0
  events = 0
  readonly #chance: Chance
  readonly #heap: Event[] = []
  #trace = 0
  #lines: string[] | undefined
  #stopped = false
  #still = 0
  /** Called when so much happens, at one moment or in all, that the world does not end. */
  onSpin: () => void = () => {}
  /** Called before each event, when it is the time of that event already. */
  onEvent: () => void = () => {}

  constructor(chance: Chance) {
    this.#chance = chance
  }

  /** Keeps a readable line for each event and each note, for the timeline of a red seed. */
  record(): void {
    this.#lines = []
  }

  get lines(): readonly string[] {
    return this.#lines ?? []
  }

  get fingerprint(): string {
    return (this.#trace >>> 0).toString(16).padStart(8, '0')
  }

  get pending(): number {
    return this.#heap.length
  }

  /** Belongs to the trace and to no line of the timeline. */
  mark(text: string): void {
    this.#trace = (Math.imul(this.#trace, 31) + hash(text)) | 0
  }

  note(text: string): void {
    this.mark(`${this.now} ${text}`)
    this.#lines?.push(`${seconds(this.now)}  ${text}`)
  }

  after(ms: number, owner: Owner | null, label: string, act: () => void): void {
    const order = this.#chance.next()
    this.#push({ at: this.now + Math.max(0, ms), order, owner, label, act })
  }

  stop(): void {
    this.#stopped = true
  }

  /** Lets events happen until the time, or until nothing is left. */
  async run(until: number): Promise<void> {
    await turn()
    while (!this.#stopped) {
      const event = this.#heap[0]
      if (!event) return
      if (event.at > until) {
        this.now = until
        return
      }
      this.#pop()
      if (event.owner && !event.owner.alive) continue
      if (event.owner && event.owner.pausedUntil > event.at) {
        this.#push({ ...event, at: event.owner.pausedUntil })
        continue
      }
      this.#still = event.at > this.now ? 0 : this.#still + 1
      if (this.#still > STILL_MAX || this.events > EVENTS_MAX) return this.onSpin()
      this.now = event.at
      this.events += 1
      this.onEvent()
      if (this.#stopped) return
      if (event.label !== '') this.note(event.label)
      event.act()
      await turn()
    }
  }

  #push(event: Event): void {
    const heap = this.#heap
    let index = heap.push(event) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!before(event, heap[parent]!)) break
      heap[index] = heap[parent]!
      index = parent
    }
    heap[index] = event
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()!
    if (heap.length === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1
      if (!before(heap[child]!, last)) break
      heap[index] = heap[child]!
      index = child
    }
    heap[index] = last
  }
}

const before = (left: Event, right: Event): boolean =>
  left.at < right.at || (left.at === right.at && left.order < right.order)
