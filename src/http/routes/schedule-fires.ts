/**
 * Serves pausing, resuming, and immediate runs of schedules, and the outcome of each schedule slot.
 */

import * as z from 'zod'
import { shownFire, shownSchedule } from '../../core/schedule/view.ts'
import { advanceSchedule } from '../../engine/fire/advance.ts'
import { scheduleFires } from '../../engine/partition/keys.ts'
import { pauseSchedule, resumeSchedule } from '../../engine/schedule/manage.ts'
import { runScheduleNow } from '../../engine/schedule/run-now.ts'
import { findSchedule, fireRecordOf } from '../../engine/schedule/store.ts'
import { conditions } from '../request/conditions.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { page } from '../request/page.ts'
import { granted } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { ScheduleFire, ScheduleRun } from '../schemas/triggers/schedule-fires.ts'
import { Schedule, SchedulePause } from '../schemas/triggers/schedules.ts'
import { etagOf, expectedOf, missing, nameOf } from '../views/schedule-view.ts'

const params = { name: PATH_ID.schedule }
const tag = 'Schedules'
const reads = { tag, scope: 'schedules:read' } as const
const writes = { tag, scope: 'schedules:write' } as const
const itemPath = '/v1/schedules/{name}'

export function scheduleFireRoutes(api: Api): void {
  pauseAndResume(api)
  fires(api)
}

function pauseAndResume(api: Api): void {
  const changes = { ...writes, method: 'post', params, headers: conditions } as const
  const answers = {
    200: { description: 'The resource after the update', schema: Schedule },
  } as const
  route(
    api,
    {
      ...changes,
      id: 'pauseSchedule',
      path: `${itemPath}/pause`,
      summary: 'Pause a schedule',
      description:
        'Slots that pass while the schedule is paused are skipped permanently. Active runs ' +
        'continue.',
      body: SchedulePause,
      bodyOptional: true,
      answers,
    },
    async (call) => {
      const { reason = null } = call.body
      const done = await pauseSchedule(call, nameOf(call), reason, expectedOf(call))
      const schedule = granted(done)
      return call.c.json(shownSchedule(schedule), 200, etagOf(schedule))
    },
  )
  route(
    api,
    {
      ...changes,
      id: 'resumeSchedule',
      path: `${itemPath}/resume`,
      summary: 'Resume a schedule',
      description: 'Takes effect immediately; the failure count is reset.',
      answers,
    },
    async (call) => {
      const schedule = granted(await resumeSchedule(call, nameOf(call), expectedOf(call)))
      return call.c.json(shownSchedule(schedule), 200, etagOf(schedule))
    },
  )
}

function fires(api: Api): void {
  route(
    api,
    {
      ...writes,
      id: 'runSchedule',
      method: 'post',
      path: `${itemPath}/run`,
      params,
      summary: 'Run a schedule immediately',
      description:
        'Also works while the schedule is paused. `overlap` determines what happens if a run ' +
        'is active: with `skip`, the response is 409.',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      starts: 'run',
      refusals: [409],
      answers: {
        202: { description: 'The existing run for this slot', schema: ScheduleRun },
      },
    },
    async (call) => {
      const firing = { keyed: keyedOf(call.c), advance: advanceSchedule }
      const fired = granted(await runScheduleNow(call, nameOf(call), firing))
      const { run_id, status, replayed } = fired
      return call.c.json({ run_id, status }, 202, replayHeader(replayed))
    },
  )
  route(
    api,
    {
      ...reads,
      id: 'listScheduleRuns',
      method: 'get',
      path: `${itemPath}/runs`,
      params,
      summary: "List a schedule's slots, newest first",
      description:
        'Returns slots with runs, and slots that were skipped or missed, with the reason. ' +
        'Slots are kept for 30 days.',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'The requested data', schema: list(ScheduleFire) } },
    },
    async (call) => {
      const { c, world, tenant, query } = call
      const stored = await findSchedule(world, tenant, nameOf(call))
      if (!stored) throw missing()
      const under = scheduleFires(tenant, stored.schedule.id)
      return c.json(await page(world, under, query, (body) => shownFire(fireRecordOf(body))))
    },
  )
}
