/**
 * The place of an object in a lane: it asks before a run starts, keeps its place over passes that
 * are handed over, and gives it back at rest. A place that was not given back is free when its time
 * is over; an object that asks twice holds one.
 */

import type { Wake } from '../../ports/world.ts'
import { commonOptions } from '../shared/options.ts'
import type { LaneCalls, Remote } from './bindings.ts'
import type { Spending } from './budget.ts'
import { onError, variablesOf, type WorkerEnv } from './compose.ts'
import { laneOf, type Pool, poolOf } from './lanes.ts'

/** A run that waits for a place asks again after this, should it not be called. */
const ASK_AGAIN_MS = 60_000
/** A lane that does not answer is asked again after this. */
const LANE_RETRY_MS = 5_000
/** So long a pass waits for a lane's answer: while it waits, its object makes no other. */
const ANSWER_MS = 10_000

export interface LanePlace {
  /** Undefined: the pass may be made. Else after how many ms to ask again. */
  take(wake: Wake): Promise<number | undefined>
  giveBack(): Promise<void>
}

export function placeIn(env: WorkerEnv, spending: Spending): LanePlace {
  let held: { readonly pool: Pool; readonly partition: string } | undefined
  const lane = (pool: Pool, partition: string): Remote<LaneCalls> => {
    spending.spend('calls', 1)
    const { widths } = commonOptions(variablesOf(env))
    return env.LANES.getByName(laneOf(pool, partition, widths).name)
  }
  return {
    async take(wake) {
      const { partition } = wake
      const pool = poolOf(wake)
      if (!pool || held?.partition === partition) return undefined
      try {
        if (!(await inTime(lane(pool, partition).enter(wake)))) return ASK_AGAIN_MS
        held = { pool, partition }
        return undefined
      } catch (error) {
        onError('lane', error)
        return LANE_RETRY_MS
      }
    },
    async giveBack() {
      if (!held) return
      const { pool, partition } = held
      held = undefined
      try {
        await inTime(lane(pool, partition).leave(partition))
      } catch (error) {
        onError('lane', error)
      }
    },
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the lane did not answer in time')), ANSWER_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
