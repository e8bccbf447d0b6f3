/**
 * One worker's hold on one run: what is committed, what was observed since, and the one way to
 * commit. After a conflict only observed facts survive; what `decide` derived is derived again
 * (protocol rule 5). An ambiguous commit is settled by one read (rule 6).
 */

import { LATE_AT_ONCE, NOTHING_AFTER } from '../core/after.ts'
import { LIMITS } from '../core/limits.ts'
import type { Stamped } from '../core/run/facts.ts'
import { base64url } from '../lib/bytes.ts'
import { Unavailable } from '../lib/unavailable.ts'
import type { HeadWrite, World, Write } from '../ports/world.ts'
import { watchedTypes } from './endpoint/tell.ts'
import type { AnyFact, AnyState, Kind } from './kind.ts'
import type { Committed, Head, Letter } from './log.ts'
import { FORMAT, isWrittenBy, readLog, remember } from './log.ts'
import { parsePartition } from './names.ts'
import { type Observed, type Paid, type Projected, type Projection, project } from './project.ts'
import { goneAt, isPushed } from './retention.ts'
import { alarmOf, factRows, type Hold, LEASE_GRACE_MS, LEASE_MS, wakeAt } from './rows.ts'

const TRIES = 50

type HeadOf<S extends AnyState> = Head<S['debts'], unknown>

export class Ledger<S extends AnyState, F extends AnyFact> {
  readonly partition: string
  readonly tenant: string
  /** This invocation's name in leases. */
  readonly worker: string
  #world: World
  readonly #kind: Kind<S, F>
  #committed: Committed<S, F> | undefined
  #observed: Observed<F>[] = []
  /** How much was observed each time the model was asked. */
  #asked: number[] = []
  #paid: Paid[] = []
  #taken: string[] = []
  /** Of these, letters that say nothing to the log as it was read; it may have been old. */
  readonly #refused = new Set<string>()
  /** Letters that were taken once: they are committed, or will be. */
  readonly #seen = new Set<string>()
  /** What the next projection may go on from. */
  #projected: Projected<S, F> | undefined
  #epoch: number | undefined
  /** Types that the tenant's endpoints want to hear. */
  readonly #watched: readonly string[]

  private constructor(
    world: World,
    kind: Kind<S, F>,
    partition: string,
    found: { committed: Committed<S, F> | undefined; watched: readonly string[] },
  ) {
    this.#world = world
    this.#kind = kind
    this.partition = partition
    this.tenant = parsePartition(partition).tenant
    this.worker = `${world.settings.worker}:${base64url(world.clock.random(6))}`
    this.#committed = found.committed
    this.#watched = found.watched
  }

  static async open<S extends AnyState, F extends AnyFact>(
    world: World,
    kind: Kind<S, F>,
    partition: string,
  ): Promise<Ledger<S, F>> {
    const [committed, watched] = await Promise.all([
      readLog(world, kind, partition),
      watchedTypes(world, parsePartition(partition).tenant),
    ])
    return new Ledger(world, kind, partition, { committed, watched })
  }

  get committed(): Committed<S, F> | undefined {
    return this.#committed
  }

  get epoch(): number {
    return this.#epoch ?? (this.#committed?.head.epoch ?? 0) + 1
  }

