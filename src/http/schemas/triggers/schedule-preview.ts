/** Schemas of previews of due times, before a schedule is created. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { SCHEDULE_PREVIEW_INPUTS, SCHEDULE_PREVIEWS } from '../shared/examples.ts'
import { kindIs, text, textOrNull, time, timeOrNull } from '../shared/words.ts'
import { TIMING } from './schedules.ts'

export const SchedulePreviewInput = z
  .strictObject({
    ...TIMING,
    count: z
      .int()
      .min(1)
      .max(LIMITS.schedule_upcoming)
      .default(5)
      .describe('Maximum number of slots to return'),
  })
  .meta({
    id: 'SchedulePreviewInput',
    description: 'Due times to preview, as in `POST /v1/schedules`',
    examples: SCHEDULE_PREVIEW_INPUTS,
  })

export const SchedulePreview = z
  .strictObject({
    object: kindIs('schedule_preview'),
    cron: textOrNull('Cron expression with six fields, seconds first; `null` if there is none'),
    timezone: textOrNull('IANA time zone for the `cron` expression; `null` if there is none'),
    upcoming: z
      .array(
        z.strictObject({
          at: time('Time of the slot, without jitter'),
          local: text('The same time in `timezone` with its offset (RFC 3339); UTC without one'),
        }),
      )
      .describe('Next slots, soonest first; empty if no slot is due'),
    has_more: z.boolean().describe('Whether further slots follow'),
    findings: z
      .array(
        z.strictObject({
          code: z
            .enum(['skipped', 'doubled', 'jitter', 'ends', 'unchecked'])
            .describe(
              'Finding code. `skipped`: clocks skip the time of a slot. `doubled`: clocks repeat ' +
                'the time of a slot. `jitter`: slots start later by a random delay. `ends`: the ' +
                'schedule ends before `count` slots. `unchecked`: clock changes later than in ' +
                'ten years were not checked',
            ),
          message: text('Human-readable explanation; the wording may change'),
          at: timeOrNull(
            'Time of the clock change, of the end of the schedule, or of the end of the check',
            'the finding is about every slot',
          ),
        }),
      )
      .describe('Rules that affect these slots, in the order of time; empty if there are none'),
  })
  .meta({
    id: 'SchedulePreview',
    description: 'Next slots of a schedule that is created now',
    examples: SCHEDULE_PREVIEWS,
  })
