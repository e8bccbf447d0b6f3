/**
 * Implements an in-process queue with a limit on concurrent partitions per lane. A wake for an
 * active partition causes one further pass after the current pass, so passes over one partition
 * never overlap. Wakes are not persisted, because the store's alarms restore them after a restart.
 */

import type { Lane, Queue, Wake } from '../../ports/world.ts'
import { systemClock } from '../shared/clock.ts'
import { merged, tenantOf } from '../shared/wake.ts'
import { type Pool, poolOf, waiting } from './lane-queue.ts'

export interface LaneOptions {
  /**
   * Maximum number of concurrent partitions per lane; deliveries have a separate limit with the
   * same default. When all slots are in use, tenants that use few slots share a reserve of 25%, at
   * least two slots.
   */
  readonly widths: Readonly<Record<Lane, number>> & { readonly delivery?: number }
  /**
   * Makes a pass over one partition. Exceptions are passed to `onError` and affect no other
   * partition.
   */
  readonly handle: (wake: Wake) => Promise<void>
  readonly onError: (error: unknown, wake: Wake) => void
  /** Called with the time that a partition waited before its pass, in milliseconds. */
  readonly onWaited?: ((lane: Pool, ms: number) => void) | undefined
}

export interface Lanes extends Required<Queue> {
  /** Resolves when no partition is waiting or active; delayed wakes do not count. */
  idle(): Promise<void>
  /**
   * Stops accepting wakes and drops waiting wakes; resolves to false if passes still run after
   * `waitMs`.
   */
  stop(waitMs: number): Promise<boolean>
  /** Returns the number of waiting and active partitions per pool, for diagnostics. */
  load(): Readonly<Record<Pool, LaneLoad>>
}
interface LaneLoad {
  readonly waiting: number
  readonly handled: number
  /** Time for which the oldest waiting partition has waited, in milliseconds. */
  readonly oldestMs: number
}

/**
 * Fraction of a lane's slots reserved for tenants with few slots, so that one tenant's hanging
 * models do not block others.
 */
const RESERVE_SHARE = 0.25
const KEPT_LEAST = 2

const POOLS: readonly Pool[] = ['main', 'subagent', 'background', 'delivery']

export function lanes(options: LaneOptions): Lanes {
  const { pump, accept, stop, ...lanes } = lanesOf(options)
  const delayed = timers()
  const arrive = (wakes: readonly Wake[]): void => {
    for (const wake of wakes) accept(wake)
    // Deferred, because the caller of `send` must first finish its current turn.
    queueMicrotask(pump)
  }
  let stopped = false
  return {
    async send(wakes, delayMs = 0) {
      if (stopped) return 'lost'
      if (delayMs > 0) delayed.start(() => arrive(wakes), delayMs)
      else arrive(wakes)
      return 'ok'
    },
    async stop(waitMs) {
      stopped = true
      delayed.clear()
      stop()
      return within(lanes.idle(), waitMs)
    },
    ...lanes,
  }
}

function lanesOf({ widths: configured, handle, onError, onWaited }: LaneOptions) {
  const widths: Readonly<Record<Pool, number>> = { delivery: configured.background, ...configured }
  const waits = waiting()
  const arrived = arrivals()
  const { take, leave, running, held: heldBy } = places()
  /** Active partitions, each with the merged wake that arrived during its pass. */
  const handled = new Map<string, Wake | undefined>()
  let idlers: (() => void)[] = []
  let stopped = false

  const settle = (): void => {
    if (handled.size > 0 || POOLS.some((lane) => waits.size(lane) > 0)) return
    for (const resolve of idlers) resolve()
    idlers = []
  }

  const accept = (wake: Wake): void => {
    if (stopped) return
    const { partition } = wake
    const earlier = handled.get(partition)
    if (!handled.has(partition)) {
      waits.add(wake)
      arrived.add(wake)
    } else handled.set(partition, earlier ? merged(earlier, wake) : wake)
  }

  const pump = (): void => {
    for (const lane of POOLS) {
      for (let wake = nextOf(lane); wake; wake = nextOf(lane)) void look(lane, wake)
    }
    settle()
  }

  /** Deliveries have no reserve, because the delivery code already separates tenants. */
  const nextOf = (lane: Pool): Wake | undefined => {
    if (running[lane] < widths[lane]) return waits.next(lane)
    const reserved =
      lane === 'delivery' ? 0 : Math.max(KEPT_LEAST, Math.ceil(widths[lane] * RESERVE_SHARE))
    // The reserve must not let a single tenant exceed the width of the lane.
    const fair = Math.min(reserved, widths[lane])
    if (running[lane] >= widths[lane] + reserved) return undefined
    return waits.next(lane, (tenant) => heldBy(lane, tenant) < fair)
  }

  const look = async (lane: Pool, wake: Wake): Promise<void> => {
    take(lane, wake.partition)
    handled.set(wake.partition, undefined)
    onWaited?.(lane, arrived.take(wake.partition))
    try {
      await handle(wake)
    } catch (error) {
      onError(error, wake)
    }
    const queued = handled.get(wake.partition)
    handled.delete(wake.partition)
    leave(wake.partition)
    if (queued) accept(queued)
    pump()
  }

  const loadOf = (lane: Pool): LaneLoad => ({
    waiting: waits.size(lane),
    handled: running[lane],
    oldestMs: arrived.oldestMs(lane),
  })
  return {
    accept,
    pump,
    leave: (partition: string): void => {
      leave(partition)
      queueMicrotask(pump)
    },
    stop: () => {
      stopped = true
      waits.clear()
      arrived.clear()
    },
    idle: (): Promise<void> =>
      new Promise((resolve) => {
        idlers.push(resolve)
        settle()
      }),
    load: () => byPool(loadOf),
  }
}

