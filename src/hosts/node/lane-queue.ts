/**
 * Partitions that wait in the lanes, each once. Tenants take turns; of one tenant started runs
 * come first, then queued ones by priority, first come first served. Two wakes for one partition
 * become one pass that serves both.
 */

import type { Lane, Wake } from '../../ports/world.ts'
import { merged, tenantOf } from '../shared/wake.ts'

/** Deliveries wait for others' servers: they have places of their own, whatever their lane. */
export type Pool = Lane | 'delivery'

export const poolOf = ({ partition, lane }: Wake): Pool =>
  partition.split('/')[1] === 'delivery' ? 'delivery' : lane

/** Wakes by partition, in the order of arrival. */
interface Lists {
  readonly started: Map<string, Wake>
  readonly queued: Map<string, Wake>
  /** Queued ones with a priority of their own; most tenants have none. */
  readonly ranked: Map<string, Wake>
}

const listsOf = ({ started, queued, ranked }: Lists) => [started, queued, ranked]

/** Wakes by tenant; the next tenant in turn is first. */
type Line = Map<string, Lists>

export interface Waiting {
  add(wake: Wake): void
  /** Removes and returns the lane's next partition, of the tenants that may. */
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
      // A partition waits once, whatever lanes its wakes named; it keeps its place.
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

/** Merges the wake with the one that waits in this line; false when none does. */
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

/** The next of the first tenant that may, who then stands last. */
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

/** A started one, else the oldest of the highest priority. */
function firstOf({ started, queued, ranked }: Lists): Wake | undefined {
  const [going] = started.values()
  let [first] = queued.values()
  for (const wake of going ? [] : ranked.values()) {
    if (first === undefined || wake.priority! > (first.priority ?? 0)) first = wake
  }
  return going ?? first
}
