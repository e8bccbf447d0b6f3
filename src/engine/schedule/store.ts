/**
 * A schedule's partition: its state in the head under compare-and-swap, a row for what became of
 * each slot, the mail of runs that have ended, and events that are still to be sent to endpoints.
 * Its alarm is the next moment at which something is due.
 */

import type { FireEnd, FireRecord } from '../../core/schedule/advance.ts'
import { dueSlot, fireAt, type Schedule } from '../../core/schedule/schedule.ts'
import { nextRead } from '../../core/schedule/source.ts'
import type { WebhookEvent } from '../../core/webhook/signature.ts'
import { derivedId, isId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import type { Listing, Row, World, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import type { AlarmedHead } from '../partition/format.ts'
import {
  parsePartition,
  scheduleFires,
  schedulePartition,
  schedulesList,
  wakeupsList,
} from '../partition/keys.ts'
import { isMail } from '../partition/mailbox.ts'
import { NEAR_MS } from '../partition/rows.ts'
import { stored } from '../partition/stored.ts'
import { update } from '../partition/update.ts'

interface ScheduleHead extends AlarmedHead {
  readonly schedule: Schedule
}

export const scheduleHeadOf = (body: string): ScheduleHead =>
  stored<ScheduleHead>('a schedule', body, { schedule: 'object' })

export const fireRecordOf = (body: string): FireRecord =>
  stored<FireRecord>('a fire', body, { slot: 'number', outcome: 'string' })

export interface StoredSchedule {
  readonly partition: string
  readonly version: number
  readonly schedule: Schedule
  readonly wake_at: number | null
  /** The webhook's secret, sealed for the schedule. */
  readonly secret: string | undefined
  readonly ends: readonly { readonly key: string; readonly end: FireEnd }[]
  /** Events that are still to be sent to endpoints. */
  readonly events: readonly { readonly key: string; readonly event: WebhookEvent }[]
}

const SECRET = 'secret'
const EVENTS = 'event/'
const FIRES = 'a/'
/** Rows of fires come before all that a pass reads. */
const AFTER_FIRES = 'b'
/** While something is pending, the next pass is due after so long. */
const ALARM_MS = 60_000
/** Fires, and schedules that are over, are kept so long. */
export const KEPT_MS = 30 * 86_400_000

/** A name has a single ID, however often the schedule is written. */
export const scheduleId = (tenant: string, name: string): string => derivedId('sch', tenant, name)

/** The schedule, also one that was deleted; undefined when there never was one. */
export async function readSchedule(
  world: World,
  partition: string,
): Promise<StoredSchedule | undefined> {
  const rows = await world.store.read(partition, AFTER_FIRES)
  const head = rows.find(({ key }) => key === HEAD)
  if (!head) return undefined
  const { schedule, wake_at } = scheduleHeadOf(head.body)
  return {
    partition,
    version: head.version,
    schedule,
    wake_at,
    secret: rows.find(({ key }) => key === SECRET)?.body,
    ends: rows.filter(isMail).map(({ key, body }) => ({ key, end: endOf(body) })),
    events: rows.flatMap(eventOf),
  }
}

const endOf = (body: string): FireEnd =>
  stored<FireEnd>('mail', body, { run_id: 'string', status: 'string', at: 'number' })

const eventOf = ({ key, body }: Row): StoredSchedule['events'] =>
  key.startsWith(EVENTS)
    ? [{ key, event: stored<WebhookEvent>('an event', body, { id: 'string', type: 'string' }) }]
    : []

const NAME = /^[a-z0-9-]{1,64}$/

/** A text that can be no name and no id names nothing. */
export const mayBeSchedule = (text: string): boolean => NAME.test(text) || isId('sch', text)

/** Finds a schedule by name or by ID; undefined: there is none, or it was deleted. */
export async function findSchedule(
  world: World,
  tenant: string,
  name: string,
): Promise<StoredSchedule | undefined> {
  const id = name.startsWith('sch_') ? name : scheduleId(tenant, name)
  const current = await readSchedule(world, schedulePartition(tenant, id))
  return current?.schedule.deleted ? undefined : current
}

export interface ScheduleWrites {
  readonly records?: readonly FireRecord[]
  /** The webhook's secret, sealed; null: it has none any more; undefined: unchanged. */
  readonly secret?: string | null | undefined
  readonly event?: WebhookEvent | undefined
  readonly rows?: readonly Write[]
  /** Whether events are left that were there before. */
  readonly hasEvents?: boolean
}

/** Writes it as it was read (`version` null: it is new); false when another writer was first. */
export async function writeSchedule(
  world: World,
  read: { readonly partition: string; readonly version: number | null },
  schedule: Schedule,
  writes: ScheduleWrites = {},
): Promise<boolean> {
  const { partition, version } = read
  const { tenant } = parsePartition(partition)
  const now = world.clock.now()
  const { records = [], secret, event, rows = [], hasEvents = false } = writes
  const hasOutgoing = event !== undefined || hasEvents
  const wake_at = alarmAt(schedule, hasOutgoing, now)
  const listing = listingOf(tenant, schedule)
  const head: ScheduleHead = { wake_at, redeliveries: 0, listed: listing, schedule }
  const all: Write[] = [
    ...lastOf(records).map((record) => recordRow(tenant, schedule, record, now)),
    ...(secret == null ? [] : [put(SECRET, secret)]),
    ...(secret === null || schedule.deleted ? [{ op: 'delete', key: SECRET } as const] : []),
    ...(event ? [put(`${EVENTS}${event.id}`, JSON.stringify(event))] : []),
    ...sessionRow(tenant, schedule),
    ...rows,
  ]
  const result = await world.store.commit(partition, all, {
    expect: version,
    body: JSON.stringify(head),
    alarm: wake_at === null ? undefined : { at: wake_at, lane: 'background', started: true },
    listed: listing ?? undefined,
    // A pass that stood still meanwhile finds that it is gone, not that it never was.
    ...(schedule.deleted && !hasOutgoing ? { expiresAt: now + KEPT_MS } : {}),
  })
  // An ambiguous write counts as lost: a retry first reads the outcome.
  if (result !== 'ok') return false
  if (wake_at !== null) await wakeLater(world, partition, wake_at - now)
  return true
}

const put = (key: string, body: string): Write => ({ op: 'put', key, body, expect: 'any' })

/** An alarm alone comes with the next tick: a delayed wake comes in time. */
async function wakeLater(world: World, partition: string, delay: number): Promise<void> {
  if (delay > NEAR_MS || world.settings.wakesWithCommit) return
  const wake = { partition, lane: 'background', started: true, staleCount: 0 } as const
  await world.queue.send([wake], Math.max(0, delay))
}

/** Returns the last of several records of a fire. */
const lastOf = (records: readonly FireRecord[]): readonly FireRecord[] => [
  ...new Map(records.map((record) => [recordKey(record), record])).values(),
]

const recordKey = ({ slot, manual, run_id }: FireRecord): string =>
  `${FIRES}${String(slot).padStart(15, '0')}${manual ? `-${run_id}` : ''}`

function recordRow(tenant: string, schedule: Schedule, record: FireRecord, now: number): Write {
  const key = recordKey(record)
  const at = `${iso(record.slot)} ${schedule.incarnation} ${key}`
  const listing = { under: scheduleFires(tenant, schedule.id), at }
  const body = JSON.stringify(record)
  return { op: 'put', key, body, expect: 'any', listed: listing, expiresAt: now + KEPT_MS }
}

function listingOf(tenant: string, { deleted, kind, created_at, name }: Schedule): Listing | null {
  if (deleted) return null
  const under = kind === 'wakeup' ? wakeupsList(tenant) : schedulesList(tenant)
  return { under, at: `${iso(created_at)} ${name}` }
}

/** Lists a wakeup that is still to come under its session, so that those can be counted. */
function sessionRow(tenant: string, schedule: Schedule): Write[] {
  const { kind, run, created_at, name, deleted, ended_at } = schedule
  if (kind !== 'wakeup' || run.session_id === undefined) return []
  const key = 'session'
  if (deleted || ended_at !== null) return [{ op: 'delete', key }]
  const listing = { under: wakeupsList(tenant, run.session_id), at: `${iso(created_at)} ${name}` }
  return [{ op: 'put', key, body: JSON.stringify(name), expect: 'any', listed: listing }]
}

/** When the next pass is due; null: nothing will be. */
export function alarmAt(schedule: Schedule, hasOutgoing: boolean, now: number): number | null {
  const { fires, pause, ended_at, deleted } = schedule
  if (hasOutgoing) return now + ALARM_MS
  if (deleted) return null
  if (fires.some(({ phase, cancel }) => phase === 'due' || cancel)) return now + ALARM_MS
  if (ended_at !== null) return fires.length > 0 ? null : ended_at + KEPT_MS
  const slot = pause ? undefined : dueSlot(schedule)
  const read = nextRead(schedule)
  if (slot === undefined) return read
  const fire = fireAt(schedule, slot)
  return read === null ? fire : Math.min(fire, read)
}

/** Changes it as `by` says, again after every conflict; `stop` is handed back. */
export async function changeSchedule<T>(
  world: World,
  tenant: string,
  name: string,
  by: (
    current: StoredSchedule,
  ) => ({ readonly to: Schedule } & ScheduleWrites) | { readonly stop: T },
): Promise<{ readonly schedule: Schedule } | { readonly stop: T } | undefined> {
  const { done } = await update(world, `the schedule ${name}`, async () => {
    const current = await findSchedule(world, tenant, name)
    if (!current) return { done: undefined }
    const change = by(current)
    if ('stop' in change) return { done: change }
    const { to, ...writes } = change
    const hasEvents = writes.hasEvents === true || current.events.length > 0
    const isWritten = await writeSchedule(world, current, to, { ...writes, hasEvents })
    return isWritten ? { done: { schedule: to } } : undefined
  })
  return done
}
