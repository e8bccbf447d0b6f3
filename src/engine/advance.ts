/**
 * The one loop: move one run until it rests. Read and fold; leave if another worker holds it;
 * perform everything owed concurrently; commit facts, head and `wakeAt` together; on a conflict keep
 * what was observed and derive the rest again; stop when parked or terminal, after one last look at
 * the inbox. protocol.md is its specification.
 */

import type { Effect } from '../core/run/owed.ts'
import { needsCommit, owed } from '../core/run/owed.ts'
import { deadline, isTerminal } from '../core/run/state.ts'
import type { Wake, World } from '../ports/world.ts'
import type { Arrival } from './inflight.ts'
import { Inflight } from './inflight.ts'
import { Ledger } from './ledger.ts'
import { UnknownFormat } from './log.ts'
import { perform } from './perform/index.ts'
import type { Projection } from './project.ts'
import { LEASE_MS, RENEW_MS } from './rows.ts'

/** An effect that has run so long makes the worker take a lease (protocol rule 12). */
const LAZY_LEASE_MS = 10_000
/** Results that nobody may lose are committed together if they come this close to each other. */
const COALESCE_MS = 250
/** A wake before `wakeAt` is sent along when the time is near; the tick is the backstop. */
const NEAR_MS = 15 * 60_000
/** No effect that must not be doubled starts so close to the end of the lease. */
const LEASE_MARGIN_MS = 10_000
/** Subagents are created by so many at once: the first work while the next are created. */
const SPAWNS_AT_ONCE = 16

export async function advanceRun(world: World, wake: Wake): Promise<void> {
  const ledger = await open(world, wake.partition)
  if (!ledger?.committed || ledger.leasedByOther(world.clock.now())) return
  const drive = new Drive(world, ledger)
  try {
    await drive.untilRest()
  } catch (error) {
    await drive.giveUp()
    throw error
  } finally {
    drive.close()
  }
  await drive.afterwards(wake)
}

async function open(world: World, partition: string): Promise<Ledger | undefined> {
  try {
    return await Ledger.open(world, partition)
  } catch (error) {
    // A log of a newer version: never advanced here; a newer worker will (protocol rule 36).
    if (error instanceof UnknownFormat) return undefined
    throw error
  }
}

class Drive {
  readonly #world: World
  readonly #ledger: Ledger
  readonly #inflight: Inflight
  readonly #began: number
  #dirtySince: number | undefined
  #urgent = false
  #leaseAt: number
  #leasedSince: number | undefined
  #handover = false
  readonly #foundWakeAt: number | null

  constructor(world: World, ledger: Ledger) {
    this.#world = world
    this.#ledger = ledger
    this.#inflight = new Inflight(world, ledger.partition, ledger.worker)
    this.#began = world.clock.monotonic()
    this.#leaseAt = this.#began + LAZY_LEASE_MS
    this.#foundWakeAt = ledger.committed?.head.wake_at ?? null
  }

  close(): void {
    this.#inflight.close()
  }

