/** Schedules: written by name, changed, paused, run now; what became of each slot. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import type { FireRecord } from '../../core/schedule/advance.ts'
import { dueSlot, fireAt, type Schedule, statusOf } from '../../core/schedule/schedule.ts'
import { upcoming } from '../../core/schedule/when.ts'
import {
  scheduleFires,
  schedulePartition,
  schedulesList,
  wakeupsList,
} from '../../engine/partition/keys.ts'
import { advanceSchedule } from '../../engine/schedule/fire/advance.ts'
import {
  createSchedule,
  deleteSchedule,
  type Expected,
  patchSchedule,
  pauseSchedule,
  putSchedule,
  resumeSchedule,
  type ShownSchedule,
} from '../../engine/schedule/manage.ts'
import { runScheduleNow } from '../../engine/schedule/run-now.ts'
import { findSchedule, fireRecordOf, scheduleHeadOf } from '../../engine/schedule/store.ts'
import { isId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import { conditions, expectation } from '../conditions.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../idempotency.ts'
import { page } from '../page.ts'
import { granted, refuse } from '../problem.ts'
import type { Api, Call, Route } from '../route.ts'
import { route } from '../route.ts'
import { list, pageQuery } from '../schemas/common.ts'
import {
  ScheduleFire,
  ScheduleInput,
  SchedulePatch,
  SchedulePause,
  SchedulePut,
  ScheduleRun,
  Schedule as ScheduleSchema,
  ScheduleWritten,
} from '../schemas/schedules.ts'
import { PATH_ID } from '../schemas/words.ts'

const params = { name: PATH_ID.schedule }
const tag = 'Schedules'
const reads = { tag, scope: 'schedules:read' } as const
const writes = { tag, scope: 'schedules:write' } as const
const one = '/v1/schedules/{name}'

export function scheduleRoutes(api: Api): void {
  makeAndList(api)
  readAndWrite(api)
  change(api)
  pauseAndResume(api)
  fires(api)
}

const missing = () => refuse('not_found', 'There is no such schedule.')

const NAME = /^[a-z0-9-]{1,64}$/

/** What can be no name and no id names nothing. */
function nameOf({ c }: Pick<Call<Route>, 'c'>): string {
  const name = c.req.param('name') ?? ''
  if (!NAME.test(name) && !isId('sch', name)) throw missing()
  return name
}

function expectedOf({ c }: Pick<Call<Route>, 'c'>): Expected {
  const given = expectation(c.req.header('if-match'), c.req.header('if-none-match'))
  if (given === 'any') return undefined
  return given === 'absent' ? 'absent' : { revision: given.etag }
}

const ListQuery = z.strictObject({
  ...pageQuery,
  kind: z
    .enum(['schedule', 'wakeup'])
    .default('schedule')
    .describe('`wakeup`: those that models have made with `schedule_wakeup`'),
})

function makeAndList(api: Api): void {
  route(
    api,
    {
      ...writes,
      id: 'createSchedule',
      method: 'post',
      path: '/v1/schedules',
      summary: 'Create a schedule',
      description: 'Each slot starts one run, named by it: whatever ticks twice, it is one.',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: ScheduleInput,
      refusals: [409, 429],
      answers: {
        201: { description: 'Created', schema: ScheduleWritten, headers: ['Location', 'ETag'] },
      },
    },
    async (asked) => {
      const { name, ...request } = asked.body
      const made = granted(await createSchedule(asked, name, request, keyedOf(asked.c)))
      return written(asked, made)
    },
  )
  route(
    api,
    {
      ...reads,
      id: 'listSchedules',
      method: 'get',
      path: '/v1/schedules',
      summary: 'List schedules, newest first',
      description: 'Those that are over are kept for 30 days.',
      query: ListQuery,
      answers: { 200: { description: 'Found', schema: list(ScheduleSchema) } },
    },
    async ({ c, world, tenant, query }) => {
      const under = query.kind === 'wakeup' ? wakeupsList(tenant) : schedulesList(tenant)
      return c.json(await page(world, under, query, (body) => shown(scheduleHeadOf(body).schedule)))
    },
  )
}

function readAndWrite(api: Api): void {
  route(
    api,
    {
      ...reads,
      id: 'getSchedule',
      method: 'get',
      path: one,
      params,
      summary: 'Look at a schedule',
      description: 'With its next slots. The etag is for `If-Match`.',
      answers: { 200: { description: 'Found', schema: ScheduleSchema } },
    },
    async (asked) => {
      const found = await findSchedule(asked.world, asked.tenant, nameOf(asked))
      if (!found) throw missing()
      return asked.c.json(shown(found.schedule), 200, etagOf(found.schedule))
    },
  )
  route(
    api,
    {
      ...writes,
      id: 'putSchedule',
      method: 'put',
      path: one,
      params,
      summary: 'Write a schedule',
      description:
        'The schedule of this name is this, from the next slot on. The same again changes nothing, ' +
        'so deploying twice makes one.',
      headers: conditions,
      body: SchedulePut,
      refusals: [409, 429],
      answers: {
        200: { description: 'As it now is', schema: ScheduleWritten },
        201: { description: 'Created', schema: ScheduleWritten, headers: ['Location', 'ETag'] },
      },
    },
    async (asked) =>
      written(
        asked,
        granted(await putSchedule(asked, nameOf(asked), asked.body, expectedOf(asked))),
      ),
  )
}

