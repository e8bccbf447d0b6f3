/**
 * The one loop: move one run or fan-out until it rests. Read and fold; leave if another worker
 * holds it; perform everything owed concurrently; commit facts, head and `wakeAt` together; on a
 * conflict keep what was observed and derive the rest again; stop when parked or terminal, after
 * one last look at the inbox. PROTOCOL.md has its rules.
 */

import { isSuspect } from '../../core/crash-count.ts'
import type { Wake, World } from '../../ports/world.ts'
import { isDueToGo } from '../partition/expiry.ts'
import type { Committed } from '../partition/log.ts'
import type { AnyEffect, AnyFact, AnyState, Mover } from '../partition/log-type.ts'
import { open } from '../partition/open.ts'
import type { Projection } from '../partition/project.ts'
import { LEASE_MS, RENEW_MS } from '../partition/rows.ts'
import type { Ledger } from '../partition/transaction.ts'
import type { Arrival } from './inflight.ts'
import { Inflight } from './inflight.ts'
import { deleteTree } from './retention.ts'

/** An effect that has run so long makes the worker take a lease (protocol rule 12). */
const LAZY_LEASE_MS = 10_000
/** Results that nobody may lose are committed together if they come this close to each other. */
const COALESCE_MS = 250
/** A wake before `wakeAt` is sent along when the time is near; the tick is the backstop. */
const NEAR_MS = 15 * 60_000
/** No effect that must not be doubled starts so close to the end of the lease. */
const LEASE_MARGIN_MS = 10_000
/** So long before the platform ends us what still runs is told to stop, so that this is committed. */
const LAST_MS = 30_000
/** Subagents are created by so many at once, at first by few: they work while the next come. */
const SPAWNS = { first: 2, most: 16 } as const

/** `suspect`: nothing was done, because it must be looked at with care. */
export async function advance<S extends AnyState, F extends AnyFact, E extends AnyEffect>(
  world: World,
  mover: Mover<S, F, E>,
  wake: Wake,
): Promise<'looked' | 'suspect'> {
  const ledger = await open(world, mover, wake.partition)
  if (!ledger?.committed || ledger.leasedByOther(world.clock.now())) return 'looked'
  const { head, state } = ledger.committed
  // What has ended cannot end again.
  if (!wake.again && state.ended_at === null && isSuspect(head.claims)) return 'suspect'
  if (isDueToGo(world, mover, state)) {
    await deleteTree(world, wake.partition)
    return 'looked'
  }
  const drive = new Drive(world, mover, ledger)
  try {
    await drive.untilRest()
  } catch (error) {
    await drive.giveUp()
    throw error
  } finally {
    drive.close()
  }
  await drive.afterwards({ ...wake, again: undefined })
  return 'looked'
}

class Drive<S extends AnyState, F extends AnyFact, E extends AnyEffect> {
  readonly #world: World
  readonly #mover: Mover<S, F, E>
  readonly #ledger: Ledger<S, F>
  readonly #inflight: Inflight<E, F>
  readonly #began: number
  #dirtySince: number | undefined
  #urgent = false
  #leaseAt: number
  #leasedSince: number | undefined
  #handover = false
  #spawned = 0
  #at = { now: 0, clock: 0 }
  readonly #found: Committed<S, F>

  constructor(world: World, mover: Mover<S, F, E>, ledger: Ledger<S, F>) {
    this.#world = world
    this.#mover = mover
    this.#ledger = ledger
    this.#inflight = new Inflight(world, ledger.partition, ledger.worker)
    this.#began = world.clock.monotonic()
    this.#leaseAt = this.#began + LAZY_LEASE_MS
    this.#found = ledger.committed!
  }

  close(): void {
    this.#inflight.close()
  }

