/**
 * Sweep of objects without an owner. A deletion removes the objects that logs name; the sweep
 * removes all others (PROTOCOL.md rule 40a). Examples are bodies of a request that was never
 * accepted, or of a worker that crashed or resumed after the deletion. Further examples are files
 * that a caller put into a workspace, and pins of months without existing runs. The bucket is
 * listed once a day, page by page; each pass continues by a wake, and one row records the position.
 *
 * An object without an owner is deleted when it is older than the grace period. A writer that
 * creates an object before its owner creates the owner within a day, the lifetime of an
 * Idempotency-Key.
 */

import type { ListedObject, World } from '../../ports/world.ts'
import { stored } from '../partition/stored.ts'
import { TenantLocked } from '../tenant/data-key.ts'
import { areaAfter, areaOf, type Position } from './sweep-areas.ts'

export const SWEEP = '_/sweep/objects'

const HOUR_MS = 3_600_000
/** Time from the end of one sweep round to the start of the next, in milliseconds. */
export const ROUND_MS = 24 * HOUR_MS
export const GRACE_MS = 3 * ROUND_MS
/**
 * Lateness of a sweep that indicates an outage, in milliseconds. The round is then postponed, so
 * that delayed owners can be created first.
 */
const LATE_MS = HOUR_MS
/** Time without a write after which a sweep pass counts as dead, in milliseconds. */
const QUIET_MS = 60_000
/**
 * Limits of one sweep pass: duration in milliseconds, and number of port calls (Workers allow
 * 10,000 per event).
 */
const PASS_MS = 20_000
const PASS_CALLS = 3_000

interface Round {
  /** Start of the next sweep round, in milliseconds since 1970. */
  readonly next_at: number
  /** Time at which this sweep row was written, in milliseconds since 1970. */
  readonly at: number
  /** Sweep position in the bucket; absent before the start of a round. */
  readonly place?: Position | undefined
}

const read = async (world: World): Promise<{ version: number; round: Round } | undefined> => {
  const [row] = await world.store.heads([SWEEP])
  if (!row) return undefined
  const round = stored<Round>('the sweep', row.body, { next_at: 'number', at: 'number' })
  return { version: row.version, round }
}

/** Writes the row of the sweep; returns false after a conflict. */
const write = async (world: World, version: number | null, round: Omit<Round, 'at'>) => {
  const body = JSON.stringify({ ...round, at: world.clock.now() })
  return (await world.store.commit(SWEEP, [], { expect: version, body })) === 'ok'
}

/** Wakes a sweep round that is due, or whose wake was lost; called every minute. */
export async function wakeSweep(world: World): Promise<void> {
  if (world.settings.paused) return
  const now = world.clock.now()
  const current = await read(world)
  if (!current) {
    await write(world, null, { next_at: now + ROUND_MS })
    return
  }
  const { next_at, at } = current.round
  if (next_at <= now && at <= now - QUIET_MS) await send(world)
}

const send = ({ queue }: World) =>
  queue.send([{ partition: SWEEP, lane: 'background', started: false, staleCount: 0 }])

/** Runs one sweep pass. Two concurrent passes only repeat work, and the slower pass stops. */
export async function advanceSweep(world: World): Promise<void> {
  const current = await read(world)
  const now = world.clock.now()
  if (!current || current.round.next_at > now) return
  const { version, round } = current
  const expected = Math.max(round.next_at, round.place === undefined ? 0 : round.at)
  if (now - expected > LATE_MS) {
    await write(world, version, { ...round, next_at: now + LATE_MS })
    return
  }
  const end = world.clock.monotonic() + PASS_MS
  let place: Position | undefined = round.place ?? { area: 0 }
  for (let calls = 0; place && calls < PASS_CALLS && world.clock.monotonic() < end; ) {
    const done = await sweepPage(world, place)
    calls += done.calls
    place = done.next
  }
  const next = place ? { ...round, place } : { next_at: world.clock.now() + ROUND_MS }
  if ((await write(world, version, next)) && place) await send(world)
}

/** Sweeps one page of the bucket; returns the next position, undefined at the round's end. */
async function sweepPage(
  world: World,
  place: Position,
): Promise<{ readonly calls: number; readonly next: Position | undefined }> {
  const area = areaOf(place)
  const page = await world.objects.list(area.prefix, place.cursor)
  const now = world.clock.now()
  const candidates = page.objects.filter((object) => mayBeOrphan(world, object, now))
  const { gone: orphanKeys, calls } = await area.orphans(world, candidates).catch(lockedNone)
  await area.remove(world, orphanKeys)
  const next = area.next(page) ?? areaAfter(place)
  if (orphanKeys.length > 0)
    world.log?.write({ level: 'info', event: 'objects.swept', deleted: orphanKeys.length })
  return { calls: 1 + calls + orphanKeys.length, next }
}

/** Objects of a tenant whose data key no master key opens stay; other tenants are swept. */
function lockedNone(error: unknown) {
  if (error instanceof TenantLocked) return { gone: [], calls: 1 }
  throw error
}

/**
 * Reports whether an object of this age can be an orphan. Owners are created soon or never, and
 * deleted when their retention ends. Without a retention, callers may delete owners at any time.
 */
function mayBeOrphan(
  { settings: { retentionMs } }: World,
  { modified }: ListedObject,
  now: number,
) {
  const age = now - modified
  if (age < GRACE_MS) return false
  return retentionMs === null || age < GRACE_MS + 2 * ROUND_MS || age > GRACE_MS + retentionMs
}
