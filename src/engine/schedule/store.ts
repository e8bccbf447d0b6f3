/**
 * Schedule partition: the state in the head under compare-and-swap, one row per slot outcome, mail
 * of ended runs, and pending webhook events. The alarm is the time of the next pass.
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
  /** Sealed secret that signs the schedule's webhooks. */
  readonly secret: string | undefined
  readonly ends: readonly { readonly key: string; readonly end: FireEnd }[]
  /** Schedule events to deliver to webhook endpoints. */
  readonly events: readonly { readonly key: string; readonly event: WebhookEvent }[]
}

const SECRET = 'secret'
const EVENTS = 'event/'
const FIRES = 'a/'
/** First row key after the fire records; a pass reads rows from this key. */
const AFTER_FIRES = 'b'
/** Interval between passes while a schedule has pending work, in milliseconds. */
const ALARM_MS = 60_000
/** Retention of fire records and completed schedules, in milliseconds. */
export const KEPT_MS = 30 * 86_400_000

/** Returns the schedule ID, which depends only on the tenant and the name. */
export const scheduleId = (tenant: string, name: string): string => derivedId('sch', tenant, name)

/** Reads a schedule, including a deleted one; returns undefined if it never existed. */
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

/** Reports whether the text can be the name or ID of a schedule. */
export const mayBeSchedule = (text: string): boolean => NAME.test(text) || isId('sch', text)

/** Finds a schedule by name or ID; returns undefined when it does not exist or was deleted. */
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
  /** Sealed webhook secret to store; null removes the stored secret, undefined keeps it. */
  readonly secret?: string | null | undefined
  readonly event?: WebhookEvent | undefined
  readonly rows?: readonly Write[]
  /** Whether earlier events of the schedule are still undelivered. */
  readonly hasEvents?: boolean
}

/**
 * Writes the schedule if its stored version is still `version` (null for a new schedule); returns
 * false after a conflict.
 */
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
    // A suspended pass detects the deletion by this tombstone.
    ...(schedule.deleted && !hasOutgoing ? { expiresAt: now + KEPT_MS } : {}),
  })
  // An ambiguous write counts as failed: the retry first reads whether it succeeded.
  if (result !== 'ok') return false
  if (wake_at !== null) await wakeLater(world, partition, wake_at - now)
  return true
}

const put = (key: string, body: string): Write => ({ op: 'put', key, body, expect: 'any' })

/** Sends a delayed wake, which arrives on time; an alarm would fire only at the next tick. */
async function wakeLater(world: World, partition: string, delay: number): Promise<void> {
  if (delay > NEAR_MS || world.settings.wakesWithCommit) return
  const wake = { partition, lane: 'background', started: true, staleCount: 0 } as const
  await world.queue.send([wake], Math.max(0, delay))
}

/** Returns the last record of each fire, without the earlier records of the same fire. */
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

/** Returns the row that lists a pending wakeup under its session, so that wakeups are counted. */
function sessionRow(tenant: string, schedule: Schedule): Write[] {
  const { kind, run, created_at, name, deleted, ended_at } = schedule
  if (kind !== 'wakeup' || run.session_id === undefined) return []
  const key = 'session'
  if (deleted || ended_at !== null) return [{ op: 'delete', key }]
  const listing = { under: wakeupsList(tenant, run.session_id), at: `${iso(created_at)} ${name}` }
  return [{ op: 'put', key, body: JSON.stringify(name), expect: 'any', listed: listing }]
}

/** Returns the time of the schedule's next pass; null if no work is pending. */
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

/**
 * Applies `by` to the schedule and retries after each conflict; if `by` returns `stop`, writes
 * nothing and returns that result.
 */
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
