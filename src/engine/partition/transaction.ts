/**
 * A worker's transaction on a run: the committed state, the observations since, and the only way to
 * commit. After a conflict only observed facts survive; facts derived by `decide` are derived again
 * (protocol rule 5). An ambiguous commit is settled by one read (rule 6).
 */

import { type Enqueued, isOutboxEmpty, type Outgoing } from '../../core/outbox.ts'
import type { LoggedFact } from '../../core/run/log/facts.ts'
import { base64url } from '../../lib/bytes.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { HeadWrite, World, Write } from '../../ports/world.ts'
import { type Step, steppedFacts } from './clock-steps.ts'
import { drainMailbox, receivable } from './drain.ts'
import { isPushed } from './expiry.ts'
import { type HeadOf, headAfter } from './head.ts'
import { parsePartition } from './keys.ts'
import { isSoleWorker, WorkerLease } from './lease.ts'
import type { Committed } from './log.ts'
import { isWrittenBy, readForPass, readLog, remember } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'
import type { Mail } from './mailbox.ts'
import { Pending } from './pending.ts'
import { type Observed, type Projected, type Projection, project } from './project.ts'
import { reportFacts, reportUnrecorded } from './report.ts'
import { alarmOf, factRows, type Hold, lengthOf, objectsNamed } from './rows.ts'

const TRIES = 50

export class Transaction<S extends AnyState, F extends AnyFact> {
  readonly partition: string
  readonly tenant: string
  /** Reads that the kind has begun for its next effect. */
  early: object | undefined
  readonly #lease: WorkerLease
  #world: World
  readonly #kind: LogType<S, F>
  #committed: Committed<S, F> | undefined
  #wrote = false
  #committedAny = false
  /** Another worker's commit came before one of this worker's. */
  #hadConflict = false
  readonly #pending = new Pending<F>()
  readonly #steps = new Set<Step>()
  /** The start of the next projection. */
  #projected: Projected<S, F> | undefined
  /** Types that the tenant's endpoints subscribe to. */
  readonly #subscribed: readonly string[]

  private constructor(
    world: World,
    kind: LogType<S, F>,
    partition: string,
    initial: {
      committed: Committed<S, F> | undefined
      subscribed: readonly string[]
      isForPass: boolean
    },
  ) {
    this.#world = world
    this.#kind = kind
    this.partition = partition
    this.tenant = parsePartition(partition).tenant
    this.#lease = new WorkerLease(world, initial.isForPass)
    this.#committed = initial.committed
    this.#subscribed = initial.subscribed
  }

  static async open<S extends AnyState, F extends AnyFact>(
    world: World,
    kind: LogType<S, F>,
    partition: string,
    { facts, isForPass = false }: { readonly facts?: number | undefined; isForPass?: boolean } = {},
  ): Promise<Transaction<S, F>> {
    const read = isForPass ? readForPass : readLog
    const [committed, subscribed] = await Promise.all([
      read(world, kind, partition, facts),
      kind.subscribedTypes(world, parsePartition(partition).tenant),
    ])
    return new Transaction(world, kind, partition, { committed, subscribed, isForPass })
  }

  get committed(): Committed<S, F> | undefined {
    return this.#committed
  }
  /** This invocation's name in leases. */
  get worker(): string {
    return this.#lease.worker
  }
  get epoch(): number {
    return this.#lease.epoch(this.#committed?.head)
  }

  /** Whether another worker holds a valid lease. */
  leasedByOther(now: number): boolean {
    return this.#lease.isOthers(this.#committed?.head, now)
  }

  /** An answer of the model names what it rests on, because a conflict may change that. */
  observe(facts: readonly F[], fingerprint?: string): void {
    this.#pending.observe(facts, fingerprint)
  }

  /**
   * The model is asked from what stands now, in which everything that follows has happened: refused
   * and unknown calls, the barrier. What is observed from here on comes after that in the log, or
   * the log would not hold what the model was shown.
   */
  markModelCall(): void {
    this.#pending.ask()
  }

  acknowledge(acknowledged: Outgoing): void {
    this.#pending.acknowledge(acknowledged)
  }

