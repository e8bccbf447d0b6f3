/**
 * One run as a Durable Object (or a fan-out, a session, a delivery): its rows lie in the object's
 * own SQLite, so a commit is a transaction in this process; its one alarm is the earliest of all
 * that it waits for and makes the passes, by the same door as on every host. No other worker
 * passes over it, so the lease of an object that has died is void at once (`soleWorker`).
 *
 * What the platform promises, and this rests on (developers.cloudflare.com/durable-objects): one
 * object of a name at a time; answers leave when what was written before is durable; one alarm an
 * object, never two of its calls at once, at least once, tried again up to six times from two
 * seconds on; a call of it ends after a quarter of an hour; work that is under way keeps the
 * object in memory (from compatibility date 2026-10-01 on); 128 MB of memory, 10 GB of rows.
 */

import { DurableObject } from 'cloudflare:workers'
import { dispatch } from '../../engine/dispatch.ts'
import { tick } from '../../engine/worker/tick.ts'
import type {
  CommitResult,
  Feed,
  HeadWrite,
  Listed,
  Row,
  Wake,
  World,
  Write,
} from '../../ports/world.ts'
import { processFeed } from '../shared/feed.ts'
import { workerOf } from './address.ts'
import { adopt, isSettled, isWhole } from './adopt.ts'
import type { AlarmInfo, PartitionCalls } from './bindings.ts'
import { newBudget } from './budget.ts'
import { onError, type WorkerEnv } from './compose.ts'
import { copyWriter } from './copies.ts'
import { followed } from './feed.ts'
import { placeIn } from './lane-place.ts'
import { objectRows } from './object-rows.ts'
import { objectWorld, TURN_MS } from './object-world.ts'
import { inTrouble } from './partitions.ts'
import { wakesOf } from './wakes.ts'

/** A partition that stays due though it was passed over is passed over again after this. */
const TICK_MS = 10_000
/** So near the platform's last try an alarm of our own is set first. */
const TRIES = 3
const BACKSTOP_MS = 60_000

export class PartitionObject extends DurableObject<WorkerEnv> implements PartitionCalls {
  protected readonly rows = objectRows(this.ctx.storage)
  readonly #wakes = wakesOf(this.rows)
  readonly #feed: Feed = processFeed((error) => onError('feed', error))
  protected readonly budget = newBudget()
  readonly #copies = copyWriter(this.rows, this.env.DB, {
    until: (work) => this.ctx.waitUntil(work.then(() => this.#rested())),
    onError: (error) => onError('copies for lists', error),
  })
  readonly #place = placeIn(this.env, this.budget)
  #world: World | undefined
  #whole: Promise<void> | undefined
  #working = false
  /** The time to which the alarm is set; null: nobody knows. */
  #armed: number | undefined | null = null
  #tickedAt = 0

  // ── Calls ──

  async read(partition: string, after?: string): Promise<Row[]> {
    await this.#ready(partition)
    return this.rows.store.read(partition, after)
  }

  async heads(partitions: readonly string[]): Promise<(Row | null)[]> {
    if (partitions[0] !== undefined) await this.#ready(partitions[0])
    return this.rows.store.heads(partitions)
  }

  async commit(
    partition: string,
    writes: readonly Write[],
    head?: HeadWrite,
  ): Promise<CommitResult> {
    await this.#ready(partition)
    const result = await this.#commit(partition, writes, head)
    // The pass that is under way here, and all followers, read it at once.
    if (result === 'ok') this.#feed.publish(partition, { type: 'changed' })
    return result
  }

