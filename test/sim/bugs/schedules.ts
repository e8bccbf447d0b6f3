/** Planted bugs of schedules, and of runs that begin later. */

import { inside } from '../planting/patch.ts'
import { type Bug, bug, testedBug } from './bug.ts'

export const SCHEDULES: readonly Bug[] = [
  bug(
    'rule 28: the cursor is not moved',
    inside('fired', 'cursor: due.slots.at(-1)! }', 'cursor: schedule.cursor }'),
  ),
  bug(
    'rule 28: a schedule is written whatever stands there',
    inside(
      'writeSchedule',
      'expect: version,',
      'expect: (await world.store.heads([partition]))[0]?.version ?? null,',
    ),
  ),
  bug(
    'rule 28: a run is created before its slot is decided',
    inside(
      'advanceSchedule',
      'if (await decided(world, current)) return undefined',
      `const early = decideSlots(current.schedule, [], world.clock.now(), (slot) =>
        fireId(current.schedule, slot),
      ).schedule
      await performed(world, { ...current, schedule: early })
      if (await decided(world, current)) return undefined`,
    ),
  ),
  bug(
    'rule 51: the end of a run frees no place',
    inside(
      'schedule/advance:ended',
      'fires: schedule.fires.filter((entry) => entry !== fire),',
      '',
    ),
    inside(
      'goneRuns',
      'const running = schedule.fires',
      'const running = [].slice(1) as typeof schedule.fires; const other = schedule.fires',
    ),
  ),
  bug(
    'rule 51: a schedule hears of no end',
    inside(
      'run/evolve:ended',
      'if (draft.spec?.schedule)',
      'if (draft.spec?.schedule && draft.seq < 0)',
    ),
  ),
  bug(
    'rule 51: mail of ends is thrown away',
    inside('fire/advance:decided', 'const all = [...ends.map(({ end }) => end),', 'const all = ['),
  ),
  bug(
    'rule 28: a fire that was decided has no alarm',
    inside(
      'alarmAt',
      "if (fires.some(({ phase, cancel }) => phase === 'due' || cancel)) return now + ALARM_MS",
      '',
    ),
  ),
  bug(
    'the next slot has no alarm',
    inside('alarmAt', 'return read === null ? fire : Math.min(fire, read)', 'return read'),
  ),
  bug(
    'overlap is not asked',
    inside(
      'admit',
      'const starts = previous.length === 0 ||',
      'const starts = previous.length >= 0 ||',
    ),
  ),
  bug(
    'a run that waits starts beside the one before it',
    inside(
      'schedule/advance:settled',
      'const isFree = first && !all.some(isActive)',
      'const isFree = first',
    ),
  ),
  bug(
    'only the newest slot is caught up with, whatever was asked',
    inside(
      'schedule/advance:fires',
      "schedule.catch_up === 'all' ||",
      "schedule.catch_up === 'never' ||",
    ),
  ),
  bug(
    'slots that were missed are not recorded',
    inside('fired', 'if (newest !== undefined) {', 'if (newest !== undefined && newest < 0) {'),
  ),
  bug(
    'ten failures pause nothing',
    inside(
      'schedule/advance:ended',
      'failures >= LIMITS.schedule_failures',
      'failures >= 100 * LIMITS.schedule_failures',
    ),
  ),
  bug(
    'a run that was skipped has been started all the same',
    inside(
      'admit',
      "if (overlap === 'skip') return skip(",
      "if (overlap === 'skip' && now < 0) return skip(",
    ),
  ),
  bug(
    'real: a schedule that waits for mail alone is not pushed back',
    inside('tick:MAILED', "['session', 'schedule']", "['session']"),
  ),
  bug(
    'rule 52: a run begins before its time',
    inside('workEffects', 'if (startsAt(state, now) !== undefined) return []', ''),
  ),
  bug(
    'rule 52: what has not begun in time begins all the same',
    inside(
      'begin:expired',
      'if (at === undefined || now < at || state.busy > 0) return undefined',
      'if (at === undefined || now >= 0) return undefined',
    ),
  ),
  testedBug(
    'rule 51: a slot fires by its file as it was before',
    {
      file: 'test/unit/http/schedules/schedule-files.test.ts',
      title: 'is read when a slot is due, so an edit needs no further step',
    },
    inside('isReadDue', 'return at <= now && schedule.source!.read_at < at', 'return false'),
  ),
  testedBug(
    'rule 51: slots since a file was read are lost with its edit',
    {
      file: 'test/unit/http/schedules/schedule-files.test.ts',
      title: 'moved to a time between two readings is due at the next reading',
    },
    inside('afterRead', 'schedule.source!.read_at)', 'now)'),
  ),
  testedBug(
    'rule 51: a file that cannot be read now counts as one that is gone',
    {
      file: 'test/unit/http/schedules/schedule-files.test.ts',
      title: 'keeps its last readable state while it is unreadable, and fires',
    },
    inside('sourceRead', 'return undefined', 'return { lack: String(error) }'),
  ),
  testedBug(
    'rule 51: a schedule whose file is right again stays paused',
    {
      file: 'test/unit/http/schedules/schedule-files.test.ts',
      title:
        'pauses its schedule when invalid or missing, reports it, and resumes when it is valid',
    },
    inside(
      'afterRead',
      "pause?.reason === 'source' ? resumed(schedule, now) : schedule",
      'schedule',
    ),
  ),
]
