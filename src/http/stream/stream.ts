/**
 * Streams the log of a run or a fan-out as server-sent events. `id:` is the event's seq; a client
 * that reconnects with `Last-Event-ID` to any instance continues without a gap. The stream closes
 * after the terminal event, and a reconnect gets status 204. The stream of a parked run closes
 * after a minute, with `retry:`.
 *
 * With subagents, event IDs are opaque and name only positions in the root's log. A subagent's
 * events precede the root's event about the subagent's end. After a resume, events of subagents
 * whose end was not sent are repeated; the client deduplicates them by (run, seq) (PROTOCOL.md rule
 * 44). The root's last event is sent after its dependent subagents have ended, so it is the last
 * event of the stream.
 */

import { isFanoutId } from '../../core/run/decide/child.ts'
import type { LoggedFact } from '../../core/run/log/facts.ts'
import type { RunView } from '../../core/run/views/view.ts'
import { factKey, parsePartition, runPartition } from '../../engine/partition/keys.ts'
import { factsAfter } from '../../engine/partition/log.ts'
import { sealCursor } from '../../engine/partition/page.ts'
import { headOf } from '../../engine/partition/stored.ts'
import type { Row, World } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { eventView, isLast, type LogFact } from '../views/event-view.ts'
import { type Deltas, sendDeltas } from './deltas.ts'
import { logBroken, type Sink, sseResponse } from './sse.ts'
import { type Watch, watch } from './wait.ts'

const HEARTBEAT_MS = 15_000
/** Time after which a parked run's stream is closed to free its resources, in milliseconds. */
const PARKED_MS = 60_000

type Headers = Readonly<Record<string, string>>

export interface StreamOptions {
  /** True if the stream includes events of subagents. */
  readonly tree?: boolean
  readonly headers?: Headers
}

export function streamLog(
  world: World,
  partition: string,
  after: number,
  { tree = false, headers = {} }: StreamOptions = {},
): Response {
  const produce = async (sink: Sink): Promise<void> => {
    const reader = new Reader(world, partition, after, sink, tree)
    try {
      await reader.follow()
    } finally {
      reader.close()
    }
  }
  return sseResponse(world.clock, headers, produce, (error) => logBroken(world, partition, error))
}

/** Returns the list name to which the cursors of a stream with subagents are bound. */
export const treeCursors = (partition: string): string => `events ${partition}`

interface Member {
  readonly partition: string
  readonly run: string
  readonly deltas: Deltas
  /** Seq of the last event that was sent. */
  seq: number
  /** Row key at which the next read of the log starts. */
  from: string
  /** True if the run makes no progress without an external event, because it waits or has ended. */
  still: boolean
  over: boolean
}

class Reader {
  readonly #world: World
  readonly #sink: Sink
  readonly #tree: boolean
  readonly #tenant: string
  readonly #news: Watch
  readonly #root: Member
  /** True if abandoned children are cancelled, according to the first fact of the root's log. */
  #cancelsRest = true
  /** Spawned subagents whose end was not sent yet, by ID. */
  readonly #below = new Map<string, Member>()

  constructor(world: World, partition: string, after: number, sink: Sink, tree: boolean) {
    this.#world = world
    this.#sink = sink
    this.#tree = tree
    this.#tenant = parsePartition(partition).tenant
    this.#news = watch(world, partition)
    this.#root = this.#member(partition, after)
  }

