/** Schedule and its fires, as shown in all API responses. */

import { iso } from '../../lib/time.ts'
import { LIMITS } from '../limits.ts'
import type { FireRecord } from './advance.ts'
import { dueSlot, fireAt, type Schedule, type ScheduleSource, statusOf } from './schedule.ts'
import { upcoming } from './when.ts'

const isoOrNull = (ms: number | null | undefined) => (ms == null ? null : iso(ms))

export function shownSchedule(schedule: Schedule) {
  const { when, pause, last, ends_at, cursor } = schedule
  const isActive = statusOf(schedule) === 'active'
  const slot = isActive ? dueSlot(schedule) : undefined
  const slots = isActive ? upcoming(when, cursor, LIMITS.schedule_upcoming) : []
  return {
    id: schedule.id,
    object: 'schedule' as const,
    name: schedule.name,
    kind: schedule.kind,
    status: statusOf(schedule),
    pause: pause && { ...pause, at: iso(pause.at) },
    cron: when.type === 'cron' ? when.cron : null,
    timezone: when.type === 'cron' ? when.timezone : null,
    at: when.type === 'at' ? iso(when.at) : null,
    every_seconds: when.type === 'every' ? when.every_ms / 1_000 : null,
    source: shownSource(schedule.source),
    description: schedule.description,
    overlap: schedule.overlap,
    catch_up: schedule.catch_up,
    catch_up_window_seconds: schedule.catch_up_window_seconds,
    jitter_seconds: schedule.jitter_seconds,
    ends_at: isoOrNull(ends_at),
    run: schedule.run,
    next_at: isoOrNull(slot === undefined ? null : fireAt(schedule, slot)),
    upcoming: slots.filter((candidate) => ends_at === null || candidate <= ends_at).map(iso),
    running: schedule.fires.map(({ run_id, slot: of, phase, delay_reason = null }) => {
      return { run_id, slot: iso(of), status: phase, reason: delay_reason }
    }),
    failures: schedule.failures,
    last: last && { ...last, slot: iso(last.slot) },
    created_by_run_id: schedule.created_by,
    created_at: iso(schedule.created_at),
  }
}

function shownSource(source: ScheduleSource | undefined) {
  if (source === undefined) return null
  const { file, role = null, repo_dir = null, base_dir = null, key, digest, read_at } = source
  return { file, role, repo_dir, base_dir, key, file_digest: digest, read_at: iso(read_at) }
}

export const shownFire = ({ slot, at, count = 1, more = false, ...details }: FireRecord) => ({
  slot: iso(slot),
  ...details,
  at: iso(at),
  count,
  more,
})
