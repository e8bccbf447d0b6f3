/**
 * Minute clock that the platform calls: runs a tick, then stores a mark with the tick's end time
 * and lateness. Any process can therefore detect whether the clock runs (`readiness.ts`).
 */

import type { World } from '../../ports/world.ts'
import { requestSeals } from '../audit/request-seal.ts'
import { processMemory } from '../partition/process.ts'
import { tick } from './tick.ts'

/** Partition whose head is the mark of the last tick. */
export const CLOCK = '_/clock'

/**
 * Minimum age before the stored mark is rewritten, in milliseconds; platforms tick up to once per
 * second.
 */
const MARK_MS = 55_000

/** Stored mark of the clock's last tick. */
export interface Mark {
  /** End of the last tick, in milliseconds since 1970. */
  readonly ticked_at: number
  /** Lateness of the oldest due alarm, in seconds; null if the platform manages the alarms. */
  readonly oldest_due_seconds: number | null
}

export interface Beat {
  /** Number of partitions whose alarm was due. */
  readonly due: number
  readonly oldestDueSeconds: number
}

const marksOf = processMemory('marks', () => ({ at: Number.NEGATIVE_INFINITY }))

/** Runs a tick. Does nothing while the server is paused; the mark then shows the last tick. */
export async function beat(world: World): Promise<Beat> {
  if (world.settings.paused) return { due: 0, oldestDueSeconds: 0 }
  const now = world.clock.now()
  let oldest = now
  // The tick's query for due alarms also measures how late they are.
  const store: World['store'] = {
    ...world.store,
    async due(until, cursor) {
      const page = await world.store.due(until, cursor)
      oldest = page.entries.reduce((least, { alarm }) => Math.min(least, alarm.at), oldest)
      return page
    },
  }
  const due = await tick({ ...world, store })
  await requestSeals(world)
  const oldestDueSeconds = Math.round((now - oldest) / 1_000)
  const marks = marksOf(world.store)
  const seenAt = world.clock.monotonic()
  if (seenAt - marks.at >= MARK_MS) {
    marks.at = seenAt
    await mark(world, oldestDueSeconds)
  }
  return { due, oldestDueSeconds }
}

/** Writes the mark of a tick; if several processes write concurrently, one of them succeeds. */
export async function mark(
  { store, clock }: Pick<World, 'store' | 'clock'>,
  oldest: Mark['oldest_due_seconds'],
): Promise<void> {
  const [head] = await store.heads([CLOCK])
  const nextMark: Mark = { ticked_at: clock.now(), oldest_due_seconds: oldest }
  await store.commit(CLOCK, [], { expect: head?.version ?? null, body: JSON.stringify(nextMark) })
}
