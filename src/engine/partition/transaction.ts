/**
 * Worker transaction on a run: the committed state, the observations since then, and the only way
 * to commit. After a conflict, only observed facts survive; `decide` derives its facts again
 * (PROTOCOL.md rule 5). One read resolves an ambiguous commit (PROTOCOL.md rule 6).
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
  /** Early reads that the log type has started for the next effect. */
  early: object | undefined
  readonly #lease: WorkerLease
  #world: World
  readonly #kind: LogType<S, F>
  #committed: Committed<S, F> | undefined
  #wrote = false
  #committedAny = false
  /** Whether another worker's commit made one of this worker's commits conflict. */
  #hadConflict = false
  readonly #pending = new Pending<F>()
  readonly #steps = new Set<Step>()
  /** Last projection, which the next one may extend. */
  #projected: Projected<S, F> | undefined
  /** Event types to which the tenant's endpoints subscribe. */
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
  /** Returns the name of this worker invocation in leases. */
  get worker(): string {
    return this.#lease.worker
  }
  get epoch(): number {
    return this.#lease.epoch(this.#committed?.head)
  }

  /** Returns whether another worker owns a valid lease on the log. */
  leasedByOther(now: number): boolean {
    return this.#lease.isOthers(this.#committed?.head, now)
  }

  /** Adds observed facts; for a model answer, with its prompt fingerprint. */
  observe(facts: readonly F[], fingerprint?: string): void {
    this.#pending.observe(facts, fingerprint)
  }

  /** Marks a model call; later observations must follow the facts derived so far. */
  markModelCall(): void {
    this.#pending.ask()
  }

  acknowledge(acknowledged: Outgoing): void {
    this.#pending.acknowledge(acknowledged)
  }

  /** Adds a message to the outbox without a fact. */
  enqueue(message: Enqueued): void {
    this.#pending.enqueue(message)
  }

  /** Returns whether this worker has written facts to the log. */
  get wrote(): boolean {
    return this.#wrote
  }

  /** Returns whether this worker has completed a commit. */
  get committedAny(): boolean {
    return this.#committedAny
  }

  /** Returns whether other workers may be active on the log, after mail or a conflict. */
  get isShared(): boolean {
    if (isSoleWorker(this.#world.settings)) return false
    return this.#pending.taken.length > 0 || (this.#hadConflict && !this.#lease.isHeld)
  }

  /** Returns whether the transaction has anything that the store lacks. */
  get dirty(): boolean {
    return !this.#pending.isEmpty
  }

  /** Returns whether this worker has findings that the store lacks, other than mail. */
  get hasFindings(): boolean {
    return this.#pending.hasFindings
  }

  /** Reads the log again. Facts that did not count with the old log are checked again. */
  async refresh(): Promise<void> {
    this.#committed = await readLog(this.#world, this.#kind, this.partition)
    this.#pending.reread(new Set(this.#committed?.mail.map(({ key }) => key)))
    this.#projected = undefined
  }

  /** Adds mail posted since the log was read. Returns false if the log is stale. */
  receive(mail: readonly Mail<F>[]): boolean {
    if (!this.#committed || mail.length === 0) return true
    const { unread, fresh } = receivable(this.#kind, this.#committed, this.#pending, mail)
    if (fresh.length > 0)
      this.#committed = { ...this.#committed, mail: [...this.#committed.mail, ...fresh] }
    return fresh.length === unread.length
  }

  /** Converts mail to observed facts. Mail that can never count is only removed. */
  drainMailbox(): void {
    if (!this.#committed) return
    drainMailbox(this.#kind, this.#committed, this.#pending, this.#subscribed)
  }

  /** Projects a commit at time `now`: committed, observed, and derived facts together. */
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
   * Commits observations and the facts derived from them. Returns true once they are in the store.
   * Returns false if the log was deleted, or if another worker owns it (`hold` and `free` only).
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
    throw new Unavailable(
      `the commit of ${this.partition} failed after ${TRIES} consecutive conflicts`,
    )
  }

  /** Reports usage after the log's end to the operator, because no total includes it. */
  #tellLate(observed: readonly Observed<F>[]): void {
    const acknowledged = observed.flatMap(({ fact }) => this.#kind.discarded?.(fact) ?? [])
    reportUnrecorded(this.#world, this.partition, acknowledged)
  }

  async #tryCommit(now: number, busy: number, requestedHold: Hold, extra: readonly Write[]) {
    // A lease owner's effects count as in progress while its lease is valid. Only the owner ends
    // them (PROTOCOL.md rule 15).
    const under = requestedHold === 'leave' && this.leasedByOther(now) ? Math.max(busy, 1) : busy
    // All facts of a commit have its time (PROTOCOL.md rule 5), so old projections are discarded.
    this.#projected = undefined
    const { facts, state: next } = this.project(now, under, requestedHold)
    const over = next.ended_at !== null && isOutboxEmpty(next.outbox)
    // An ended log with an empty outbox needs no lease, even while effects are still in progress.
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

  /** Returns whether a commit would change the log; observations may no longer count. */
  #changes(facts: readonly LoggedFact<F>[], hold: Hold): boolean {
    const { acknowledged, enqueued, taken: mailKeys } = this.#pending
    if ([facts, acknowledged, enqueued, mailKeys].some(({ length }) => length > 0)) return true
    return hold === 'hold' || (hold === 'free' && this.unsettled)
  }

  /** Returns whether the head row has this worker's lease or an outdated alarm. */
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