  /** Puts a message into the outbox that follows from no fact. */
  enqueue(message: Enqueued): void {
    this.#pending.enqueue(message)
  }

  /** Whether facts of this worker are in the log. */
  get wrote(): boolean {
    return this.#wrote
  }

  /** Whether this worker has written the head. */
  get committedAny(): boolean {
    return this.#committedAny
  }

  /** Whether others may be at this too: mail wakes many at once, and a conflict has shown one. */
  get isShared(): boolean {
    if (isSoleWorker(this.#world.settings)) return false
    return this.#pending.taken.length > 0 || (this.#hadConflict && !this.#lease.isHeld)
  }

  /** True when something happened that is not yet in the store. */
  get dirty(): boolean {
    return !this.#pending.isEmpty
  }

  /** True when this worker knows what the store cannot say. */
  get hasFindings(): boolean {
    return this.#pending.hasFindings
  }

  /** Facts that could not count beside the old log are judged again beside the new one. */
  async refresh(): Promise<void> {
    this.#committed = await readLog(this.#world, this.#kind, this.partition)
    this.#pending.reread(new Set(this.#committed?.mail.map(({ key }) => key)))
    this.#projected = undefined
  }

  /** Mail posted since the log was read; false: one makes no sense, so the log is old. */
  receive(mail: readonly Mail<F>[]): boolean {
    if (!this.#committed || mail.length === 0) return true
    const { unread, fresh } = receivable(this.#kind, this.#committed, this.#pending, mail)
    if (fresh.length > 0)
      this.#committed = { ...this.#committed, mail: [...this.#committed.mail, ...fresh] }
    return fresh.length === unread.length
  }

  /** Turns mail into observed facts; mail that can never count is only removed. */
  drainMailbox(): void {
    if (!this.#committed) return
    drainMailbox(this.#kind, this.#committed, this.#pending, this.#subscribed)
  }

  /** Committed, observed and derived together, as a commit at `now` would make it. */
  project(now: number, busy: number, hold: Hold = 'hold'): Projection<S, F> {
    this.observe(steppedFacts(this.#world, this.#kind, this.#committed, this.#steps))
    const uncommitted = {
      observed: this.#pending.observed,
      asked: this.#pending.askPositions,
      acknowledged: this.#pending.acknowledged,
      enqueued: this.#pending.enqueued,
      epoch: this.epoch,
      observer: hold === 'leave',
      busy,
      subscribed: this.#subscribed,
    }
    this.#projected = project(this.#kind, this.#committed, uncommitted, now, this.#projected)
    return this.#projected
  }

  /**
   * Commits what was observed and what follows from it. True when it is in the store; false when it
   * was deleted meanwhile, or another worker has taken it (`hold` and `free` only).
   */
  async commit(busy: number, hold: Hold, extra: readonly Write[] = []): Promise<boolean> {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const now = this.#world.clock.now()
      if (!this.#committed) return false
      const ended = this.#committed.state.ended_at !== null
      const isTaken = this.#lease.isLost(this.#committed.head) || this.leasedByOther(now)
      if (hold !== 'leave' && isTaken) return false
      const { observed } = this.#pending
      if (await this.#tryCommit(now, busy, hold, extra)) {
        if (ended) this.#tellLate(observed)
        return true
      }
      await this.#world.clock.sleep(Math.min(500, 5 * attempt))
    }
    throw new Unavailable(`the commit of ${this.partition} met ${TRIES} conflicts in a row`)
  }

  /** Usage after the end is counted nowhere any more: it is reported to the operator. */
  #tellLate(observed: readonly Observed<F>[]): void {
    const acknowledged = observed.flatMap(({ fact }) => this.#kind.discarded?.(fact) ?? [])
    reportUnrecorded(this.#world, this.partition, acknowledged)
  }

  async #tryCommit(now: number, busy: number, requestedHold: Hold, extra: readonly Write[]) {
    // Effects of a lease owner are in flight while its lease lives: it alone ends them (rule 15).
    const under = requestedHold === 'leave' && this.leasedByOther(now) ? Math.max(busy, 1) : busy
    // Anew: all facts of a commit bear its time (rule 5), also those that were projected before.
    this.#projected = undefined
    const { facts, state: next } = this.project(now, under, requestedHold)
    const over = next.ended_at !== null && isOutboxEmpty(next.outbox)
    // No worker needs a lease on an ended log with an empty outbox, whatever is still in flight.
    const state = over ? { ...next, busy: 0 } : next
    const hold = over ? 'free' : requestedHold
    if (extra.length === 0 && !this.#changes(facts, hold)) return this.#settled(this.epoch, hold)
    const commit = base64url(this.#world.clock.random(12))
    const epoch = hold === 'hold' ? this.epoch : (this.#committed?.head.epoch ?? 0)
    const { worker } = this
    const rows = factRows(facts, { commit, epoch })
    const objectRefs = objectsNamed(rows)
    const by = { commit, epoch, hold, now, worker, at: facts.at(-1)?.at, named: objectRefs }
    const head = headAfter(this.#world, this.#kind, this.#committed?.head, state, by)
    const deletes = this.#pending.taken.map((key) => ({ op: 'delete', key }) as const)
    const result = await this.#world.store.commit(
      this.partition,
      [...rows, ...deletes, ...extra, ...this.#kind.rows(this.tenant, state, facts)],
      this.#headWrite(head, state),
    )
    this.#hadConflict ||= result === 'conflict'
    if (result === 'ok') return this.#done(head, state, facts, rows)
    await this.refresh()
    const wrote = () => isWrittenBy(this.#world, this.partition, rows[0]?.key, commit)
    if (this.#committed?.head.commit !== commit && !(await wrote())) return false
    reportFacts(this.#world, this.partition, facts, state)
    return this.#settled(head.epoch, hold)
  }

  /** Whether a commit would say anything: what was observed may no longer count. */
  #changes(facts: readonly LoggedFact<F>[], hold: Hold): boolean {
    const { acknowledged, enqueued, taken: mailKeys } = this.#pending
    if ([facts, acknowledged, enqueued, mailKeys].some(({ length }) => length > 0)) return true
    return hold === 'hold' || (hold === 'free' && this.unsettled)
  }

  /** Its head says what no longer holds: my lease, or an alarm that the tick has moved. */
  get unsettled(): boolean {
    const leased = this.#committed?.head.lease?.worker === this.worker
    return leased || isPushed(this.#world, this.#kind, this.#committed)
  }

  #done(
    head: HeadOf<S>,
    state: S,
    facts: readonly LoggedFact<F>[],
    rows: ReturnType<typeof factRows>,
  ): true {
    const previous = this.#committed
    this.#committed = remember(this.#world.store, this.partition, {
      version: (previous?.version ?? 0) + 1,
      head,
      state: { ...state, epoch: head.epoch, busy: 0 },
      lastKey: rows.at(-1)?.key ?? previous?.lastKey ?? '',
      length: (previous?.length ?? 0) + lengthOf(rows),
      mail: (previous?.mail ?? []).filter(({ key }) => !this.#pending.taken.includes(key)),
    })
    reportFacts(this.#world, this.partition, facts, state)
    if (facts.length > 0) {
      this.#wrote = true
      this.#world.feed.publish(this.partition, { type: 'changed', by: this.worker })
      const news = this.#kind.news?.(this.tenant, state, facts)
      if (news) this.#world.feed.publish(news.partition, news.item)
    }
    return this.#settled(head.epoch, head.lease?.worker === this.worker ? 'hold' : 'free')
  }

  #settled(epoch: number, hold: Hold): true {
    this.#pending.clear()
    this.#committedAny = true
    this.#lease.settle(epoch, hold)
    return true
  }

  #headWrite(head: HeadOf<S>, state: S): HeadWrite {
    return {
      expect: this.#committed?.version ?? null,
      body: JSON.stringify(head),
      alarm: alarmOf(this.#kind, head.wake_at, state),
      listed: head.listed ?? undefined,
    }
  }
}
