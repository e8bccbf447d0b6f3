/**
 * The minute clock: due partitions become wakes, started ones first. Each re-send moves the alarm
 * by 60 s · 2ⁿ up to 15 minutes, so that a backlog is not sent again and again (protocol rule 31).
 */

import type { DueEntry, Listing, World } from '../ports/world.ts'

const PUSH_MS = 60_000
const PUSH_MAX_MS = 900_000
/** More pages than this wait for the next tick. */
const MAX_PAGES = 100

/** What every head has in common, whatever it is the head of. */
export interface AlarmedHead {
  readonly wake_at: number | null
  /** How often the tick has sent this partition again without progress. */
  readonly resends: number
  /** Where the partition is listed: a head write states it anew each time. */
  readonly listed: Listing | null
}

/** Sends a wake for everything due at `now`; the number of wakes sent. */
export async function tick(world: World, now = world.clock.now()): Promise<number> {
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const due = await world.store.due(now, cursor)
    const fresh = due.entries.filter(({ partition }) => !seen.has(partition))
    for (const { partition } of fresh) seen.add(partition)
    await resend(world, fresh, now)
    cursor = due.cursor
    if (cursor === undefined) break
  }
  return seen.size
}

async function resend(world: World, entries: readonly DueEntry[], now: number): Promise<void> {
  if (entries.length === 0) return
  const wakes = entries.map(({ partition, alarm: { lane, started } }) => {
    return { partition, lane, started, hops: 0 }
  })
  await world.queue.send(wakes)
  const heads = await world.store.heads(entries.map(({ partition }) => partition))
  await Promise.all(
    entries.map(async ({ partition, alarm }, index) => {
      const row = heads[index]
      if (!row) return
      const head = JSON.parse(row.body) as AlarmedHead
      // Not the head's alarm, but that of a letter: it goes with the letter.
      if (head.wake_at === null || head.wake_at > now) return
      const resends = head.resends + 1
      const at = now + Math.min(PUSH_MAX_MS, PUSH_MS * 2 ** (resends - 1))
      await world.store.commit(partition, [], {
        expect: row.version,
        body: JSON.stringify({ ...head, resends, wake_at: at }),
        alarm: { ...alarm, at },
        listed: head.listed ?? undefined,
      })
    }),
  )
}
