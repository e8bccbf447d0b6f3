/**
 * Partitions that wait in the lanes, each once. Tenants take turns; of one tenant started runs come
 * before queued ones, first come first served within each kind. Two wakes for one partition become
 * one pass that serves both.
 */

import type { Lane, Wake } from '../../ports/world.ts'
import { merged, tenantOf } from '../shared/wake.ts'

/** Deliveries wait for others' servers: they have places of their own, whatever their lane. */
export type Pool = Lane | 'delivery'

const poolOf = ({ partition, lane }: Wake): Pool =>
  partition.split('/')[1] === 'delivery' ? 'delivery' : lane

/** By partition, in the order of arrival. */
interface Lists {
  readonly started: Map<string, Wake>
  readonly queued: Map<string, Wake>
}

/** By tenant; whose turn is next stands first. */
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
    next: (lane, may = anybody) => shift(lines[lane], may),
    size(lane) {
      let size = 0
      for (const { started, queued } of lines[lane].values()) size += started.size + queued.size
      return size
    },
    clear() {
      for (const line of all) line.clear()
    },
  }
}

const anybody = (): boolean => true

function put(line: Line, wake: Wake): void {
  const tenant = tenantOf(wake.partition)
  const lists = line.get(tenant) ?? { started: new Map(), queued: new Map() }
  line.set(tenant, lists)
  const list = wake.started ? lists.started : lists.queued
  list.set(wake.partition, wake)
}

/** Merges the wake with the one that waits in this line; false when none does. */
function join(line: Line, wake: Wake): boolean {
  const lists = line.get(tenantOf(wake.partition))
  const waits = lists?.started.get(wake.partition) ?? lists?.queued.get(wake.partition)
  if (!lists || !waits) return false
  const both = merged(waits, wake)
  if (both.started !== waits.started) lists.queued.delete(wake.partition)
  put(line, both)
  return true
}

/** The next of the first tenant that may, who then stands last. */
function shift(line: Line, may: (tenant: string) => boolean): Wake | undefined {
  for (const [tenant, lists] of line) {
    if (!may(tenant)) continue
    const list = lists.started.size > 0 ? lists.started : lists.queued
    const [wake] = list.values()
    list.delete(wake!.partition)
    line.delete(tenant)
    if (lists.started.size + lists.queued.size > 0) line.set(tenant, lists)
    return wake
  }
  return undefined
}
