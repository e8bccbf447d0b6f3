/**
 * Counts passes that may have crashed their workers. The count is written to the head before any
 * fold, because the fold may cause the crash. Only suspicious passes cost a read and a write.
 */

import type { CrashCount, Verdict } from '../../core/crash-count.ts'
import { judge, nextCrashCount, returned } from '../../core/crash-count.ts'
import type { Row, Wake, World } from '../../ports/world.ts'
import type { Turn } from '../partition/format.ts'
import { parsePartition } from '../partition/keys.ts'
import { processMemory } from '../partition/process.ts'
import { recheckAt } from '../partition/rows.ts'
import { headOf } from '../partition/stored.ts'
import { retry } from '../partition/update.ts'
import { TenantLocked } from '../tenant/data-key.ts'

type Address = Pick<Wake, 'partition' | 'lane' | 'started'>

const TRIES = 5

/** Pass that must wait. `started` is read from the head, because the wake may be older. */
export type Later = Extract<Verdict, { kind: 'later' }> & { readonly started: boolean }

/** Decides how to handle the run that a suspicious wake names. */
export async function judgeCrashes(
  world: World,
  partition: string,
): Promise<Exclude<Verdict, { kind: 'later' }> | Later> {
  const [row] = await world.store.heads([partition])
  if (!row) return { kind: 'go' }
  const verdict = judge(headOf(row.body).crashes, world.clock.now())
  return verdict.kind === 'later' ? { ...verdict, started: hasStarted(headOf(row.body)) } : verdict
}

export const hasStarted = ({ turn }: { readonly turn?: Turn }): boolean => turn?.started === true

/**
 * Counts this pass if it may still run. Another worker may have counted a pass meanwhile, and two
 * passes need a pause in between. Returns `moves` if another worker is advancing the run.
 */
export async function countPass(
  world: World,
  place: Address,
): Promise<'counted' | 'moves' | Later> {
  const now = world.clock.now()
  let later: Later | undefined
  let mine: CountedPass | undefined
  const done = await change(world, place, (previous, started) => {
    const verdict = judge(previous, now)
    const mayRun = verdict.kind === 'go' || verdict.kind === 'alone'
    const at = verdict.kind === 'later' ? verdict.at : now
    later = mayRun ? undefined : { kind: 'later', at, started }
    mine = { place, before: previous, after: nextCrashCount(previous, now) }
    return mayRun ? mine.after : previous
  })
  if (later) return later
  if (!done) return 'moves'
  if (mine) underWay(world.store).set(place.partition, mine)
  return 'counted'
}

/**
 * Counts a pass that started at `since` (in milliseconds) and whose process was killed, unless the
 * pass was already counted.
 */
export async function countDeath(world: World, place: Address, since: number): Promise<void> {
  if (!/^(?:run|fanout)$/.test(parsePartition(place.partition).kind)) return
  const now = world.clock.now()
  await change(world, place, (previous) =>
    previous && previous.last >= since ? previous : nextCrashCount(previous, now),
  )
}

/** Reverts the crash count after a pass that ended normally. */
export async function giveBack(world: World, place: Address): Promise<void> {
  const mine = underWay(world.store).get(place.partition)
  if (!mine) return
  underWay(world.store).delete(place.partition)
  await change(world, place, (current) => current && returned(current, mine.after, mine.before))
}

/** Keeps the crash count after a pass that threw. */
export const keepCount = (world: World, { partition }: Address): void => {
  underWay(world.store).delete(partition)
}

/**
 * Reverts all counts of this process when it stops: interrupted passes prove nothing about their
 * runs.
 */
export async function giveAllBack(world: World): Promise<void> {
  const counts = [...underWay(world.store).values()]
  await Promise.all(counts.map(({ place }) => giveBack(world, place)))
}

/** Counted pass, with the crash counts before and after it. */
interface CountedPass {
  readonly place: Address
  readonly before: CrashCount | undefined
  readonly after: CrashCount
}
const underWay = processMemory('counted', () => new Map<string, CountedPass>())

/** Reads a head; null also for a tenant whose data key is destroyed, or opened by no master key. */
async function openHead({ store }: World, partition: string): Promise<Row | null> {
  try {
    const [row] = await store.heads([partition])
    return row?.body ? row : null
  } catch (error) {
    if (error instanceof TenantLocked) return null
    throw error
  }
}

async function change(
  world: World,
  { partition, lane, started }: Address,
  by: (previous: CrashCount | undefined, started: boolean) => CrashCount | undefined,
): Promise<boolean> {
  const changed = await retry(world, TRIES, async () => {
    const row = await openHead(world, partition)
    if (!row) return false
    const head = headOf(row.body)
    const { crashes: previous, ...headFields } = head
    // The wake may predate the start of the run; the alarm must record that the run has started.
    const hasBegun = started || hasStarted(head)
    const next = by(previous, hasBegun)
    if (next === previous) return true
    const now = world.clock.now()
    // An ended run has no pending alarm of its own; late mail sets a separate alarm.
    const rests = head.wake_at === null
    const wake_at = rests || head.wake_at > now ? head.wake_at : recheckAt(head.lease, now)
    const result = await world.store.commit(partition, [], {
      expect: row.version,
      body: JSON.stringify({ ...headFields, wake_at, ...(next ? { crashes: next } : {}) }),
      alarm: wake_at === null ? undefined : { at: wake_at, lane, started: hasBegun },
      listed: head.listed ?? undefined,
    })
    return result === 'ok' ? true : undefined
  })
  return changed ?? false
}
