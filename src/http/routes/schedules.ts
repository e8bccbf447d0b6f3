/** Serves schedules: written by name, read, changed, and deleted. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { shownSchedule } from '../../core/schedule/view.ts'
import { schedulesList, wakeupsList } from '../../engine/partition/keys.ts'
import {
  createSchedule,
  deleteSchedule,
  patchSchedule,
  putSchedule,
  type ShownSchedule,
} from '../../engine/schedule/manage.ts'
import { switchOn } from '../../engine/schedule/source.ts'
import { findSchedule, scheduleHeadOf } from '../../engine/schedule/store.ts'
import { conditions } from '../request/conditions.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { page } from '../request/page.ts'
import { granted } from '../request/problem.ts'
import type { Api, Call, Route } from '../request/route.ts'
import { route } from '../request/route.ts'
import { withSubject } from '../request/subject.ts'
import { list, pageQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { ScheduleSourceInput } from '../schemas/triggers/schedule-source.ts'
import {
  ScheduleInput,
  SchedulePatch,
  SchedulePut,
  Schedule as ScheduleSchema,
  ScheduleWritten,
} from '../schemas/triggers/schedules.ts'
import { etagOf, expectedOf, missing, nameOf } from '../views/schedule-view.ts'

const params = { name: PATH_ID.schedule }
const tag = 'Schedules'
const reads = { tag, scope: 'schedules:read' } as const
const writes = { tag, scope: 'schedules:write' } as const
const itemPath = '/v1/schedules/{name}'

export function scheduleRoutes(api: Api): void {
  makeAndList(api)
  readAndWrite(api)
  change(api)
}

const ListQuery = z.strictObject({
  ...pageQuery,
  kind: z
    .enum(['schedule', 'wakeup'])
    .default('schedule')
    .describe('Schedule kind to return. `wakeup`: created by models with `schedule_wakeup`'),
})

const actingFor = <B extends object>({
  c,
  body,
}: Pick<Call<Route>, 'c'> & { readonly body: B }): B => withSubject(c.get('principal'), body)

function makeAndList(api: Api): void {
  route(
    api,
    {
      ...writes,
      id: 'createSchedule',
      method: 'post',
      path: '/v1/schedules',
      summary: 'Create a schedule',
      description: 'Each slot starts at most one run, whose ID is derived from the slot.',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: ScheduleInput,
      refusals: [409, 429],
      answers: {
        201: { description: 'Created', schema: ScheduleWritten, headers: ['Location', 'ETag'] },
      },
    },
    async (call) => {
      const { name, ...request } = actingFor(call)
      const created = granted(await createSchedule(call, name, request, keyedOf(call.c)))
      return scheduleAnswer(call, created)
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
      description:
        'Finished schedules are kept for 30 days. `POST /v1/resolve` lists the schedules ' +
        'defined in files, including schedules that are disabled or do not load.',
      query: ListQuery,
      answers: { 200: { description: 'The requested data', schema: list(ScheduleSchema) } },
    },
    async ({ c, world, tenant, query }) => {
      const under = query.kind === 'wakeup' ? wakeupsList(tenant) : schedulesList(tenant)
      return c.json(
        await page(world, under, query, (body) => shownSchedule(scheduleHeadOf(body).schedule)),
      )
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
      path: itemPath,
      params,
      summary: 'Get a schedule',
      description: 'Includes the next slots. Use the ETag for `If-Match`.',
      answers: { 200: { description: 'The requested data', schema: ScheduleSchema } },
    },
    async (call) => {
      const stored = await findSchedule(call.world, call.tenant, nameOf(call))
      if (!stored) throw missing()
      return call.c.json(shownSchedule(stored.schedule), 200, etagOf(stored.schedule))
    },
  )
  route(
    api,
    {
      ...writes,
      id: 'putSchedule',
      method: 'put',
      path: itemPath,
      params,
      summary: 'Write a schedule',
      description:
        'Creates or replaces the schedule with this name, starting with the next slot. The ' +
        'request is idempotent, so deployments can repeat it.',
      headers: conditions,
      body: SchedulePut,
      refusals: [409, 429],
      answers: {
        200: { description: 'The resource after the update', schema: ScheduleWritten },
        201: { description: 'Created', schema: ScheduleWritten, headers: ['Location', 'ETag'] },
      },
    },
    async (call) =>
      scheduleAnswer(
        call,
        granted(await putSchedule(call, nameOf(call), actingFor(call), expectedOf(call))),
      ),
  )
}

function change(api: Api): void {
  route(
    api,
    {
      ...writes,
      id: 'putScheduleSource',
      method: 'put',
      path: `${itemPath}/source`,
      params,
      summary: 'Enable a schedule defined in a file',
      description:
        'The schedule with this name follows `.agents/schedules/<file>.md` in these layers, ' +
        'now and after each edit. The file is read when a slot is due, every ' +
        `${LIMITS.schedule_source_seconds} s, and by this request. \`DELETE ` +
        '/v1/schedules/{name}` disables the schedule.',
      headers: conditions,
      body: ScheduleSourceInput,
      bodyOptional: true,
      refusals: [409, 429],
      answers: {
        200: { description: 'The resource after the update', schema: ScheduleWritten },
        201: { description: 'Created', schema: ScheduleWritten, headers: ['Location', 'ETag'] },
      },
    },
    async (call) =>
      scheduleAnswer(
        call,
        granted(await switchOn(call, nameOf(call), call.body, expectedOf(call))),
      ),
  )
  route(
    api,
    {
      ...writes,
      id: 'updateSchedule',
      method: 'patch',
      path: itemPath,
      params,
      summary: 'Update a schedule',
      description:
        'Omitted members are unchanged. The update applies starting with the next slot; ' +
        'active runs are unchanged.',
      headers: conditions,
      body: SchedulePatch,
      refusals: [409],
      answers: { 200: { description: 'The resource after the update', schema: ScheduleWritten } },
    },
    async (call) =>
      scheduleAnswer(
        call,
        granted(await patchSchedule(call, nameOf(call), actingFor(call), expectedOf(call))),
      ),
  )
  route(
    api,
    {
      ...writes,
      id: 'deleteSchedule',
      method: 'delete',
      path: itemPath,
      params,
      summary: 'Delete a schedule',
      description: 'Runs that have already started continue.',
      headers: conditions,
      answers: { 204: { description: 'Deleted' } },
    },
    async (call) => {
      granted(await deleteSchedule(call, nameOf(call), expectedOf(call)))
      return call.c.body(null, 204)
    },
  )
}

function scheduleAnswer({ c }: Pick<Call<Route>, 'c'>, result: ShownSchedule): Response {
  const { schedule, created, secret, replayed } = result
  const body = {
    ...shownSchedule(schedule),
    ...(secret === undefined ? {} : { webhook_secret: secret }),
  }
  const location = created ? { location: `/v1/schedules/${schedule.name}` } : {}
  const headers = { ...location, ...etagOf(schedule), ...replayHeader(replayed) }
  return c.json(body, created ? 201 : 200, headers)
}
