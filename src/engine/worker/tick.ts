/**
 * Minute clock: sends wakes for due partitions, started runs first. Each redelivery moves the alarm
 * by 60 s · 2ⁿ, up to 15 minutes, which limits repeats of a backlog (PROTOCOL.md rule 31).
 */

import type { DueEntry, Row, World } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { readClocks } from '../partition/clock-steps.ts'
import type { AlarmedHead } from '../partition/format.ts'
import { parsePartition, tenantPrefix } from '../partition/keys.ts'
import { isMail } from '../partition/mailbox.ts'
import { recheckAt } from '../partition/rows.ts'
import { alarmedHeadOf } from '../partition/stored.ts'
import { TenantLocked } from '../tenant/data-key.ts'
import { countDeath, hasStarted } from './crash-count.ts'

const PUSH_MS = 60_000
const PUSH_MAX_MS = 900_000
/**
 * Delay of the first redelivery in milliseconds, just below the tick interval of a cloud platform.
 */
const FIRST_CALL_MS = 55_000
/** Maximum number of pages of due partitions per tick. */
const MAX_PAGES = 1_000

/** Sends a wake for each due partition; returns the number of due partitions. */
export const tick = (world: World): Promise<number> => {
  readClocks(world)
  const now = world.clock.now()
  return eachDue(world, now, async (entries) => {
    const { found: all, orphans } = await headsOf(world, entries)
    const due = all.filter(({ head }) => !isPushed(head, now))
    await Promise.all(orphans.map((partition) => removeOrphanRows(world, partition)))
    await send(world, due.map(doubted))
    await push(world, due, now)
  })
}

/**
 * Wakes every partition with a near alarm, due or not; called at the start of a process that is the
 * only one. Every lease and pending effect has an alarm within the longest push; later alarms have
 * separate timers. Nothing is advanced here, so a crash delays nothing. If the previous process was
 * killed while it advanced a partition, that partition may be the cause (PROTOCOL.md rule 34).
 */
export function resume(world: World, interrupted: readonly Interrupted[] = []): Promise<number> {
  const since = new Map(
    interrupted.map((interruption) => [interruption.partition, interruption.since]),
  )
  return eachDue(world, world.clock.now() + SOON_MS, async (entries) => {
    const dead = entries.filter(({ partition }) => since.has(partition))
    await Promise.all(
      dead.map(({ partition, alarm }) =>
        countDeath(world, { partition, ...alarm }, since.get(partition)!),
      ),
    )
    await send(
      world,
      entries.map((entry) => ({ ...entry, suspect: true })),
    )
  })
}

/**
 * Wakes partitions that a crashed sole worker may have been advancing; called by its replacement.
 * These partitions are leased, unstarted, or have unread mail. They are woken even if a wake was
 * sent recently, because earlier wakes are lost too. Each partition may be the cause of the crash
 * (PROTOCOL.md rule 34).
 */
export const recover = (world: World): Promise<number> => {
  const now = world.clock.now()
  return eachDue(world, now + LEASED_MS, async (entries) => {
    const { found: due } = await headsOf(world, entries)
    const pending = due.filter(({ partition, alarm, head }) => {
      const { kind } = parsePartition(partition)
      const isLog = kind === 'run' || kind === 'fanout'
      // An alarm that differs from the alarm in the head belongs to a mail row.
      return isLog && (head.lease != null || !alarm.started || alarm.at !== head.wake_at)
    })
    await send(
      world,
      pending.map((entry) => ({ ...entry, suspect: true })),
    )
  })
}

/** Wakes all partitions of a tenant that are due or nearly due, when the tenant is resumed. */
export const wakeTenant = (world: World, tenant: string): Promise<number> =>
  eachDue(world, world.clock.now() + LEASED_MS, async (entries) => {
    const tenantEntries = entries.filter(({ partition }) =>
      partition.startsWith(tenantPrefix(tenant)),
    )
    await send(
      world,
      tenantEntries.map((entry) => ({ ...entry, suspect: false })),
    )
  })

/** Maximum delay of a leased partition's alarm, even after the tick's pushes, in milliseconds. */
const LEASED_MS = PUSH_MAX_MS + 2 * PUSH_MS

/** Partition that was being advanced when the previous process was killed. */
export interface Interrupted {
  readonly partition: string
  /** Start of the interrupted pass, in milliseconds since 1970. */
  readonly since: number
}

const SOON_MS = 4 * PUSH_MAX_MS

async function eachDue(
  world: World,
  until: number,
  act: (entries: readonly DueEntry[]) => Promise<void>,
): Promise<number> {
  const visited = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const due = await world.store.due(until, cursor)
    const fresh: DueEntry[] = []
    for (const entry of due.entries) {
      if (visited.has(entry.partition)) continue
      visited.add(entry.partition)
      fresh.push(entry)
    }
    if (fresh.length > 0) await act(fresh)
    cursor = due.cursor
    if (cursor === undefined) break
  }
  return visited.size
}

/**
 * Marks a partition as suspect if a previous worker held its lease, or was sent a wake without a
 * result.
 */
const doubted = (entry: DueHead): DueHead & { readonly suspect: boolean } => ({
  ...entry,
  suspect: entry.head.redeliveries > 0 || entry.head.lease != null,
})

