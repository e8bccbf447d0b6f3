/** Serves previews of due times, so that clients need no time zone data. */

import { previewSchedule } from '../../core/schedule/preview.ts'
import { granted } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { SchedulePreview, SchedulePreviewInput } from '../schemas/triggers/schedule-preview.ts'

export function schedulePreviewRoutes(api: Api): void {
  route(
    api,
    {
      id: 'previewSchedule',
      method: 'post',
      path: '/v1/schedules/preview',
      tag: 'Schedules',
      summary: 'Preview due times',
      description:
        'Returns the next slots of a schedule that would be created now, as the scheduler ' +
        'computes them, and stores nothing. Findings explain clock changes between these slots. ' +
        'Invalid due times are rejected as by `POST /v1/schedules`.',
      scope: 'schedules:read',
      body: SchedulePreviewInput,
      answers: { 200: { description: 'The next slots', schema: SchedulePreview } },
    },
    ({ c, world, body }) => {
      const { count, ...timing } = body
      const result = granted(previewSchedule(timing, count, world.clock.now()))
      return c.json({ object: 'schedule_preview', ...result })
    },
  )
}