  /** Whether somebody else holds a lease that still counts. */
  leasedByOther(now: number): boolean {
    const lease = this.#committed?.head.lease
    if (!lease || lease.worker === this.worker) return false
    const sameProcess = lease.worker.startsWith(`${this.#world.settings.worker}:`)
    if (this.#world.settings.exclusive && !sameProcess) return false
    return now < lease.until + LEASE_GRACE_MS
  }

  /** True when this worker held a lease that another worker has since taken. */
  get lost(): boolean {
    return this.#epoch !== undefined && (this.#committed?.head.epoch ?? 0) > this.#epoch
  }

  /** An answer of the model names what it rests on, because a conflict may change that. */
  observe(facts: readonly F[], basis?: string): void {
    this.#observed.push(...facts.map((fact) => ({ fact, basis })))
  }

  /**
   * The model is asked from what stands now, in which everything that follows has happened: refused
   * and unknown calls, the barrier. What is observed from here on comes after that in the log, or
   * the log would not hold what the model was shown.
   */
  asked(): void {
    this.#asked.push(this.#observed.length)
  }

  pay(paid: Paid): void {
    this.#paid.push(paid)
  }

  /** True when something happened that is not yet in the store. */
  get dirty(): boolean {
    return this.#observed.length > 0 || this.#paid.length > 0 || this.#taken.length > 0
  }

  /** What could never count beside the old log is judged again beside the new one. */
  async refresh(): Promise<void> {
    this.#taken = this.#taken.filter((key) => !this.#refused.has(key))
    this.#refused.clear()
    this.#committed = await readLog(this.#world, this.#kind, this.partition)
  }

  /** Letters put beside the log since it was read; false: one makes no sense, so the log is old. */
  hear(letters: readonly Letter<F>[]): boolean {
    const run = this.#committed
    if (!run || letters.length === 0) return true
    const known = new Set(run.letters.map(({ key }) => key))
    const unread = letters.filter(({ key }) => !known.has(key) && !this.#seen.has(key))
    const { machine, isEarly, isLate } = this.#kind
    const ways = [machine.accepts, isEarly, isLate]
    const fresh = unread.filter(({ fact }) => ways.some((counts) => counts(run.state, fact)))
    if (fresh.length > 0) this.#committed = { ...run, letters: [...run.letters, ...fresh] }
    return fresh.length === unread.length
  }

  /** Turns letters into observed facts; what can never count is only removed. */
  takeLetters(): void {
    const run = this.#committed
    if (!run) return
    const { machine, isEarly, isLate, owesLate } = this.#kind
    const known = { ...run.state, watched: this.#watched }
    const late = this.#observed.filter(({ fact }) => owesLate(known, fact)).length
    let places = LATE_AT_ONCE - late - (run.state.debts.late?.length ?? 0)
    const room = LIMITS.letters_per_commit - this.#taken.length
    const fresh = run.letters.filter(({ key }) => !this.#taken.includes(key)).slice(0, room)
    for (const { key, fact } of fresh) {
      if (isEarly(run.state, fact)) continue
      if (owesLate(known, fact) && places-- <= 0) continue
      if (machine.accepts(run.state, fact) || isLate(run.state, fact)) this.#observed.push({ fact })
      else this.#refused.add(key)
      this.#taken.push(key)
      this.#seen.add(key)
    }
  }

  /** Committed, observed and derived together, as a commit at `now` would make it. */
  project(now: number, busy: number, hold: Hold = 'hold'): Projection<S, F> {
    const uncommitted = {
      observed: this.#observed,
      asked: this.#asked,
      paid: this.#paid,
      epoch: this.epoch,
      guest: hold === 'leave',
      busy,
      watched: this.#watched,
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
      if (hold !== 'leave' && (this.lost || this.leasedByOther(now))) return false
      if (await this.#tryCommit(now, busy, hold, extra)) return true
      await this.#world.clock.sleep(Math.min(500, 5 * attempt))
    }
    throw new Unavailable(`the commit of ${this.partition} met ${TRIES} conflicts in a row`)
  }

  async #tryCommit(now: number, busy: number, wanted: Hold, extra: readonly Write[]) {
    // Effects of a holder are under way as long as its lease lives: it alone ends them (rule 15).
    const under = wanted === 'leave' && this.leasedByOther(now) ? Math.max(busy, 1) : busy
    const { facts, state: next } = this.project(now, under, wanted)
    const over = next.ended_at !== null && this.#kind.owesNothing(next)
    // Nobody holds what has ended and owes nothing, whatever is still under way.
    const state = over ? { ...next, busy: 0 } : next
    const hold = over ? 'free' : wanted
    if (extra.length === 0 && !this.#changes(facts, hold)) return this.#settled(this.epoch, hold)
    const commit = base64url(this.#world.clock.random(12))
    const epoch = hold === 'hold' ? this.epoch : (this.#committed?.head.epoch ?? 0)
    const head = this.#head(state, facts.at(-1)?.at, { commit, epoch, hold, now })
    const rows = factRows(facts, { commit, epoch })
    const deletes = this.#taken.map((key) => ({ op: 'delete', key }) as const)
    const result = await this.#world.store.commit(
      this.partition,
      [...rows, ...deletes, ...extra, ...this.#kind.rows(this.tenant, state, facts)],
      this.#headWrite(head, state),
    )
    if (result === 'ok') return this.#done(head, state, facts, rows.at(-1)?.key)
    await this.refresh()
    const wrote = () => isWrittenBy(this.#world, this.partition, rows[0]?.key, commit)
    if (this.#committed?.head.commit !== commit && !(await wrote())) return false
    return this.#settled(head.epoch, hold)
  }

  /** Whether a commit would say anything: what was observed may no longer count. */
  #changes(facts: readonly Stamped<F>[], hold: Hold): boolean {
    if (facts.length > 0 || this.#paid.length > 0 || this.#taken.length > 0) return true
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
    facts: readonly Stamped<F>[],
    lastKey: string | undefined,
  ): true {
    const before = this.#committed
    this.#committed = remember(this.#world.store, this.partition, {
      version: (before?.version ?? 0) + 1,
      head,
      state: { ...state, epoch: head.epoch, busy: 0 },
      lastKey: lastKey ?? before?.lastKey ?? '',
      letters: (before?.letters ?? []).filter(({ key }) => !this.#taken.includes(key)),
    })
    if (facts.length > 0) {
      this.#world.feed.publish(this.partition, { type: 'changed', by: this.worker })
      const news = this.#kind.news?.(this.tenant, state, facts)
      if (news) this.#world.feed.publish(news.partition, news.item)
    }
    return this.#settled(head.epoch, head.lease?.worker === this.worker ? 'hold' : 'free')
  }

  #settled(epoch: number, hold: Hold): true {
    this.#observed = []
    this.#asked = []
    this.#paid = []
    this.#taken = []
    if (hold === 'hold') this.#epoch = epoch
    if (hold === 'free') this.#epoch = undefined
    return true
  }

  #head(
    state: S,
    at: number | undefined,
    by: { commit: string; epoch: number; hold: Hold; now: number },
  ): HeadOf<S> {
    const before = this.#committed?.head
    const gone = goneAt(this.#world, this.#kind, state)
    const proves = at !== undefined && by.hold !== 'leave'
    const leases = {
      hold: { worker: this.worker, until: by.now + LEASE_MS },
      free: null,
      leave: before?.lease ?? null,
    }
    return {
      format: FORMAT,
      seq: state.seq,
      at: at ?? before?.at ?? by.now,
      commit: by.commit,
      epoch: by.epoch,
      lease: leases[by.hold],
      debts: state.debts,
      after: state.after === NOTHING_AFTER ? undefined : state.after,
      wake_at: wakeAt(this.#kind, state, by.now, before?.wake_at ?? null, by.hold) ?? gone ?? null,
      resends: at === undefined && gone === undefined ? (before?.resends ?? 0) : 0,
      listed: before?.listed ?? null,
      ...(proves ? {} : { claims: before?.claims }),
      view: this.#kind.view(state),
    }
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
