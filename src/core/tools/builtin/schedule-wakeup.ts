/**
 * `schedule_wakeup`: lets a model continue its own session once, at a later time. The call
 * determines the schedule's ID.
 */

import { LIMITS } from '../../limits.ts'
import { type BuiltinTool, type OfferedTo, object, text } from './tool.ts'

const TEXT =
  'Wakes you once: a new run in this session starts at that time with your message as ' +
  'its input. Use it to check on something that takes time, then end this run. `list` ' +
  'shows pending wakeups; `cancel` removes one.'

export const scheduleWakeup = {
  name: 'schedule_wakeup',
  mode: 'repeatable',
  thing: 'schedules',
  changes: true,
  foreign: 'ScheduleWakeup',
  parameters: { delaySeconds: 'delay_seconds', prompt: 'message' },
  description: TEXT,
  offered: {
    text: ({ subagent }: OfferedTo) => (subagent ? undefined : TEXT),
    otherwise: 'a subagent cannot wake itself; state in the result what to check later',
  },
  input_schema: object(
    {
      action: {
        type: 'string',
        enum: ['schedule', 'list', 'cancel'],
        description: 'Default `schedule`',
      },
      message: text('With `schedule`: what to do then, with all the context you need'),
      delay_seconds: {
        type: 'integer',
        minimum: LIMITS.wakeup_seconds_min,
        maximum: LIMITS.wakeup_seconds_max,
        description: 'With `schedule`: seconds from now; or set `at`',
      },
      at: text('With `schedule`: the time instead, e.g. 2026-03-01T09:00:00Z'),
      id: text('With `cancel`: the returned ID'),
    },
    [],
  ),
} as const satisfies BuiltinTool
