/**
 * What waits in the lanes: each partition once, started runs before queued ones, first come first
 * served within each kind. Two wakes for one partition become one look that serves both.
 */

import type { Lane, Wake } from '../../ports/world.ts'

interface Lists {
  /** By partition, in the order of arrival. */
  readonly started: Map<string, Wake>
  readonly queued: Map<string, Wake>
}

export interface Waiting {
  add(wake: Wake): void
  /** Removes and returns what the lane should look at next. */
  next(lane: Lane): Wake | undefined
  size(lane: Lane): number
  clear(): void
}

export function waiting(): Waiting {
  const lists: Record<Lane, Lists> = { main: empty(), subagent: empty(), background: empty() }
  const all = Object.values(lists)
  return {
    add(wake) {
      // A partition waits once, whatever lanes its wakes named; it keeps its place.
      if (!all.some((lane) => join(lane, wake)))
        listOf(lists[wake.lane], wake).set(wake.partition, wake)
    },
    next: (lane) => shift(lists[lane].started) ?? shift(lists[lane].queued),
    size: (lane) => lists[lane].started.size + lists[lane].queued.size,
    clear() {
      for (const { started, queued } of all) {
        started.clear()
        queued.clear()
      }
    },
  }
}

const empty = (): Lists => ({ started: new Map(), queued: new Map() })
const listOf = (lane: Lists, wake: Wake) => (wake.started ? lane.started : lane.queued)

/** Merges the wake with the one that waits in this lane; false when none does. */
function join(lane: Lists, wake: Wake): boolean {
  const waits = lane.started.get(wake.partition) ?? lane.queued.get(wake.partition)
  if (!waits) return false
  const both = merged(waits, wake)
  if (both.started !== waits.started) lane.queued.delete(wake.partition)
  listOf(lane, both).set(wake.partition, both)
  return true
}

function shift(list: Map<string, Wake>): Wake | undefined {
  for (const [partition, wake] of list) {
    list.delete(partition)
    return wake
  }
  return undefined
}

const MAX_HINTS = 8

/**
 * One look that serves both: as urgent as the more urgent, as fresh as the fresher. Without a
 * hint everything is looked at, so a hint survives only when both have one.
 */
export function merged(first: Wake, second: Wake): Wake {
  const hint = first.hint && second.hint ? [...new Set([...first.hint, ...second.hint])] : undefined
  return {
    partition: first.partition,
    lane: first.lane,
    started: first.started || second.started,
    hint: hint && hint.length <= MAX_HINTS ? hint : undefined,
    hops: Math.min(first.hops, second.hops),
    ...(first.again || second.again ? { again: true } : {}),
  }
}
