/**
 * Durable Object for a run with its group (`address.ts`). Its rows are in the object's SQLite
 * storage, so a commit is a local transaction and starts the requested pass. The single alarm is
 * set to the earliest pending time. No other worker runs passes over these partitions, so the lease
 * of a crashed object is void immediately (`soleWorker`).
 *
 * The object depends on these platform guarantees (developers.cloudflare.com/durable-objects). Only
 * one object of a name exists at a time, and responses are sent after earlier writes are durable.
 * Each object has one alarm, which is delivered at least once, never twice concurrently, and is
 * retried up to six times, starting after two seconds. A call ends after 15 minutes. Work in
 * progress keeps the object in memory (from compatibility date 2026-10-01). Limits are 128 MB of
 * memory and 10 GB of rows.
 */

import { DurableObject } from 'cloudflare:workers'
import { dispatch } from '../../../engine/dispatch.ts'
import { tick } from '../../../engine/worker/tick.ts'
import type {
  CommitResult,
  Due,
  Feed,
  FoundRows,
  HeadWrite,
  IndexedRow,
  ListedRow,
  Row,
  RowSearch,
  Wake,
  World,
  Write,
} from '../../../ports/world.ts'
import { processFeed } from '../../shared/feed.ts'
import { hourIn, isHourly, workerOf } from '../bindings/address.ts'
import type { ObjectState, PartitionCalls, Question, RowName } from '../bindings/bindings.ts'
import { newBudget } from '../bindings/budget.ts'
import { earliest, setTimer } from '../bindings/timer.ts'
import { onError, type WorkerEnv } from '../compose.ts'
import { placesIn } from '../lanes/lane-place.ts'
import { forgetHour, noteHour } from '../lists/hours.ts'
import { followed, untilChanged } from '../ports/feed.ts'
import { answerQuestions, sendCopies } from '../ports/partitions.ts'
import { Arming } from './arming.ts'
import { COPIES_MS, copyWriter } from './copies.ts'
import { NONE, objectLists } from './object-lists.ts'
import { objectRows } from './object-rows.ts'
import { goOn, objectWorld } from './object-world.ts'
import { relayOf } from './outbound.ts'
import { Passes } from './passes.ts'
import { wakeBy } from './wakes.ts'

/**
 * Duration of an alarm event in milliseconds; the event then schedules the next event, and passes
 * continue in between.
 */
