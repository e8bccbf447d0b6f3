/**
 * Schedule defined by a layer file. The file is read every few minutes and at each due slot, so
 * that an edit applies from the next slot. While the file is missing or invalid, the schedule is
 * paused with a reason. It resumes automatically.
 */

import { LIMITS } from '../limits.ts'
import {
  type Definition,
  dueSlot,
  fireAt,
  paused,
  redefined,
  resumed,
  type Schedule,
  type ScheduleSource,
} from './schedule.ts'

const PERIOD_MS = LIMITS.schedule_source_seconds * 1_000

/** Content of a schedule's file, or the reason why the file defines no schedule. */
export type FileState =
  | { readonly definition: Definition; readonly key: string; readonly digest: string }
  | { readonly lack: string }

/** Returns when the schedule's file is read next, apart from slots; null if there is no file. */
export function nextRead({ source, pause, ended_at, deleted }: Schedule): number | null {
  const isAtRest = ended_at !== null || deleted || (pause !== null && pause.reason !== 'source')
  return source === undefined || isAtRest ? null : source.read_at + PERIOD_MS
}

/**
 * Whether the schedule's file must be read now. A due slot is decided by the file's current
 * content.
 */
export function isReadDue(schedule: Schedule, now: number): boolean {
  const next = nextRead(schedule)
  if (next === null) return false
  if (now >= next) return true
  const slot = schedule.pause ? undefined : dueSlot(schedule)
  if (slot === undefined) return false
  const at = fireAt(schedule, slot)
  return at <= now && schedule.source!.read_at < at
}

/**
 * Applies the content of the schedule's file. If `file` is undefined, the file was unreadable and
 * the schedule stays unchanged.
 */
export function afterRead(schedule: Schedule, file: FileState | undefined, now: number): Schedule {
  const source: ScheduleSource = { ...schedule.source!, read_at: now }
  const { pause } = schedule
  if (file === undefined) return { ...schedule, source }
  if ('lack' in file) {
    const isSamePause = pause?.reason === 'source' && pause.detail === file.lack
    return { ...(isSamePause ? schedule : paused(schedule, 'source', file.lack, now)), source }
  }
  const { definition, key, digest } = file
  const base = pause?.reason === 'source' ? resumed(schedule, now) : schedule
  const isSame = digest === source.digest && key === source.key
  // The file changed after the last read, so the new definition decides all slots since that read.
  const next = isSame ? base : redefined(base, definition, schedule.source!.read_at)
  return { ...next, source: { ...source, key, digest } }
}