  async drop(partition: string): Promise<void> {
    await this.#ready(partition)
    await this.#drop(partition)
    if (!this.#working) await this.#vacate()
  }

  /** Of a list that lies here whole. */
  async list(under: string, before?: string, limit?: number): Promise<Listed[]> {
    await this.#ready(`${under.split('/')[0]}/policy/tenant`)
    return this.rows.store.list(under, before, limit)
  }

  async wake(wakes: readonly Wake[], delayMs: number): Promise<void> {
    this.#note(wakes, delayMs)
  }

  async follow(partition: string, live: boolean): Promise<ReadableStream<Uint8Array>> {
    return followed(this.#feed, partition, live)
  }

  /** Takes over what the database still holds of it. */
  async adopt(partition: string): Promise<void> {
    await adopt(this.rows, this.env.DB, partition).catch(rethrow)
    this.#changed()
  }

  // ── The alarm ──

  async alarm(info?: AlarmInfo): Promise<void> {
    if ((info?.retryCount ?? 0) >= TRIES) await this.ctx.storage.setAlarm(Date.now() + BACKSTOP_MS)
    this.#working = true
    this.budget.renew()
    try {
      await this.#work()
      await this.rows.store.sweep(Date.now(), 1)
      this.#copies.nudge()
    } finally {
      this.#working = false
      this.#armed = null
      this.#arm()
    }
    // A pass that was handed over goes on at once, in the place that it has.
    if (this.#wakes.next() !== 0) await this.#place.giveBack()
    await this.#vacate()
  }

  /** Passes, one after the other, while something is due and there is time. */
  async #work(): Promise<void> {
    const began = Date.now()
    while (Date.now() - began < TURN_MS && !this.budget.isSpent()) {
      const wake = this.#wakes.take(Date.now())
      if (wake) await this.#pass(wake)
      else if (!(await this.#tick())) return
    }
  }

  /** The store's alarms that are due become wakes; false: none is. */
  async #tick(): Promise<boolean> {
    const now = Date.now()
    if (now < this.#tickedAt + TICK_MS) return false
    const { entries } = await this.rows.store.due(now)
    const [first] = entries
    if (!first) return false
    this.#tickedAt = now
    await tick(this.#worldFor(first.partition))
    return true
  }

  async #pass(wake: Wake): Promise<void> {
    const { partition } = wake
    const askAgain = await this.#place.take(wake)
    try {
      if (askAgain === undefined) await this.dispatch(wake)
    } catch (error) {
      onError(partition, error)
    }
    this.#wakes.done(partition)
    if (askAgain !== undefined) this.#wakes.add(wake, Date.now() + askAgain)
  }

  #note(wakes: readonly Wake[], delayMs: number): void {
    for (const wake of wakes) this.#wakes.add(wake, delayMs > 0 ? Date.now() + delayMs : 0)
    this.#arm()
  }

  protected async dispatch(wake: Wake): Promise<void> {
    await this.#ready(wake.partition)
    await dispatch(this.#worldFor(wake.partition), wake)
  }

  // ── Rows ──

  async #commit(p: string, writes: readonly Write[], head?: HeadWrite): Promise<CommitResult> {
    const result = await this.rows.store.commit(p, writes, head)
    if (result === 'ok') this.#changed()
    return result
  }

  async #drop(partition: string): Promise<void> {
    if (!this.rows.exists) return
    await this.rows.store.drop(partition)
    this.#changed()
  }

  #changed(): void {
    this.#copies.nudge()
    this.#arm()
  }

  /** Resolves when all that an earlier release had of it is here. */
  #ready(partition: string): Promise<void> {
    this.#whole ??= this.#complete(partition).catch((error: unknown) => {
      this.#whole = undefined
      throw inTrouble(error)
    })
    return this.#whole
  }

  async #complete(partition: string): Promise<void> {
    if (isWhole(this.rows)) return
    if (!this.rows.exists && (await isSettled(this.env.DB))) return
    await adopt(this.rows, this.env.DB, partition)
    if (this.rows.exists) this.#changed()
  }

  /** Lists have their copies: there may be nothing left to wait for. */
  async #rested(): Promise<void> {
    if (this.#working) return
    await this.#vacate()
    this.#arm()
  }

  /** An object that holds nothing costs nothing. */
  async #vacate(): Promise<void> {
    if (await this.rows.vacate()) this.#armed = undefined
  }

  // ── Time ──

  #arm(): void {
    if (this.#working) return
    const at = this.#next()
    if (at === this.#armed) return
    this.#armed = at
    const { storage } = this.ctx
    void (at === undefined ? storage.deleteAlarm() : storage.setAlarm(Math.max(at, Date.now())))
  }

  /** The earliest of all that this object waits for, ms since 1970; 0: now. */
  #next(): number | undefined {
    const [row] = this.rows.all({ sql: FIRST, params: [] })
    const alarm = row?.alarm as number | null | undefined
    const times = [
      this.#wakes.next(),
      alarm == null ? undefined : Math.max(alarm, this.#tickedAt + TICK_MS),
      (row?.expiry as number | null | undefined) ?? undefined,
      this.#copies.next(),
    ].filter((time) => time !== undefined)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** Made for the first pass and kept: what the engine remembers of a run hangs on it. */
  #worldFor(partition: string): World {
    this.#world ??= this.#compose(workerOf(partition))
    return this.#world
  }

  #compose(object: string): World {
    const { read, heads, due, list } = this.rows.store
    const commit = this.#commit.bind(this)
    return objectWorld(this.env, {
      object,
      rows: { read, heads, due, list, commit, drop: this.#drop.bind(this) },
      budget: this.budget,
      feed: this.#feed,
      wake: this.#note.bind(this),
    })
  }
}

const FIRST = 'SELECT min(alarm_at) AS alarm, min(expires_at) AS expiry FROM entry'

const rethrow = (error: unknown): never => {
  throw inTrouble(error)
}
