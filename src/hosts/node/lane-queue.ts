/**
 * Queues partitions in lanes, each partition at most once. Tenants take turns. Within a tenant,
 * started runs come first, then queued runs by priority and arrival. Two wakes for one partition
 * become one pass that serves both.
 */

import type { Lane, Wake } from '../../ports/world.ts'
import { merged, tenantOf } from '../shared/wake.ts'

/**
 * Group of processing slots. Deliveries wait for remote servers, so they use separate slots in any
 * lane.
 */
export type Pool = Lane | 'delivery'

export const poolOf = ({ partition, lane }: Wake): Pool =>
  partition.split('/')[1] === 'delivery' ? 'delivery' : lane

/** Wakes of one tenant by partition, in order of arrival. */
interface Lists {
  readonly started: Map<string, Wake>
  readonly queued: Map<string, Wake>
  /** Queued wakes that have a priority; empty for most tenants. */
  readonly ranked: Map<string, Wake>
}

const listsOf = ({ started, queued, ranked }: Lists) => [started, queued, ranked]

/** Wakes of one lane by tenant; the tenant whose turn is next comes first. */
type Line = Map<string, Lists>

export interface Waiting {
  add(wake: Wake): void
  /** Removes and returns the lane's next wake, considering only tenants allowed by `may`. */
  next(lane: Pool, may?: (tenant: string) => boolean): Wake | undefined
  size(lane: Pool): number
  clear(): void
}

export function waiting(): Waiting {
  const lines: Record<Pool, Line> = {
    main: new Map(),
    subagent: new Map(),
    background: new Map(),
    delivery: new Map(),
  }
  const all = Object.values(lines)
  return {
    add(wake) {
      // A partition is queued once and keeps its position, even if its wakes name different lanes.
      if (!all.some((line) => join(line, wake))) put(lines[poolOf(wake)], wake)
    },
    next: (lane, may = always) => shift(lines[lane], may),
    size(lane) {
      let size = 0
      for (const lists of lines[lane].values()) size += sizeOf(lists)
      return size
    },
    clear() {
      for (const line of all) line.clear()
    },
  }
}

const always = (): boolean => true

function put(line: Line, wake: Wake): void {
  const tenant = tenantOf(wake.partition)
  const lists = line.get(tenant) ?? { started: new Map(), queued: new Map(), ranked: new Map() }
  line.set(tenant, lists)
  const ranks = wake.priority === undefined ? lists.queued : lists.ranked
  const list = wake.started ? lists.started : ranks
  list.set(wake.partition, wake)
}

/**
 * Merges a wake with the partition's queued wake in this line; returns false if no wake is queued.
 */
function join(line: Line, wake: Wake): boolean {
  const lists = line.get(tenantOf(wake.partition))
  const list = lists && listsOf(lists).find((candidate) => candidate.has(wake.partition))
  const waits = list?.get(wake.partition)
  if (!list || !waits) return false
  const combined = merged(waits, wake)
  const moves = combined.started !== waits.started || combined.priority !== waits.priority
  if (moves) list.delete(wake.partition)
  put(line, combined)
  return true
}

/** Returns the next wake of the first allowed tenant and moves that tenant to the end. */
function shift(line: Line, may: (tenant: string) => boolean): Wake | undefined {
  for (const [tenant, lists] of line) {
    if (!may(tenant)) continue
    const wake = firstOf(lists)!
    for (const list of listsOf(lists)) list.delete(wake.partition)
    line.delete(tenant)
    if (sizeOf(lists) > 0) line.set(tenant, lists)
    return wake
  }
  return undefined
}

const sizeOf = (lists: Lists): number => listsOf(lists).reduce((sum, { size }) => sum + size, 0)

/**
 * Returns the tenant's oldest started wake, or else the oldest queued wake with the highest
 * priority.
 */
function firstOf({ started, queued, ranked }: Lists): Wake | undefined {
  const [going] = started.values()
  let [first] = queued.values()
  for (const wake of going ? [] : ranked.values()) {
    if (first === undefined || wake.priority! > (first.priority ?? 0)) first = wake
  }
  return going ?? first
}