  async untilRest(): Promise<void> {
    for (;;) {
      // What arrived during a commit is no longer under way; unseen, it would be started again.
      for (const arrival of this.#inflight.take()) this.#arrived(arrival)
      this.#ledger.takeLetters()
      const projection = this.#project()
      const due = owed(projection.state, this.#world.clock.now())
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
    if (!run?.state.spec) return
    const again = { ...wake, lane: run.state.spec.lane, started: run.state.started !== null }
    if (this.#handover) {
      await this.#world.queue.send([{ ...again, hops: wake.hops + 1, hint: undefined }])
      return
    }
    const until = run.head.wake_at
    if (until === null || until === this.#foundWakeAt) return
    const delay = Math.max(0, until - this.#world.clock.now())
    if (delay < NEAR_MS) await this.#world.queue.send([{ ...again, hops: 0 }], delay)
  }

  #project(): Projection {
    return this.#ledger.project(this.#world.clock.now(), this.#inflight.size)
  }

  /** Whether to commit now, and what becomes of the lease. */
  #mustCommit(
    { state, facts }: Projection,
    open: readonly Effect[],
    ready: readonly Effect[],
  ): 'hold' | 'free' | undefined {
    const pending = facts.length > 0 || this.#ledger.dirty
    const idle = this.#inflight.size === 0
    const clock = this.#world.clock.monotonic()
    if (idle && open.length === 0) {
      const leased = this.#ledger.committed?.head.lease?.worker === this.#ledger.worker
      return pending || leased ? 'free' : undefined
    }
    if (idle && this.#sliceOver(clock)) {
      this.#handover = true
      return 'free'
    }
    if (!idle && clock >= this.#leaseAt) return 'hold'
    if (open.some(isOnce) && !this.#leaseIsFresh(clock)) return 'hold'
    if (!pending) this.#dirtySince = undefined
    if (!pending) return undefined
    if (isTerminal(state) || ready.length < open.length) return 'hold'
    if (this.#urgent && idle) return 'hold'
    this.#dirtySince ??= clock
    return clock >= this.#dirtySince + this.#flushMs() ? 'hold' : undefined
  }

  #leaseIsFresh(clock: number): boolean {
    const since = this.#leasedSince
    return since !== undefined && clock < since + LEASE_MS - LEASE_MARGIN_MS
  }

  #flushMs(): number {
    return this.#urgent ? COALESCE_MS : this.#world.settings.flushMs
  }

  #sliceOver(clock: number): boolean {
    return clock - this.#began > this.#world.settings.sliceMs
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
    const { version, state } = this.#ledger.committed!
    // What has ended hears no child; a letter that comes all the same brings its own alarm.
    if (this.#handover || isTerminal(state)) return true
    await this.#ledger.refresh()
    const run = this.#ledger.committed
    if (!run) return true
    return run.version === version && run.letters.length === 0
  }

  /** Another worker has the run: hand in what is finished, start nothing (protocol rule 11). */
  async #goHome(): Promise<void> {
    this.#inflight.keepOnly(new Set())
    if (this.#ledger.dirty) await this.#ledger.commit(0, 'leave')
  }

  /** What acts on the world may start only when its cause is in the store. */
  #ready({ facts }: Projection, open: readonly Effect[]): readonly Effect[] {
    const pending = facts.length > 0 || this.#ledger.dirty
    if (!pending || !open.some(needsCommit)) return open
    const { committed } = this.#ledger
    const now = this.#world.clock.now()
    const caused = new Set(committed ? owed(committed.state, now).map(({ id }) => id) : [])
    return open.filter((effect) => !needsCommit(effect) || caused.has(effect.id))
  }

  /** Starts what may start; true when something did. */
  #start({ state }: Projection, ready: readonly Effect[]): boolean {
    let places = SPAWNS_AT_ONCE - this.#inflight.count('spawn')
    const fresh = ready.filter((effect) => effect.kind !== 'spawn' || places-- > 0)
    for (const effect of fresh) {
      if (effect.kind === 'model') this.#ledger.asked()
      this.#inflight.start(effect, (signal) =>
        perform({ world: this.#world, tenant: this.#ledger.tenant, state, signal }, effect),
      )
    }
    return fresh.length > 0
  }

  async #wait({ state }: Projection): Promise<void> {
    const clock = this.#world.clock.monotonic()
    const times = [this.#leaseAt]
    if (this.#dirtySince !== undefined) times.push(this.#dirtySince + this.#flushMs())
    const end = deadline(state)
    if (end !== undefined) times.push(clock + end - this.#world.clock.now())
    // A time that is past has had its effect or has none; waiting for it would be no wait at all.
    const next = Math.min(clock + RENEW_MS, ...times.filter((time) => time > clock))
    const arrivals = await this.#inflight.next(next - clock)
    for (const arrival of arrivals) this.#arrived(arrival)
    if (this.#inflight.poked()) await this.#ledger.refresh()
  }

  #arrived(arrival: Arrival): void {
    if (isOnce(arrival.effect)) this.#urgent = true
    this.#ledger.observe(arrival.yielded.facts ?? [], arrival.yielded.basis)
    if (arrival.yielded.paid !== undefined) this.#ledger.pay(arrival.yielded.paid)
  }
}

const isOnce = (effect: Effect): boolean => effect.kind === 'tool' && effect.once