/** Tracks the slots in use per lane and tenant. */
function places() {
  const running: Record<Pool, number> = { main: 0, subagent: 0, background: 0, delivery: 0 }
  const holding = byPool(() => new Map<string, number>())
  /** Pool whose slot each active partition uses. */
  const pools = new Map<string, Pool>()
  const count = (lane: Pool, tenant: string, more: 1 | -1): void => {
    running[lane] += more
    const heldCount = (holding[lane].get(tenant) ?? 0) + more
    if (heldCount > 0) holding[lane].set(tenant, heldCount)
    else holding[lane].delete(tenant)
  }
  return {
    running: running as Readonly<Record<Pool, number>>,
    held: (lane: Pool, tenant: string): number => holding[lane].get(tenant) ?? 0,
    take(lane: Pool, partition: string): void {
      pools.set(partition, lane)
      count(lane, tenantOf(partition), 1)
    },
    /** Frees the slot of a partition, if it uses one. */
    leave(partition: string): void {
      const lane = pools.get(partition)
      if (!pools.delete(partition)) return
      count(lane!, tenantOf(partition), -1)
    },
  }
}

const byPool = <T>(of: (pool: Pool) => T): Readonly<Record<Pool, T>> => ({
  main: of('main'),
  subagent: of('subagent'),
  background: of('background'),
  delivery: of('delivery'),
})

/**
 * Maximum delay of `setTimeout` (31 bits), in milliseconds; later wakes are sent by the clock tick.
 */
const MAX_DELAY_MS = 2_147_483_647

/** Tracks timers that do not keep the process alive. */
function timers() {
  const pending = new Set<NodeJS.Timeout>()
  return {
    start(act: () => void, ms: number): void {
      const fire = (): void => {
        pending.delete(timer)
        act()
      }
      const timer = setTimeout(fire, Math.min(ms, MAX_DELAY_MS)).unref()
      pending.add(timer)
    },
    clear(): void {
      for (const timer of pending) clearTimeout(timer)
      pending.clear()
    },
  }
}

/** Reports whether the promise settled within `ms` milliseconds. */
async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const answer = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return answer
}

/** Tracks when waiting partitions arrived in their lanes. */
function arrivals() {
  /** Arrival time and lane of each waiting partition, oldest first. */
  const since = new Map<string, { readonly lane: Pool; readonly at: number }>()
  return {
    add(wake: Wake): void {
      if (since.has(wake.partition)) return
      since.set(wake.partition, { lane: poolOf(wake), at: systemClock.monotonic() })
    },
    /** Removes a partition and returns how long it waited, in milliseconds. */
    take(partition: string): number {
      const arrived = since.get(partition)
      since.delete(partition)
      return arrived ? systemClock.monotonic() - arrived.at : 0
    },
    oldestMs(lane: Pool): number {
      for (const entry of since.values()) {
        if (entry.lane === lane) return systemClock.monotonic() - entry.at
      }
      return 0
    },
    clear: () => since.clear(),
  }
}
