/** The limits of schedules, of wakeups and of runs that begin later: a part of `limits.ts`. */

import { bound } from './limit.ts'

export const TIME_LIMITS = {
  start_seconds_max: bound(2_592_000, 'Thirty days: what begins later is a schedule'),
  priority_max: bound(10, 'Of runs and fan-outs, up and down: more steps would say no more'),
  schedules: bound(100, 'Of one tenant: each is looked at when it is due'),
  wakeups: bound(
    20,
    'That wait at the same time for one session: a model that needs more is in a loop',
  ),
  wakeup_seconds_max: bound(2_592_000, 'Thirty days; whatever is later is a schedule'),
  wakeup_seconds_min: bound(60, 'The clock of a cloud ticks once a minute'),
  schedule_seconds_min: bound(60, 'Between two slots: the clock of a cloud ticks once a minute'),
  schedule_every_seconds_max: bound(31_622_400, 'A year; what is rarer has a date'),
  schedule_source_seconds: bound(300, 'Between two readings of the file that defines one'),
  schedule_grace_seconds: bound(300, 'A slot that is found later than this was missed'),
  schedule_catch_up: bound(100, 'Slots that were missed and are caught up with, or counted'),
  schedule_fires: bound(50, 'Runs of one schedule that are under way or wait'),
  schedule_failures: bound(10, 'In a row; then it is paused, and `schedule.disabled` is sent'),
  schedule_window_seconds_max: bound(
    604_800,
    'How late a missed slot may be caught up with: a week',
  ),
  schedule_jitter_seconds_max: bound(3_600, 'An hour spreads any load'),
  schedule_upcoming: bound(10, 'The next slots that one answer shows'),
} as const
