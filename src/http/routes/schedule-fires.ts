/** Schedules paused, resumed and run now; what became of each slot. */

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
import {
  Schedule,
  ScheduleFire,
  SchedulePause,
  ScheduleRun,
} from '../schemas/triggers/schedules.ts'
import { etagOf, expectedOf, missing, nameOf } from '../views/schedule-view.ts'

const params = { name: PATH_ID.schedule }
const tag = 'Schedules'
const reads = { tag, scope: 'schedules:read' } as const
const writes = { tag, scope: 'schedules:write' } as const
const one = '/v1/schedules/{name}'

export function scheduleFireRoutes(api: Api): void {
  pauseAndResume(api)
  fires(api)
}

function pauseAndResume(api: Api): void {
  const changes = { ...writes, method: 'post', params, headers: conditions } as const
  const answers = { 200: { description: 'The updated endpoint', schema: Schedule } } as const
  route(
    api,
    {
      ...changes,
      id: 'pauseSchedule',
      path: `${one}/pause`,
      summary: 'Pause a schedule',
      description: 'Slots that pass meanwhile are not made up for. Active runs continue.',
      body: SchedulePause,
      bodyOptional: true,
      answers,
    },
    async (asked) => {
      const { reason = null } = asked.body
      const done = await pauseSchedule(asked, nameOf(asked), reason, expectedOf(asked))
      const schedule = granted(done)
      return asked.c.json(shownSchedule(schedule), 200, etagOf(schedule))
    },
  )
  route(
    api,
    {
      ...changes,
      id: 'resumeSchedule',
      path: `${one}/resume`,
      summary: 'Resume a schedule',
      description: 'Applies from now on; previous failures are reset.',
      answers,
    },
    async (asked) => {
      const schedule = granted(await resumeSchedule(asked, nameOf(asked), expectedOf(asked)))
      return asked.c.json(shownSchedule(schedule), 200, etagOf(schedule))
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
      path: `${one}/run`,
      params,
      summary: 'Run a schedule now',
      description:
        'Works while it is paused, too. An active run counts as `overlap` says: with `skip` ' +
        'it is 409.',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      starts: 'run',
      refusals: [409],
      answers: {
        202: { description: 'The existing run of this slot', schema: ScheduleRun },
      },
    },
    async (asked) => {
      const firing = { keyed: keyedOf(asked.c), advance: advanceSchedule }
      const fired = granted(await runScheduleNow(asked, nameOf(asked), firing))
      const { run_id, status, replayed } = fired
      return asked.c.json({ run_id, status }, 202, replayHeader(replayed))
    },
  )
  route(
    api,
    {
      ...reads,
      id: 'listScheduleRuns',
      method: 'get',
      path: `${one}/runs`,
      params,
      summary: 'List the slots of a schedule, newest first',
      description: 'Runs, and slots that were skipped or missed with the reason; kept for 30 days.',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'Found', schema: list(ScheduleFire) } },
    },
    async (asked) => {
      const { c, world, tenant, query } = asked
      const found = await findSchedule(world, tenant, nameOf(asked))
      if (!found) throw missing()
      const under = scheduleFires(tenant, found.schedule.id)
      return c.json(await page(world, under, query, (body) => shownFire(fireRecordOf(body))))
    },
  )
}
