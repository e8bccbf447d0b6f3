/**
 * `schedule_wakeup`: lets a model continue its own session later, once. The call determines the ID.
 */

import { LIMITS } from '../../limits.ts'
import { type BuiltinTool, type OfferedTo, object, text } from './tool.ts'

const TEXT =
  'Wakes you once, later: a new run of this session begins at that time with your message as ' +
  'its input. Use it to look again at something that takes long, then end this run. `list` ' +
  'shows what is still to come, `cancel` takes one back.'

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
    otherwise: 'a subagent cannot wake itself: say in your result what should be checked later',
  },
  input_schema: object(
    {
      action: {
        type: 'string',
        enum: ['schedule', 'list', 'cancel'],
        description: 'Default `schedule`',
      },
      message: text('With `schedule`: what you are to do then, with all that you must know'),
      delay_seconds: {
        type: 'integer',
        minimum: LIMITS.wakeup_seconds_min,
        maximum: LIMITS.wakeup_seconds_max,
        description: 'With `schedule`: seconds from now; or give `at`',
      },
      at: text('With `schedule`: the time instead, like 2026-03-01T09:00:00Z'),
      id: text('With `cancel`: its ID, as returned before'),
    },
    [],
  ),
} as const satisfies BuiltinTool
