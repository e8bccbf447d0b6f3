/** Alarms that are due among the rows of an object. A pass under way over a partition knows that itself. */

import { tick } from '../../engine/worker/tick.ts'
import type { Due, World } from '../../ports/world.ts'
import type { ObjectRows } from './object-rows.ts'
import { vanish } from './vanishing.ts'

export interface DueRows {
  due(now: number, cursor?: string): Promise<Due>
  /** Removes what vanishes by now, and turns the rest that is due into wakes. */
  tick(now: number): Promise<void>
}

/** `isUnderWay`: a pass over this partition. */
export function dueRows(
  rows: ObjectRows,
  isUnderWay: (partition: string) => boolean,
  worldFor: (partition: string) => World,
): DueRows {
  const due = async (now: number, cursor?: string): Promise<Due> => {
    const { entries, ...more } = await rows.store.due(now, cursor)
    return { ...more, entries: entries.filter(({ partition }) => !isUnderWay(partition)) }
  }
  return {
    due,
    async tick(now) {
      await vanish(rows, now, isUnderWay)
      const { entries } = await due(now)
      if (entries[0]) await tick(worldFor(entries[0].partition))
    },
  }
}
