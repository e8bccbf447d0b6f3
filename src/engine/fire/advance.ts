/**
 * Advances a schedule: records ended runs, decides due slots, creates their runs, and cancels
 * replaced runs. Decisions are committed first, and each effect is named after its slot. An
 * interrupted pass is therefore safe to retry (PROTOCOL.md rules 28, 51).
 */

import { decideSlots, type FireEnd } from '../../core/schedule/advance.ts'
import { dueSlot, type Fire, fireAt, type Schedule } from '../../core/schedule/schedule.ts'
import { isReadDue } from '../../core/schedule/source.ts'
import { renderInput } from '../../core/schedule/template.ts'
import type { WebhookEvent } from '../../core/webhook/signature.ts'
import { derivedId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { command } from '../logs/run.ts'
import { parsePartition, runPartition } from '../partition/keys.ts'
import { retry } from '../partition/update.ts'
import { createScheduled } from '../run/scheduled.ts'
import { changeOfSchedule } from '../schedule/audit.ts'
import { sourceRead } from '../schedule/source.ts'
import {
  alarmAt,
  KEPT_MS,
  readSchedule,
  type StoredSchedule,
  writeSchedule,
} from '../schedule/store.ts'
import { auditRow } from '../tenant/audit.ts'
import { tellEndpoints } from '../webhook/endpoint/subscriptions.ts'

const TRIES = 50
/**
 * Maximum duration of retries to create a scheduled run. Then the slot ends with the reason for the
 * failure.
 */
const TRIED_MS = 3_600_000

const fireId = ({ id, incarnation }: Schedule, slot: number): string =>
  derivedId('run', id, incarnation, slot)

export async function advanceSchedule(world: World, partition: string): Promise<void> {
  await retry(world, TRIES, async () => {
    const current = await readSchedule(world, partition)
    if (!current) return true
    if (await decided(world, current)) return undefined
    if (await performed(world, current)) return undefined
    if (await sendEvents(world, current)) return undefined
    // The tick moved the alarm, but the schedule had nothing due.
    const at = alarmAt(current.schedule, current.events.length > 0, world.clock.now())
    const isPending = current.events.length > 0 || current.schedule.fires.some(isPendingFire)
    if (isPending || current.wake_at === at) return true
    await writeSchedule(world, current, current.schedule)
    return true
  })
}

const isPendingFire = ({ phase, cancel }: Fire): boolean => phase === 'due' || cancel === true

/** Commits what ended runs and the clock change; returns false if nothing changes. */
async function decided(world: World, current: StoredSchedule): Promise<boolean> {
  const { schedule: stored, ends, events } = current
  const now = world.clock.now()
  if (stored.deleted && ends.length === 0) return false
  if (isForgotten(stored, now)) return forget(world, current)
  const { tenant } = parsePartition(current.partition)
  const refreshed = isReadDue(stored, now) ? await sourceRead(world, tenant, stored) : stored
  const all = [...ends.map(({ end }) => end), ...(await goneRuns(world, current, now))]
  const { schedule, records } = decideSlots(refreshed, all, now, (slot) => fireId(refreshed, slot))
  const isSame = JSON.stringify(schedule) === JSON.stringify(stored)
  if (isSame && records.length === 0 && ends.length === 0) return false
  const isDisabled = schedule.pause !== null && stored.pause === null
  const rows = [
    ...ends.map(({ key }) => ({ op: 'delete', key }) as const),
    ...(schedule.revision === stored.revision ? [] : [changeRow(world, tenant, stored, schedule)]),
  ]
  const event = isDisabled ? disabledEvent(schedule, now) : undefined
  const hasEvents = events.length > 0
  await writeSchedule(world, current, schedule, { records, event, rows, hasEvents })
  return true
}

/**
 * Returns the audit row of a schedule change made without a request: a pause after ten failures, or
 * a changed file.
 */
function changeRow(world: World, tenant: string, previous: Schedule, next: Schedule) {
  const { pause } = next
  const action = pause !== null ? 'disable' : previous.pause !== null ? 'resume' : 'update'
  return auditRow(world, tenant, {
    ...{ kind: 'schedule', name: next.name, action, by: 'system', number: next.revision },
    ...(next.source ? { detail: `defined by the file ${next.source.key}` } : {}),
    ...changeOfSchedule(previous, next),
  })
}

const isForgotten = ({ ended_at, fires, deleted }: Schedule, now: number): boolean =>
  !deleted && ended_at !== null && fires.length === 0 && now >= ended_at + KEPT_MS

async function forget(world: World, current: StoredSchedule): Promise<boolean> {
  const { schedule } = current
  await writeSchedule(world, current, {
    ...schedule,
    deleted: true,
    revision: schedule.revision + 1,
  })
  return true
}

/** Returns the ends of deleted runs that still block a due slot. */
async function goneRuns(
  world: World,
  { schedule, partition, ends }: StoredSchedule,
  now: number,
): Promise<readonly FireEnd[]> {
  const running = schedule.fires.filter(({ phase }) => phase === 'running')
  const slot = dueSlot(schedule)
  const isDue = slot !== undefined && fireAt(schedule, slot) <= now
  const isWaited = schedule.fires.some(({ phase }) => phase === 'waiting')
  if (running.length === 0 || !(isDue || isWaited)) return []
  const { tenant } = parsePartition(partition)
  const heads = await world.store.heads(running.map(({ run_id }) => runPartition(tenant, run_id)))
  const error = { code: 'gone', message: 'the run was deleted' }
  return running
    .filter(({ run_id }, index) => !heads[index] && !ends.some(({ end }) => end.run_id === run_id))
    .map(({ run_id }) => ({ run_id, status: 'cancelled', at: now, error }) as const)
}

/** Creates due runs and cancels the runs that they replace; returns false if there was no work. */
async function performed(world: World, current: StoredSchedule): Promise<boolean> {
  const { schedule, partition, events } = current
  if (schedule.deleted || !schedule.fires.some(isPendingFire)) return false
  const { tenant } = parsePartition(partition)
  const fires = await Promise.all(
    schedule.fires.map((fire) => perform(world, tenant, current, fire)),
  )
  if (fires.every((fire, index) => fire === schedule.fires[index])) return false
  await writeSchedule(world, current, { ...schedule, fires }, { hasEvents: events.length > 0 })
  // A waiting fire stays pending until the alarm retries it.
  return !fires.some(isPendingFire)
}

/** Performs a fire's pending work; returns the updated fire, or the same if unchanged. */
async function perform(
  world: World,
  tenant: string,
  current: StoredSchedule,
  fire: Fire,
): Promise<Fire> {
  if (!isPendingFire(fire)) return fire
  const now = world.clock.now()
  const { cancel, tried_since, delay_reason: _, ...plainFire } = fire
  if (fire.phase === 'due') {
    const isLast = tried_since !== undefined && now - tried_since >= TRIED_MS
    const delay_reason = await createScheduled(
      world,
      tenant,
      await requestOf(world, current, fire),
      isLast,
    )
    if (delay_reason !== undefined) {
      if (delay_reason === fire.delay_reason) return fire
      return { ...fire, tried_since: tried_since ?? now, delay_reason }
    }
  }
  if (cancel) {
    const reason = 'replaced by the next run of the schedule'
    const requested = { type: 'cancel.requested', by: 'api', reason } as const
    await command(world, runPartition(tenant, fire.run_id), [requested])
  }
  return { ...plainFire, phase: 'running' }
}

async function requestOf(world: World, { schedule, secret }: StoredSchedule, fire: Fire) {
  const { id, name, when, run, incarnation } = schedule
  const { run_id, slot, key = schedule.key } = fire
  const timezone = when.type === 'cron' ? when.timezone : 'UTC'
  const input =
    schedule.kind === 'wakeup' ? run.input : renderInput(run.input, { name, timezone, slot })
  const opened = secret === undefined ? undefined : await world.secrets.open(secret, id)
  const { webhook, metadata, ...runFields } = run
  const request = {
    ...runFields,
    input,
    metadata: { ...metadata, schedule: name, slot: iso(slot) },
    ...(webhook ? { webhook: { ...webhook, secret: opened } } : {}),
  }
  return { id: run_id, request, key, schedule: { id, name, slot, incarnation } }
}

function disabledEvent(schedule: Schedule, now: number): WebhookEvent {
  const { id, name, failures, pause, revision, last } = schedule
  return {
    id: derivedId('evt', id, schedule.incarnation, revision),
    type: 'schedule.disabled',
    run_id: null,
    seq: revision,
    created_at: iso(now),
    data: {
      schedule_id: id,
      name,
      reason: pause?.reason ?? null,
      detail: pause?.detail ?? null,
      failures,
      last_run_id: last?.run_id ?? null,
    },
  }
}

/**
 * Sends schedule events to endpoints. Returns false if none could be sent and the events wait for
 * the alarm.
 */
async function sendEvents(world: World, current: StoredSchedule): Promise<boolean> {
  const { schedule, partition, events } = current
  if (events.length === 0) return false
  const { tenant } = parsePartition(partition)
  for (const { event } of events) {
    const href = `/v1/schedules/${schedule.name}`
    if (!(await tellEndpoints(world, tenant, event, href))) return false
  }
  const rows = events.map(({ key }) => ({ op: 'delete', key }) as const)
  await writeSchedule(world, current, schedule, { rows })
  return true
}