const ALARM_MS = 840_000
export class PartitionObject extends DurableObject<WorkerEnv> implements PartitionCalls {
  protected readonly rows = objectRows(this.ctx.storage, (names) => this.#copies.markDirty(names))
  readonly #feed: Feed = processFeed((error) => onError('feed', error))
  protected readonly budget = newBudget()
  readonly #lists = objectLists(this.rows)
  readonly #copies = copyWriter(this.rows, {
    db: this.env.DB,
    send: (of, parcel) => sendCopies(this.env, of, parcel, this.budget),
    until: (work) => this.ctx.waitUntil(work.then(() => this.#rested())),
    onError: (error) => onError('copies for lists', error),
  })
  readonly #passes = new Passes({
    budget: this.budget,
    places: placesIn(this.env, this.budget),
    dispatch: (wake) => this.dispatch(wake),
    clock: { now: () => Date.now(), timer: setTimer },
    onError,
    alarm: () => this.rows.times().alarm,
    tick: (now) => this.#tick(now),
    until: (work) => this.ctx.waitUntil(work),
    onBegin: () => this.#arm(),
    onRest: () => this.#goIdle(),
  })
  #world: World | undefined
  #recovery: Promise<void> | undefined
  readonly #alarm = new Arming(this.ctx.storage)

  constructor(ctx: ObjectState, env: WorkerEnv) {
    super(ctx, env)
    // The alarm is read before any call changes it, because only its original time reveals that
    // lists may lack copies.
    void ctx.blockConcurrencyWhile(async () => {
      const at = await ctx.storage.getAlarm()
      this.#alarm.restore(at)
      if (at !== null && at <= Date.now() + COPIES_MS) this.#copies.markAllDirty()
    })
  }

  // ── Calls ──

  async read(partition: string, after?: string): Promise<Row[]> {
    this.#recover()
    return this.rows.store.read(partition, after)
  }

  async heads(partitions: readonly string[]): Promise<(Row | null)[]> {
    this.#recover()
    return this.rows.store.heads(partitions)
  }

  async answer(questions: readonly Question[]): Promise<readonly (readonly (Row | null)[])[]> {
    this.#recover()
    return answerQuestions(this.rows.store, questions)
  }

  async commit(
    partition: string,
    writes: readonly Write[],
    head?: HeadWrite,
  ): Promise<CommitResult> {
    this.#recover()
    const result = await this.#commit(partition, writes, head)
    // The current pass over the partition and all feed readers see the change immediately.
    if (result === 'ok') this.#feed.publish(partition, { type: 'changed' })
    return result
  }

  async drop(partition: string): Promise<void> {
    this.#recover()
    await this.#drop(partition)
    await this.#rested()
  }

  async readIndexed(partition: string): Promise<readonly IndexedRow[]> {
    this.#recover()
    return this.rows.store.readIndexed(partition)
  }

  async writeIndexed(partition: string, rows: readonly IndexedRow[]): Promise<void> {
    this.#recover()
    await this.rows.store.writeIndexed(partition, rows)
    this.#changed()
  }

  /** Returns rows of a list that this object stores. */
  async list(under: string, beforeKey?: string, limit?: number): Promise<ListedRow[]> {
    if (!isHourly(under)) this.#recover()
    return this.#lists.list(under, beforeKey, limit)
  }

  async find(under: string, search: RowSearch): Promise<FoundRows> {
    if (!isHourly(under)) this.#recover()
    return this.#lists.find(under, search)
  }

  async copied(of: string, copies: string, removed: readonly RowName[]): Promise<void> {
    if (hourIn(of) === undefined) this.#recover()
    if (!this.rows.exists && copies !== NONE) await noteHour(this.env, of)
    this.#lists.take(of, copies, removed)
    await this.#rested()
    if (!this.rows.exists) await forgetHour(this.env, of)
  }

  async wake(wakes: readonly Wake[], delayMs: number): Promise<void> {
    this.#note(wakes, delayMs)
  }

  async changed(partition: string, version: number, ms: number): Promise<void> {
    this.#recover()
    const heads = () => this.rows.store.heads([partition])
    await untilChanged(
      this.#feed,
      partition,
      ms,
      async () => (await heads())[0]?.version !== version,
    )
  }

  async follow(partition: string, live: boolean): Promise<ReadableStream<Uint8Array>> {
    return followed(this.#feed, partition, live)
  }

  // ── Passes ──

  /**
   * Handles the alarm. The event lasts as long as the current work, so that the platform repeats it
   * if the object crashes.
   */
  async alarm(): Promise<void> {
    await this.#alarm.ring(async () => {
      const end = setTimer(ALARM_MS)
      if (!this.#recovery) this.#copies.markAllDirty()
      await this.#recovered()
      await Promise.race([this.#passes.begin(), end.over])
      end.clear()
    })
    this.#arm()
  }

  #note(wakes: readonly Wake[], delayMs: number): void {
    this.#passes.add(wakes, delayMs > 0 ? Date.now() + delayMs : 0)
    if (delayMs > 0) this.#arm()
    else void this.#passes.begin()
  }

  async #goIdle(): Promise<void> {
    await this.rows.store.sweep(Date.now(), 1)
    this.#copies.flushSoon()
    await this.#rested()
  }

  async #tick(now: number): Promise<void> {
    const { entries } = await this.#due(now)
    if (entries[0]) await tick(this.#worldFor(entries[0].partition))
  }

  /** Returns due rows, without partitions in progress, whose passes already know what is due. */
  async #due(now: number, cursor?: string): Promise<Due> {
    const { entries, ...more } = await this.rows.store.due(now, cursor)
    return { ...more, entries: entries.filter(({ partition }) => !this.#passes.has(partition)) }
  }

  protected async dispatch(wake: Wake): Promise<void> {
    this.#recover()
    await dispatch(this.#worldFor(wake.partition), wake)
  }

  // ── Rows ──

  async #commit(p: string, writes: readonly Write[], head?: HeadWrite): Promise<CommitResult> {
    const result = await this.rows.store.commit(p, writes, head)
    if (result !== 'ok') return result
    // The pass is queued before the commit's alarm is set, so that the alarm is set only once, for
    // the pass.
    if (head?.wakes && head.alarm) this.#note([wakeBy(p, head.alarm)], 0)
    this.#changed()
    return result
  }

  async #drop(partition: string): Promise<void> {
    if (this.rows.exists) await this.rows.store.drop(partition)
    this.#changed()
  }

  #changed(): void {
    this.#copies.flushSoon()
    this.#arm()
  }

  /** Resumes the work of this object's crashed predecessor, on the first call. */
  #recover(): void {
    if (!this.#recovery) this.ctx.waitUntil(this.#recovered())
  }

  /** Waits until the recovery has ended; never rejects. */
  #recovered(): Promise<void> {
    const recover = () => goOn(this.rows, (partition) => this.#worldFor(partition))
    this.#recovery ??= recover().catch((error) => onError('recovery', error))
    return this.#recovery
  }

  /** Releases the object's storage; an idle object without storage costs nothing. */
  async #rested(): Promise<void> {
    if (this.#passes.isAtWork) return
    if (await this.rows.vacate()) this.#alarm.forget()
    this.#arm()
  }

  #arm(): void {
    if (this.#passes.isAtWork) return this.#alarm.setForWork()
    const { alarm, expiry } = this.rows.times()
    this.#alarm.setFor(earliest(this.#passes.next(alarm), expiry), this.#copies.next())
  }

  /**
   * Creates the world for the first pass and keeps it, because the engine's memory of a run depends
   * on the world's identity.
   */
  #worldFor(partition: string): World {
    this.#world ??= this.#compose(workerOf(partition))
    return this.#world
  }

  #compose(object: string): World {
    const { read, heads } = this.rows.store
    return objectWorld(this.env, {
      object,
      rows: {
        read,
        heads,
        list: this.#lists.list,
        find: this.#lists.find,
        due: this.#due.bind(this),
        commit: this.#commit.bind(this),
        drop: this.#drop.bind(this),
        readIndexed: this.readIndexed.bind(this),
        writeIndexed: this.writeIndexed.bind(this),
      },
      budget: this.budget,
      feed: this.#feed,
      relay: relayOf(this.ctx),
      wake: this.#note.bind(this),
    })
  }
}
