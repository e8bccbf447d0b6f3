/**
 * Main loop: advances one run or fan-out until it is idle. Reads and folds; leaves if another
 * worker owns the lease; performs all pending effects concurrently; commits facts, head, and
 * `wakeAt` together. After a conflict, observations are kept and all other facts are derived again.
 * Stops when parked or terminal, after a final mailbox read. PROTOCOL.md defines the rules.
 */

import { isSuspect } from '../../core/crash-count.ts'
import type { Wake, World } from '../../ports/world.ts'
import { isSuperseded } from '../partition/drain.ts'
import { isDueToGo } from '../partition/expiry.ts'
import type { Committed } from '../partition/log.ts'
import type { AnyEffect, AnyFact, AnyState, EffectHandlers } from '../partition/log-type.ts'
import { open } from '../partition/open.ts'
import type { Projection } from '../partition/project.ts'
import { NEAR_MS, RENEW_MS } from '../partition/rows.ts'
import type { Transaction } from '../partition/transaction.ts'
import { isGone, tenantStatus } from '../tenant/state.ts'
import { isIdle, whileHalted } from './halted.ts'
import type { Settled } from './inflight.ts'
import { Inflight } from './inflight.ts'
import { deleteTree } from './retention.ts'
import { FlushTimer, LeaseTimer, lifeLeft } from './timers.ts'

/**
 * Number of subagents created concurrently; the first batch is small, so that its subagents start
 * working early.
 */
const SPAWNS = { first: 2, most: 16 } as const

/** Advances a partition; does nothing and returns `suspect` if it may have crashed a worker. */
export async function advance<S extends AnyState, F extends AnyFact, E extends AnyEffect>(
  world: World,
  handlers: EffectHandlers<S, F, E>,
  wake: Wake,
): Promise<'looked' | 'suspect'> {
  const transaction = await open(world, handlers, wake)
  if (!transaction?.committed || transaction.leasedByOther(world.clock.now())) return 'looked'
  const { head, state } = transaction.committed
  // A run that has ended is not suspect, because it cannot be ended again.
  if (!wake.suspect && state.ended_at === null && isSuspect(head.crashes)) return 'suspect'
  if (isSuperseded(world, handlers, transaction.committed, wake)) return 'looked'
  if (isDueToGo(world, handlers, state)) {
    await deleteTree(world, wake.partition, head)
    return 'looked'
  }
  const executor = new Executor(world, handlers, transaction)
  try {
    await executor.untilRest()
  } catch (error) {
    await executor.giveUp()
    throw error
  } finally {
    executor.close()
  }
  await executor.afterwards({ ...wake, suspect: undefined })
  return 'looked'
}

class Executor<S extends AnyState, F extends AnyFact, E extends AnyEffect> {
  readonly #world: World
  readonly #handlers: EffectHandlers<S, F, E>
  readonly #transaction: Transaction<S, F>
  readonly #inflight: Inflight<E, F>
  readonly #began: number
  readonly #lease: LeaseTimer
  readonly #flush: FlushTimer
  #handover = false
  #spawned = 0
  #at = { now: 0, clock: 0 }
  readonly #atStart: Committed<S, F>

  constructor(world: World, handlers: EffectHandlers<S, F, E>, transaction: Transaction<S, F>) {
    this.#world = world
    this.#handlers = handlers
    this.#transaction = transaction
    this.#inflight = new Inflight(world, transaction.partition, transaction.worker)
    this.#began = world.clock.monotonic()
    this.#lease = new LeaseTimer(this.#began)
    this.#flush = new FlushTimer(world.settings.flushMs)
    this.#atStart = transaction.committed!
  }

  close(): void {
    this.#inflight.close()
  }