async function send(
  world: World,
  entries: readonly (DueEntry & { readonly suspect: boolean; readonly head?: AlarmedHead })[],
): Promise<void> {
  const wakes = entries.map(({ partition, alarm: { lane, started }, suspect, head }) => {
    const priority = started ? undefined : head?.turn?.priority
    const ranked = priority === undefined ? {} : { priority }
    return { partition, lane, started, staleCount: 0, ...ranked, ...(suspect ? { suspect } : {}) }
  })
  await world.queue.send(wakes)
}

interface DueHead extends DueEntry {
  readonly version: number
  readonly head: AlarmedHead
}

/** Returns the heads of due partitions, and the due partitions that have no head. */
async function headsOf(
  world: World,
  entries: readonly DueEntry[],
): Promise<{ readonly found: readonly DueHead[]; readonly orphans: readonly string[] }> {
  const rows = await openHeads(world, entries)
  const due = entries.flatMap((entry, index) => {
    const row = rows[index]
    if (!row || row.body === '') return []
    const head = alarmedHeadOf(row.body)
    // The alarm index lags, so the run may have started since.
    const started = entry.alarm.started || hasStarted(head)
    return [{ ...entry, alarm: { ...entry.alarm, started }, version: row.version, head }]
  })
  return { found: due, orphans: entries.flatMap((entry, i) => (rows[i] ? [] : [entry.partition])) }
}

/**
 * Reads the heads. Heads of tenants whose data key is destroyed, or is opened by no master key,
 * have an empty body; the other tenants' work continues.
 */
async function openHeads(
  { store }: World,
  entries: readonly DueEntry[],
): Promise<readonly (Pick<Row, 'version' | 'body'> | null)[]> {
  const partitions = entries.map(({ partition }) => partition)
  try {
    return await store.heads(partitions)
  } catch (error) {
    if (!(error instanceof TenantLocked)) throw error
  }
  return Promise.all(
    partitions.map(async (partition) => {
      try {
        return (await store.heads([partition]))[0] ?? null
      } catch (error) {
        if (error instanceof TenantLocked) return { version: 0, body: '' }
        throw error
      }
    }),
  )
}

/**
 * Reports whether the tick already pushed a partition that is due because of mail. The alarm of a
 * mail row stays until the mail is read, so the alarm in the head sets the retry pace. A session
 * without a pending turn has no alarm in its head until the first push.
 */
const isPushed = ({ wake_at, redeliveries }: AlarmedHead, now: number): boolean =>
  redeliveries > 0 && wake_at !== null && wake_at > now && wake_at <= now + PUSH_MAX_MS

/**
 * Reports whether an ended root has just become due for deletion. A cloud platform deletes the root
 * before the next tick, and moving its alarm costs as much as the deletion. If the wake is lost,
 * the next tick moves the alarm.
 */
const isFirstCall = (
  { settings }: World,
  { wake_at, redeliveries, ended }: AlarmedHead,
  now: number,
): boolean =>
  ended === true &&
  !settings.singleProcess &&
  redeliveries === 0 &&
  wake_at !== null &&
  wake_at > now - FIRST_CALL_MS

/** Kinds of partitions that have no alarm while they wait for mail. */
const MAILED: ReadonlySet<string> = new Set(['session', 'schedule'])

async function push(world: World, due: readonly DueHead[], now: number): Promise<void> {
  await Promise.all(
    due.map(async ({ partition, alarm, version, head }) => {
      if (isFirstCall(world, head, now)) return
      // The partition is idle: the alarm index lags, or mail came too late. Such mail is deleted
      // together with its alarm.
      if (head.wake_at === null && !MAILED.has(parsePartition(partition).kind)) return
      const redeliveries = head.redeliveries + 1
      const wait = Math.min(PUSH_MAX_MS, PUSH_MS * 2 ** (redeliveries - 1))
      const pushed = redeliveries === 1 ? recheckAt(head.lease, now) : now + wait
      // The alarm of a mail row may precede the alarm in the head.
      const at =
        head.wake_at !== null && head.wake_at > now ? Math.min(pushed, head.wake_at) : pushed
      await world.store.commit(partition, [], {
        expect: version,
        body: JSON.stringify({ ...head, redeliveries, wake_at: at }),
        alarm: { ...alarm, at },
        listed: head.listed ?? undefined,
      })
    }),
  )
}

/** Number of orphan rows deleted per commit, well below the commit size of any store. */
const AT_ONCE = 50

/**
 * Deletes orphan rows: mail that arrived after its partition was dropped. No pass reads this mail,
 * and its alarm would fire at every tick. Only mail is deleted, because all other rows exist only
 * with a head.
 */
async function removeOrphanRows(world: World, partition: string): Promise<void> {
  const rows = await world.store.read(partition)
  // The alarm index lags: the rows may have been deleted, or a head may exist.
  if (rows.some(({ key }) => key === HEAD)) return
  const mail = rows.filter(isMail).map(({ key }) => key)
  for (let at = 0; at < mail.length; at += AT_ONCE) {
    const deletes = mail.slice(at, at + AT_ONCE).map((key) => ({ op: 'delete', key }) as const)
    await world.store.commit(partition, deletes)
  }
}