  async untilRest(): Promise<void> {
    for (;;) {
      const turn = this.#world.pace?.turn(this.#ledger.tenant)
      if (turn) await turn
      this.#read()
      // What arrived during a commit is no longer under way; unseen, it would be started again.
      for (const arrival of this.#inflight.take()) this.#arrived(arrival)
      if (!this.#ledger.hear(this.#inflight.letters())) await this.#ledger.refresh()
      if (!this.#ledger.committed) return
      if (this.#ledger.leasedByOther(this.#at.now)) return this.#goHome()
      this.#ledger.takeLetters()
      const projection = this.#project()
      const due = this.#owed(projection.state)
      this.#inflight.keepOnly(new Set(due.map((effect) => effect.id)))
      const open = due.filter((effect) => !this.#inflight.has(effect.id))
      const ready = this.#ready(projection, open)
      const hold = this.#mustCommit(projection, open, ready)
      if (hold) {
        if (!(await this.#commit(hold))) return this.#goHome()
        if (hold === 'free' && (await this.#nothingNew())) return
        continue
      }
      if (this.#start(projection, ready)) continue
      if (this.#inflight.size === 0 && !this.#ledger.dirty) return
      await this.#wait(projection)
    }
  }

  /**
   * The host broke under an effect: what others have finished is handed in and the lease is freed,
   * so that the next look finds a run that only has to go on. If that fails too, it runs out.
   */
  async giveUp(): Promise<void> {
    this.#inflight.keepOnly(new Set())
    const held = this.#ledger.committed?.head.lease?.worker === this.#ledger.worker
    if (!held && !this.#ledger.dirty) return
    try {
      await this.#ledger.commit(0, 'free')
    } catch {
      // The first error is the one to tell of.
    }
  }

  /** Sends the wakes that follow from how the run was left. */
  async afterwards(wake: Wake): Promise<void> {
    const run = this.#ledger.committed
    const lane = run && this.#mover.laneOf(run.state)
    if (!lane) return
    // Or else somebody may be deleting it, who would not see what is written now.
    const stays = !isDueToGo(this.#world, this.#mover, run.state)
    const keeps = stays && this.#ledger.wrote
    if (keeps) await this.#mover.snapshot?.keep(this.#world, wake.partition, run)
    // A fact is progress: who makes none may go round only so often (protocol rule 35).
    const hops = run.head.seq > this.#found.head.seq ? 0 : wake.hops + 1
    const again = { ...wake, ...lane, hops }
    if (this.#handover) {
      await this.#world.queue.send([{ ...again, hint: undefined }])
      return
    }
    const until = run.head.wake_at
    if (until === null || until === this.#found.head.wake_at) return
    const delay = Math.max(0, until - this.#world.clock.now())
    if (delay < NEAR_MS) await this.#world.queue.send([again], delay)
  }

  /** One reading a round: a time between two of them would be past for one and not due for the other. */
  #read(): void {
    const { clock } = this.#world
    this.#at = { now: clock.now(), clock: clock.monotonic() }
  }

  #project(): Projection<S, F> {
    return this.#ledger.project(this.#at.now, this.#inflight.size)
  }

  #owed(state: S): readonly E[] {
    return this.#mover.machine.owed(state, this.#at.now)
  }

  /** Whether to commit now, and what becomes of the lease. */
  #mustCommit(
    { state, facts }: Projection<S, F>,
    open: readonly E[],
    ready: readonly E[],
  ): 'hold' | 'free' | undefined {
    const pending = facts.length > 0 || this.#ledger.dirty
    const idle = this.#inflight.size === 0
    const { clock } = this.#at
    if (idle && open.length === 0) {
      return pending || this.#ledger.unsettled ? 'free' : undefined
    }
    if (idle && clock - this.#began > this.#world.settings.sliceMs) {
      this.#handover = true
      return 'free'
    }
    if (!idle && clock >= this.#leaseAt) return 'hold'
    if (open.some((effect) => this.#mover.isOnce(effect)) && !this.#leaseIsFresh(clock))
      return 'hold'
    // Two workers that were woken by two announces never ask the same question (rule 45a).
    if (this.#ledger.isShared && open.some((effect) => this.#mover.isAsking(effect))) return 'hold'
    if (!pending) this.#dirtySince = undefined
    if (!pending) return undefined
    if (state.ended_at !== null || ready.length < open.length) return 'hold'
    if (this.#urgent && idle) return 'hold'
    this.#dirtySince ??= clock
    return clock >= this.#dirtySince + this.#flushMs() ? 'hold' : undefined
  }

  #leaseIsFresh(clock: number): boolean {
    return this.#leasedSince !== undefined && clock < this.#beginBy()
  }

  #beginBy(): number {
    return (this.#leasedSince ?? Number.POSITIVE_INFINITY) + LEASE_MS - LEASE_MARGIN_MS
  }

  #flushMs(): number {
    return this.#urgent ? COALESCE_MS : this.#world.settings.flushMs
  }

  /** How long an effect may take that begins now: one that outlives us is never heard of. */
  #lifeLeft(): number {
    const { lifeMs = Number.POSITIVE_INFINITY } = this.#world.settings
    return Math.max(0, this.#began + lifeMs - LAST_MS - this.#world.clock.monotonic())
  }

  async #commit(hold: 'hold' | 'free'): Promise<boolean> {
    // The lease counts from before the commit: a slow one may come back when it is over.
    const clock = this.#world.clock.monotonic()
    if (!(await this.#ledger.commit(this.#inflight.size, hold))) return false
    this.#dirtySince = undefined
    this.#urgent = false
    this.#leaseAt = clock + RENEW_MS
    this.#leasedSince = hold === 'hold' ? clock : undefined
    return true
  }

  /**
   * Freed the lease first, now look once more: a child that ended between our last look and the
   * release found the lease held and went away. Nobody else would tell us.
   */
  async #nothingNew(): Promise<boolean> {
    const { version, state, letters } = this.#ledger.committed!
    if (this.#handover) return true
    // A letter that comes after the end brings its own alarm.
    if (state.ended_at !== null) return letters.length === 0
    await this.#ledger.refresh()
    const run = this.#ledger.committed
    if (!run) return true
    return run.version === version && run.letters.length === 0
  }

  /** Another worker has the run: hand in what is finished, start nothing (protocol rule 11). */
  async #goHome(): Promise<void> {
    this.#inflight.keepOnly(new Set())
    // Letters stay: a hundred workers that as many children woke would commit all of them.
    if (this.#ledger.hasFindings) await this.#ledger.commit(0, 'leave')
  }

  /** What acts on the world may start only when its cause is in the store. */
  #ready({ facts }: Projection<S, F>, open: readonly E[]): readonly E[] {
    const mover = this.#mover
    const pending = facts.length > 0 || this.#ledger.dirty
    if (!pending || !open.some((effect) => mover.needsCommit(effect))) return open
    const { committed } = this.#ledger
    const caused = new Set(committed ? this.#owed(committed.state).map(({ id }) => id) : [])
    return open.filter((effect) => !mover.needsCommit(effect) || caused.has(effect.id))
  }

  /** Starts what may start; true when something did. */
  #start({ state }: Projection<S, F>, ready: readonly E[]): boolean {
    const mover = this.#mover
    const most = Math.min(SPAWNS.most, SPAWNS.first + this.#spawned)
    let places = most - this.#inflight.count((effect) => mover.isSpawn(effect))
    const fresh = ready.filter((effect) => !mover.isSpawn(effect) || places-- > 0)
    for (const effect of fresh) {
      if (mover.isAsking(effect)) this.#ledger.asked()
      const { tenant } = this.#ledger
      const beginBy = this.#beginBy()
      const context = { world: this.#world, tenant, state, found: this.#found.state, beginBy }
      const ms = Math.min(mover.timeoutMs(effect), this.#lifeLeft())
      this.#inflight.start(effect, ms, {
        run: (signal) => mover.perform({ ...context, signal }, effect),
        overdue: (signal) => mover.overdue({ ...context, signal }, effect),
      })
    }
    return fresh.length > 0
  }

  async #wait({ state }: Projection<S, F>): Promise<void> {
    const { now, clock } = this.#at
    const times = [this.#leaseAt]
    if (this.#dirtySince !== undefined) times.push(this.#dirtySince + this.#flushMs())
    const end = this.#mover.deadline(state)
    if (end !== undefined) times.push(clock + end - now)
    // A time that is past has had its effect or has none; waiting for it would be no wait at all.
    const next = Math.min(clock + RENEW_MS, ...times.filter((time) => time > clock))
    const arrivals = await this.#inflight.next(next - clock)
    for (const arrival of arrivals) this.#arrived(arrival)
    if (this.#inflight.poked()) await this.#ledger.refresh()
  }

  #arrived(arrival: Arrival<E, F>): void {
    if (this.#mover.isOnce(arrival.effect)) this.#urgent = true
    if (this.#mover.isSpawn(arrival.effect)) this.#spawned += 1
    this.#ledger.observe(arrival.yielded.facts ?? [], arrival.yielded.basis)
    if (arrival.yielded.paid !== undefined) this.#ledger.pay(arrival.yielded.paid)
  }
}