function change(api: Api): void {
  route(
    api,
    {
      ...writes,
      id: 'updateSchedule',
      method: 'patch',
      path: one,
      params,
      summary: 'Change a schedule',
      description: 'Omitted members stay. Counts from the next slot on; runs go on as they are.',
      headers: conditions,
      body: SchedulePatch,
      answers: { 200: { description: 'As it now is', schema: ScheduleWritten } },
    },
    async (asked) =>
      written(
        asked,
        granted(await patchSchedule(asked, nameOf(asked), asked.body, expectedOf(asked))),
      ),
  )
  route(
    api,
    {
      ...writes,
      id: 'deleteSchedule',
      method: 'delete',
      path: one,
      params,
      summary: 'Delete a schedule',
      description: 'Runs that it has started go on; it starts no more.',
      headers: conditions,
      answers: { 204: { description: 'It is gone' } },
    },
    async (asked) => {
      granted(await deleteSchedule(asked, nameOf(asked), expectedOf(asked)))
      return asked.c.body(null, 204)
    },
  )
}

function pauseAndResume(api: Api): void {
  const changes = { ...writes, method: 'post', params, headers: conditions } as const
  const answers = { 200: { description: 'As it now is', schema: ScheduleSchema } } as const
  route(
    api,
    {
      ...changes,
      id: 'pauseSchedule',
      path: `${one}/pause`,
      summary: 'Pause a schedule',
      description: 'What is due meanwhile is not caught up with. Runs under way go on.',
      body: SchedulePause,
      bodyOptional: true,
      answers,
    },
    async (asked) => {
      const { reason = null } = asked.body
      const done = await pauseSchedule(asked, nameOf(asked), reason, expectedOf(asked))
      const schedule = granted(done)
      return asked.c.json(shown(schedule), 200, etagOf(schedule))
    },
  )
  route(
    api,
    {
      ...changes,
      id: 'resumeSchedule',
      path: `${one}/resume`,
      summary: 'Resume a schedule',
      description: 'Counts from now on; failures before are forgotten.',
      answers,
    },
    async (asked) => {
      const schedule = granted(await resumeSchedule(asked, nameOf(asked), expectedOf(asked)))
      return asked.c.json(shown(schedule), 200, etagOf(schedule))
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
        'Also while it is paused. A run under way counts as `overlap` says: with `skip` it is 409.',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      refusals: [409],
      answers: { 202: { description: 'Its run', schema: ScheduleRun } },
    },
    async (asked) => {
      const { world, tenant } = asked
      const name = nameOf(asked)
      const found = await findSchedule(world, tenant, name)
      if (!found) throw missing()
      const partition = schedulePartition(tenant, found.schedule.id)
      const keyed = keyedOf(asked.c)
      const fired = granted(await runScheduleNow(asked, name, partition, keyed))
      // Its run is there when this is answered; if this dies, its alarm creates it.
      await advanceSchedule(world, partition)
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
      summary: 'What became of its slots, newest first',
      description: 'Runs, and slots that were skipped or missed with the reason; for 30 days.',
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

function written({ c }: Pick<Call<Route>, 'c'>, made: ShownSchedule): Response {
  const { schedule, created, secret, replayed } = made
  const body = { ...shown(schedule), ...(secret === undefined ? {} : { webhook_secret: secret }) }
  const location = created ? { location: `/v1/schedules/${schedule.name}` } : {}
  const headers = { ...location, ...etagOf(schedule), ...replayHeader(replayed) }
  return c.json(body, created ? 201 : 200, headers)
}

const etagOf = ({ revision }: Schedule) => ({ etag: `"${revision}"` })

const isoOrNull = (ms: number | null | undefined) => (ms == null ? null : iso(ms))

function shown(schedule: Schedule) {
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
    description: schedule.description,
    overlap: schedule.overlap,
    catch_up: schedule.catch_up,
    catch_up_window_seconds: schedule.catch_up_window_seconds,
    jitter_seconds: schedule.jitter_seconds,
    ends_at: isoOrNull(ends_at),
    run: schedule.run,
    file: schedule.file,
    next_at: isoOrNull(slot === undefined ? null : fireAt(schedule, slot)),
    upcoming: slots.filter((one) => ends_at === null || one <= ends_at).map(iso),
    running: schedule.fires.map(({ run_id, slot: of, phase }) => {
      return { run_id, slot: iso(of), status: phase }
    }),
    failures: schedule.failures,
    last: last && { ...last, slot: iso(last.slot) },
    created_by_run_id: schedule.created_by,
    created_at: iso(schedule.created_at),
  }
}

const shownFire = ({ slot, at, count = 1, more = false, ...rest }: FireRecord) => ({
  slot: iso(slot),
  ...rest,
  at: iso(at),
  count,
  more,
})
