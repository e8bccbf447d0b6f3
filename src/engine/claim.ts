/**
 * Counting looks at runs that may be killing their workers: in the head, before anything is folded,
 * because folding may be what kills. Only looks that are suspicious cost a read and a write.
 */

import type { Claims, Verdict } from '../core/claims.ts'
import { claimed, judge, returned } from '../core/claims.ts'
import type { Row, Store, Wake, World } from '../ports/world.ts'
import type { Head } from './log.ts'

type AnyHead = Head<unknown, unknown>
type Place = Pick<Wake, 'partition' | 'lane' | 'started'>

const TRIES = 5
const ALARM_MS = 60_000

/** What may be done with the run that a suspicious wake names. */
export async function judgeClaims(world: World, partition: string): Promise<Verdict> {
  const [row] = await world.store.heads([partition])
  return judge(row ? headOf(row).claims : undefined, world.clock.now())
}

const headOf = (row: Row): AnyHead => JSON.parse(row.body) as AnyHead

/** Counts this look; false when the run moves, and somebody else is at it. */
export async function takeClaim(world: World, place: Place): Promise<boolean> {
  const now = world.clock.now()
  const done = await change(world, place, (before) => claimed(before, now))
  if (done) underWay(world.store).set(place.partition, place)
  return done
}

/** It ended in peace: whatever it is, it kills nobody. */
export async function giveClaimBack(world: World, place: Place): Promise<void> {
  if (!underWay(world.store).delete(place.partition)) return
  await change(world, place, (before) => before && returned(before))
}

/** The look has thrown: the claim stays counted. */
export const keepClaim = (world: World, { partition }: Place): void => {
  underWay(world.store).delete(partition)
}

/** This process is asked to stop: looks that it breaks off say nothing about their runs. */
export async function giveClaimsBack(world: World): Promise<void> {
  const places = [...underWay(world.store).values()]
  await Promise.all(places.map((place) => giveClaimBack(world, place)))
}

const claims = new WeakMap<Store, Map<string, Place>>()

function underWay(store: Store): Map<string, Place> {
  const found = claims.get(store) ?? new Map<string, Place>()
  claims.set(store, found)
  return found
}

async function change(
  world: World,
  { partition, lane, started }: Place,
  by: (before: Claims | undefined) => Claims | undefined,
): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [row] = await world.store.heads([partition])
    if (!row) return false
    const head = headOf(row)
    const { claims: before, ...rest } = head
    const next = by(before)
    if (next === before) return true
    const now = world.clock.now()
    // What has ended rests; a letter that came late has an alarm of its own.
    const rests = head.wake_at === null
    const wake_at = rests || head.wake_at > now ? head.wake_at : now + ALARM_MS
    const result = await world.store.commit(partition, [], {
      expect: row.version,
      body: JSON.stringify({ ...rest, wake_at, ...(next ? { claims: next } : {}) }),
      alarm: wake_at === null ? undefined : { at: wake_at, lane, started },
      listed: head.listed ?? undefined,
    })
    if (result === 'ok') return true
  }
  return false
}
