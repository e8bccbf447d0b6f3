/**
 * Lane slots of an object's runs. The object requests a slot before a run starts, keeps it across
 * handovers, and returns it when the run is idle. A slot that a crashed predecessor of the object
 * requested is also returned. An unreturned slot is free when its lease expires; a repeated request
 * gets the same slot.
 */

import type { Wake } from '../../../ports/world.ts'
import type { LaneCalls, Remote } from '../bindings/bindings.ts'
import type { Spending } from '../bindings/budget.ts'
import { gathered } from '../bindings/call-batch.ts'
import { setTimer } from '../bindings/timer.ts'
import { onError, optionsOf, type WorkerEnv } from '../compose.ts'
import { laneOf, type Pool, poolOf } from './lanes.ts'

/** Interval of repeated slot requests by a waiting run, in milliseconds; a wake may be lost. */
const ASK_AGAIN_MS = 60_000
/** Retry interval for a lane that does not respond, in milliseconds. */
const LANE_RETRY_MS = 5_000
/** Maximum time for which a pass waits for a lane's response, in milliseconds. */
const ANSWER_MS = 10_000

/** Slot request to a lane that has not responded in time. */
interface Question {
  readonly partition: string
  readonly pool: Pool
  readonly entered: Promise<boolean>
}

export interface LanePlaces {
  /**
   * Requests a slot for the wake's run. Resolves to undefined if the pass may run, otherwise to the
   * milliseconds until the next request.
   */
  take(wake: Wake): Promise<number | undefined>
  giveBack(partition: string): Promise<void>
}

export function placesIn(env: WorkerEnv, spending: Spending): LanePlaces {
  const pools = new Map<string, Pool>()
  const questions = new Map<string, Question>()
  const nameOf = (pool: Pool, partition: string): string =>
    laneOf(pool, partition, optionsOf(env).widths).name
  const call = (name: string): Remote<LaneCalls> => {
    spending.spend('calls', 1)
    return env.LANES.getByName(name)
  }
  const enter = gathered((name, wakes: readonly Wake[]) => call(name).enter(wakes))
  const leaving = departures((name, partitions) => call(name).leave(partitions), pools)
  /** Returns a slot that was granted too late, unless the run has requested a slot again. */
  const returnLate = async (question: Question): Promise<void> => {
    const { partition, pool, entered } = question
    try {
      await entered
      if (questions.get(partition) !== question) return
      questions.delete(partition)
      await leaving.leave(nameOf(pool, partition), partition)
    } catch (error) {
      onError('lane', error)
    }
  }
  return {
    async take(wake) {
      const { partition } = wake
      if (pools.has(partition)) return undefined
      const pool = poolOf(wake)
      if (pool && leaving.keeps(nameOf(pool, partition), partition)) {
        pools.set(partition, pool)
        return undefined
      }
      if (!pool) {
        // A crashed predecessor of this object may have left a slot, which is returned when the run
        // is idle.
        const stalePool = wake.suspect ? poolOf({ ...wake, started: false }) : undefined
        if (stalePool) pools.set(partition, stalePool)
        return undefined
      }
      const entered = enter(nameOf(pool, partition), wake)
      const question = { partition, pool, entered }
      questions.set(partition, question)
      try {
        const isIn = await inTime(entered)
        questions.delete(partition)
        if (!isIn) return ASK_AGAIN_MS
        pools.set(partition, pool)
        return undefined
      } catch (error) {
        onError('lane', error)
        void returnLate(question)
        return LANE_RETRY_MS
      }
    },
    async giveBack(partition) {
      const pool = pools.get(partition)
      if (!pool) return
      pools.delete(partition)
      try {
        await inTime(leaving.leave(nameOf(pool, partition), partition))
      } catch (error) {
        onError('lane', error)
      }
    },
  }
}

/**
 * Maximum delay before a slot is returned, in milliseconds. While the object has other slots,
 * several are returned in one call.
 */
const TOGETHER_MS = 50

function departures(
  call: (name: string, partitions: readonly string[]) => Promise<void>,
  pools: ReadonlyMap<string, Pool>,
) {
  const batches = new Map<string, { readonly of: Set<string>; readonly sent: Promise<void> }>()
  const begin = (name: string) => {
    const of = new Set<string>()
    const send = async (): Promise<void> => {
      if (pools.size > 0) await setTimer(TOGETHER_MS).over
      else await undefined
      batches.delete(name)
      if (of.size > 0) await call(name, [...of])
    }
    const batch = { of, sent: send() }
    batches.set(name, batch)
    return batch
  }
  return {
    leave(name: string, partition: string): Promise<void> {
      const batch = batches.get(name) ?? begin(name)
      batch.of.add(partition)
      return batch.sent
    },
    /** A slot that is not returned yet stays with its run if the run requests a slot again. */
    keeps: (name: string, partition: string): boolean =>
      batches.get(name)?.of.delete(partition) ?? false,
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the lane did not respond in time')), ANSWER_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