  close(): void {
    for (const member of [this.#root, ...this.#below.values()]) member.deltas.close()
    this.#news.close()
  }

  async follow(): Promise<void> {
    const { clock } = this.#world
    if (this.#tree && this.#root.seq > 0) await this.#restoreKnown(this.#root.seq)
    let spoke = clock.monotonic()
    let lastSentAt = spoke
    while (!this.#sink.signal.aborted) {
      const outcome = await this.#round()
      if (outcome === 'over') return
      const now = clock.monotonic()
      if (outcome) {
        spoke = now
        lastSentAt = now
        this.#news.hurry()
      } else if (now - lastSentAt >= PARKED_MS && this.#parked) {
        this.#sink.send('retry: 5000\n\n')
        return
      } else if (now - spoke >= HEARTBEAT_MS) {
        this.#sink.send(': ping\n\n')
        spoke = now
      }
      await this.#news.next(HEARTBEAT_MS)
    }
  }

  get #parked(): boolean {
    return [this.#root, ...this.#below.values()].every(({ still }) => still)
  }

  /** Reads all followed logs once; returns whether any event was sent. */
  async #round(): Promise<boolean | 'over'> {
    const outcome = await this.#forward(this.#root)
    if (outcome === 'over') return 'over'
    let more = outcome
    for (const member of [...this.#below.values()]) {
      if (member.over) continue
      const below = await this.#forward(member)
      if (below === 'over' && !member.over) return 'over'
      more = more || below !== false
    }
    return more
  }

  /**
   * Sends new events of one run; returns `over` at the run's end or if the client has disconnected.
   */
  async #forward(member: Member): Promise<boolean | 'over'> {
    const rows = await this.#world.store.read(member.partition, member.from)
    const facts = factsAfter<LogFact>(rows, member.seq)
    member.still = isStill(member, rows)
    // A subagent whose log was deleted counts as ended.
    if (member !== this.#root && !rows.some(({ key }) => key === HEAD)) member.over = true
    // Unsent text is dropped, because the finished message contains all of it.
    for (const { fact } of facts)
      if (fact.type === 'assistant.message') member.deltas.drop(fact.step)
    for (const [index, entry] of facts.entries()) {
      const outcome = await this.#tell(member, entry)
      if (outcome === 'gone') return 'over'
      if (outcome === 'later') return index > 0
      if (!isLast(entry.fact)) continue
      member.over = true
      return 'over'
    }
    // Fact rows directly follow each other, so the next read continues at the last sent fact.
    if (facts.length > 0) member.from = factKey(member.seq)
    if (hasStarted(member, rows)) member.deltas.begin()
    return facts.length > 0
  }

  /**
   * Sends an event. Returns `gone` if the client has disconnected, or `later` if another event must
   * be sent first.
   */
  async #tell(member: Member, entry: LoggedFact<LogFact>): Promise<'sent' | 'gone' | 'later'> {
    const { fact, seq } = entry
    const earlier = this.#tree ? await this.#sendEarlier(member, fact) : 'sent'
    if (earlier !== 'sent') return earlier
    if (!(await this.#sink.room()) || this.#sink.signal.aborted) return 'gone'
    const event = eventView(member.run, entry)
    const id = member === this.#root ? `id: ${await this.#id(seq)}\n` : ''
    this.#sink.send(`${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    member.seq = seq
    if (fact.type === 'run.started') member.deltas.start()
    if (fact.type === 'run.waiting' && fact.on === 'model') member.deltas.fail(entry.at)
    this.#learn(member, fact)
    return 'sent'
  }

  #learn(member: Member, fact: LogFact): void {
    if (this.#tree && fact.type === 'subagent.spawned') this.#adopt(fact.run_id)
    if (member !== this.#root) return
    if (fact.type === 'run.created') this.#cancelsRest = fact.run.join.cancel_rest
    if (fact.type === 'fanout.created') this.#cancelsRest = fact.fanout.join.cancel_rest
  }

  /**
   * Sends all events of a subagent before the notice of its end, and all events of all subagents
   * before the root's end.
   */
  async #sendEarlier(member: Member, fact: LogFact): Promise<'sent' | 'gone' | 'later'> {
    const last = isLast(fact) && member === this.#root
    const ended = announced(fact)
    const awaitedIds = last ? [...this.#below.keys()] : ended === undefined ? [] : [ended]
    // The stream does not wait for children that may outlive a completed root.
    const waits = last && (this.#cancelsRest || !fact.type.endsWith('.completed'))
    for (const id of awaitedIds) {
      const child = this.#below.get(id)
      if (!child) continue
      if (!child.over && (await this.#forward(child)) === 'over' && !child.over) return 'gone'
      if (waits && !child.over) continue
      child.deltas.close()
      this.#below.delete(id)
    }
    // The subagents' events may have named further subagents.
    return waits && this.#below.size > 0 ? 'later' : 'sent'
  }

  #id(seq: number): Promise<string> | string {
    if (!this.#tree) return String(seq)
    return sealCursor(this.#world, treeCursors(this.#root.partition), String(seq), true)
  }

  /** Restores children that were active at the client's position; their events are repeated. */
  async #restoreKnown(seq: number): Promise<void> {
    const facts = factsAfter<LogFact>(await this.#world.store.read(this.#root.partition), 0)
    for (const { seq: place, fact } of facts) {
      if (place > seq) return
      const ended = announced(fact)
      this.#learn(this.#root, fact)
      if (ended === undefined) continue
      this.#below.get(ended)?.deltas.close()
      this.#below.delete(ended)
    }
  }

  #adopt(run: string): void {
    if (this.#below.has(run)) return
    const partition = runPartition(this.#tenant, run)
    this.#news.add(partition)
    this.#below.set(run, this.#member(partition, 0))
  }

  #member(partition: string, seq: number): Member {
    const run = parsePartition(partition).id
    const deltas = sendDeltas(this.#world, partition, run, {
      full: () => this.#sink.full(),
      send: (name, data) => this.#sink.send(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    })
    return { partition, run, deltas, seq, from: '', still: false, over: false }
  }
}

const announced = (fact: LogFact): string | undefined =>
  fact.type === 'subagent.announced' || fact.type === 'subagent.failed'
    ? fact.announce.run_id
    : undefined

/**
 * Reports whether all events that precede any text have been sent; for a run, these include
 * `run.started`.
 */
function hasStarted({ run, seq }: Member, rows: readonly Row[]): boolean {
  if (isFanoutId(run)) return seq > 0
  const head = rows.find(({ key }) => key === HEAD)
  return head !== undefined && headOf<RunView>(head.body).view.started_at !== null
}

/**
 * Reports whether a run makes no progress; a fan-out only waits for its runs and is notified of
 * each end.
 */
function isStill({ run }: Member, rows: readonly Row[]): boolean {
  if (isFanoutId(run)) return true
  const head = rows.find(({ key }) => key === HEAD)
  const status = head && headOf<RunView>(head.body).view.status
  return status !== undefined && status !== 'running'
}