  async untilRest(): Promise<void> {
    for (;;) {
      const turn = this.#world.pace?.turn(this.#transaction.tenant)
      if (turn) await turn
      const cached = tenantStatus(this.#world, this.#transaction.tenant)
      const status = typeof cached === 'string' ? cached : await cached
      if (isGone(status)) return this.#inflight.keepOnly(new Set())
      this.#read()
      // A result that arrived during a commit must be recorded, or its effect would start twice.
      for (const settledEffect of this.#inflight.take()) this.#record(settledEffect)
      if (!this.#transaction.receive(this.#inflight.mail())) await this.#transaction.refresh()
      if (!this.#transaction.committed) return
      if (this.#transaction.leasedByOther(this.#at.now)) return this.#standDown()
      this.#transaction.drainMailbox()
      const projection = this.#project()
      const due = this.#due(projection.state)
      this.#inflight.keepOnly(new Set(due.map((effect) => effect.id)))
      const pending = due.filter((effect) => !this.#inflight.has(effect.id))
      const open = status === 'active' ? pending : whileHalted(this.#handlers, pending)
      if (open.length < pending.length && isIdle(this.#transaction, this.#inflight.size)) return
      const ready = this.#ready(projection, open)
      const hold = this.#mustCommit(projection, open, ready)
      if (hold) {
        if (!(await this.#commit(hold))) return this.#standDown()
        if (hold === 'free' && (await this.#nothingNew())) return
        continue
      }
      if (this.#start(projection, ready)) continue
      if (this.#inflight.size === 0 && !this.#transaction.dirty) return
      await this.#wait(projection)
    }
  }

  /**
   * Handles a platform failure during an effect: commits finished effects and releases the lease,
   * so that the next pass can continue. If this also fails, the lease expires.
   */
  async giveUp(): Promise<void> {
    this.#inflight.keepOnly(new Set())
    const holdsLease = this.#transaction.committed?.head.lease?.worker === this.#transaction.worker
    if (!holdsLease && !this.#transaction.dirty) return
    try {
      await this.#transaction.commit(0, 'free')
    } catch {
      // A second error is ignored; the first error is reported.
    }
  }

  /** Sends the wakes that follow from the run's state at the end of the pass. */
  async afterwards(wake: Wake): Promise<void> {
    const run = this.#transaction.committed
    const lane = run && this.#handlers.turnOf(run.state)
    if (!lane) return
    // If deletion is due, another worker may be deleting the log and would miss this snapshot.
    const stays = !isDueToGo(this.#world, this.#handlers, run.state)
    const keeps = stays && this.#transaction.wrote
    if (keeps) await this.#handlers.snapshot?.keep(this.#world, wake.partition, run)
    // A new fact is progress; consecutive wakes without one are limited (PROTOCOL.md rule 35).
    const staleCount = run.head.seq > this.#atStart.head.seq ? 0 : wake.staleCount + 1
    const next = { ...wake, ...lane, staleCount, mail: undefined, facts: run.head.seq }
    if (this.#handover) {
      await this.#world.queue.send([next])
      return
    }
    const until = run.head.wake_at
    // A pass that committed nothing has not set an alarm.
    if (until === null || !this.#transaction.committedAny || this.#isSent(until, run.state)) return
    const delay = Math.max(0, until - this.#world.clock.now())
    if (delay < NEAR_MS) await this.#world.queue.send([next], delay)
  }

  /** Reports whether the wake was sent already; if not, it may be a request's immediate alarm. */
  #isSent(until: number, { status }: S): boolean {
    return until === this.#atStart.head.wake_at && status === this.#atStart.state.status
  }

  /** Reads the clock once per round, so that each time stays either past or due in the round. */
  #read(): void {
    const { clock } = this.#world
    this.#at = { now: clock.now(), clock: clock.monotonic() }
  }

  #project(): Projection<S, F> {
    return this.#transaction.project(this.#at.now, this.#inflight.size)
  }

  #due(state: S): readonly E[] {
    return this.#handlers.machine.pendingEffects(state, this.#at.now)
  }

  /** Returns whether to commit now, and whether the commit keeps or releases the lease. */
  #mustCommit(
    { state, facts }: Projection<S, F>,
    open: readonly E[],
    ready: readonly E[],
  ): 'hold' | 'free' | undefined {
    const pending = facts.length > 0 || this.#transaction.dirty
    const idle = this.#inflight.size === 0
    const { clock } = this.#at
    if (idle && open.length === 0) {
      return pending || this.#transaction.unsettled ? 'free' : undefined
    }
    if (idle && clock - this.#began > this.#world.settings.sliceMs) {
      this.#handover = true
      return 'free'
    }
    if (!idle && clock >= this.#lease.renewAt) return 'hold'
    if (open.some((effect) => this.#handlers.isOnce(effect)) && !this.#lease.isFresh(clock))
      return 'hold'
    // Two workers woken by two notices must never make the same model call (PROTOCOL.md rule 45a).
    if (this.#transaction.isShared && open.some((effect) => this.#handlers.isAsking(effect)))
      return 'hold'
    if (!pending) return this.#flush.clean()
    if (state.ended_at !== null || ready.length < open.length) return 'hold'
    if (this.#flush.isUrgent && idle) return 'hold'
    return this.#flush.isDue(clock) ? 'hold' : undefined
  }

  async #commit(hold: 'hold' | 'free'): Promise<boolean> {
    // The lease is measured from before the commit, because the commit may outlast it.
    const clock = this.#world.clock.monotonic()
    if (!(await this.#transaction.commit(this.#inflight.size, hold))) return false
    this.#flush.committed()
    this.#lease.committed(clock, hold)
    return true
  }

  /**
   * Reads the partition again after releasing the lease. A child that ended since the last read
   * found the lease owned, and sends no other notification.
   */
  async #nothingNew(): Promise<boolean> {
    const { version, state, mail } = this.#transaction.committed!
    if (this.#handover) return true
    // Mail that arrives after the end of the run has a separate alarm.
    if (state.ended_at !== null) return mail.length === 0
    await this.#transaction.refresh()
    const run = this.#transaction.committed
    if (!run) return true
    return run.version === version && run.mail.length === 0
  }

  /** Commits results and starts no effects: another worker owns the run (PROTOCOL.md rule 11). */
  async #standDown(): Promise<void> {
    this.#inflight.keepOnly(new Set())
    // Mail alone is not committed here; otherwise, a hundred workers woken by as many children
    // would all commit it.
    if (this.#transaction.hasFindings) await this.#transaction.commit(0, 'leave')
  }

  /** Returns the effects that may start; some may start only after their cause is committed. */
  #ready({ facts }: Projection<S, F>, open: readonly E[]): readonly E[] {
    const handlers = this.#handlers
    const pending = facts.length > 0 || this.#transaction.dirty
    if (!pending || !open.some((effect) => handlers.needsCommit(effect))) return open
    const { committed } = this.#transaction
    const caused = new Set(committed ? this.#due(committed.state).map(({ id }) => id) : [])
    return open.filter((effect) => !handlers.needsCommit(effect) || caused.has(effect.id))
  }

  /** Starts the ready effects; returns true if any effect was started. */
  #start({ state }: Projection<S, F>, ready: readonly E[]): boolean {
    const handlers = this.#handlers
    const first = this.#world.settings.singleProcess ? SPAWNS.first : SPAWNS.most
    const most = Math.min(SPAWNS.most, first + this.#spawned)
    let places = most - this.#inflight.count((effect) => handlers.isSpawn(effect))
    const fresh = ready.filter((effect) => !handlers.isSpawn(effect) || places-- > 0)
    for (const effect of fresh) {
      if (handlers.isAsking(effect)) this.#transaction.markModelCall()
      const { tenant } = this.#transaction
      const { startDeadline } = this.#lease
      const context = {
        world: this.#world,
        tenant,
        state,
        stateAtStart: this.#atStart.state,
        early: this.#transaction.early,
        startDeadline,
      }
      const ms = Math.min(handlers.timeoutMs(effect), lifeLeft(this.#world, this.#began))
      this.#inflight.start(effect, ms, {
        run: (signal) => handlers.perform({ ...context, signal }, effect),
        overdue: (signal) => handlers.overdue({ ...context, signal }, effect),
      })
    }
    return fresh.length > 0
  }

  async #wait({ state }: Projection<S, F>): Promise<void> {
    const { now, clock } = this.#at
    const times = [this.#lease.renewAt]
    if (this.#flush.at !== undefined) times.push(this.#flush.at)
    const end = this.#handlers.deadline(state)
    if (end !== undefined) times.push(clock + end - now)
    // Times that have already passed need no wait.
    const next = Math.min(clock + RENEW_MS, ...times.filter((time) => time > clock))
    const settled = await this.#inflight.next(next - clock)
    for (const settledEffect of settled) this.#record(settledEffect)
    // Readers get the text after the start of the run, so its commit does not wait for the answer.
    if (this.#inflight.hasNewReader()) this.#flush.hurry()
    if (this.#inflight.poked()) await this.#transaction.refresh()
  }

  #record(settledEffect: Settled<E, F>): void {
    if (this.#handlers.isOnce(settledEffect.effect)) this.#flush.hurry()
    if (this.#handlers.isSpawn(settledEffect.effect)) this.#spawned += 1
    this.#transaction.observe(settledEffect.result.facts ?? [], settledEffect.result.fingerprint)
    if (settledEffect.result.acknowledged !== undefined)
      this.#transaction.acknowledge(settledEffect.result.acknowledged)
  }
}
