/**
 * The minute clock as hosts call it: a tick, and a mark in the store that says when it came to its
 * end and how late it was, so that any process can tell whether the clock runs (`readiness.ts`).
 */

import type { World } from '../../ports/world.ts'
import { processMemory } from '../partition/process.ts'
import { tick } from './tick.ts'

/** Its head is the mark. */
export const CLOCK = '_/clock'

/** Hosts tick up to once a second; a mark a minute is a write a minute. */
const MARK_MS = 55_000

/** The mark as it stands in the store. */
export interface Mark {
  /** Milliseconds since 1970. */
  readonly ticked_at: number
  /** Lateness of the oldest that was due; null where the platform keeps the alarms. */
  readonly oldest_due_seconds: number | null
}

export interface Beat {
  /** How many partitions were due. */
  readonly due: number
  readonly oldestDueSeconds: number
}

const marksOf = processMemory('marks', () => ({ at: Number.NEGATIVE_INFINITY }))

/** Does nothing while the server is paused: the mark then says when the clock ran last. */
export async function beat(world: World): Promise<Beat> {
  if (world.settings.paused) return { due: 0, oldestDueSeconds: 0 }
  const now = world.clock.now()
  let oldest = now
  // The tick's own question also says how late it is.
  const store: World['store'] = {
    ...world.store,
    async due(until, cursor) {
      const page = await world.store.due(until, cursor)
      oldest = page.entries.reduce((least, { alarm }) => Math.min(least, alarm.at), oldest)
      return page
    },
  }
  const due = await tick({ ...world, store })
  const oldestDueSeconds = Math.round((now - oldest) / 1_000)
  const marks = marksOf(world.store)
  const seenAt = world.clock.monotonic()
  if (seenAt - marks.at >= MARK_MS) {
    marks.at = seenAt
    await mark(world, oldestDueSeconds)
  }
  return { due, oldestDueSeconds }
}

/** If several processes mark at the same time, one of them does it. */
export async function mark(
  { store, clock }: Pick<World, 'store' | 'clock'>,
  oldest: Mark['oldest_due_seconds'],
): Promise<void> {
  const [head] = await store.heads([CLOCK])
  const nextMark: Mark = { ticked_at: clock.now(), oldest_due_seconds: oldest }
  await store.commit(CLOCK, [], { expect: head?.version ?? null, body: JSON.stringify(nextMark) })
}
