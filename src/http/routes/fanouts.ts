/** Serves fan-outs: create, list, read, and cancel. Requests never advance a fan-out. */

import * as z from 'zod'
import { pageOf, tasksIn } from '../../core/fanout/open.ts'
import type { FanoutView } from '../../core/fanout/view.ts'
import { LIMITS } from '../../core/limits.ts'
import { acceptFanout, type Fanout } from '../../engine/fanout/accept.ts'
import { addPage, sealFanout } from '../../engine/fanout/pages.ts'
import {
  cancelFanout,
  pageWarnings,
  readFanoutView,
  readResults,
} from '../../engine/fanout/query.ts'
import { fanoutLogType } from '../../engine/logs/fanout.ts'
import { fanoutPartition, fanoutsList } from '../../engine/partition/keys.ts'
import { headOf } from '../../engine/partition/stored.ts'
import { deleteEnded } from '../../engine/run/delete.ts'
import type { World } from '../../ports/world.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../request/idempotency.ts'
import { page } from '../request/page.ts'
import { pathId, type WithId } from '../request/path-id.ts'
import { granted, refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { withSubject } from '../request/subject.ts'
import { Traceparent } from '../request/traceparent.ts'
import { FanoutInput, PageInput, SealInput } from '../schemas/fanouts/fanout-input.ts'
import {
  AddedPage,
  CancelledFanout,
  CreatedFanout,
  Fanout as FanoutSchema,
  FanoutWithResults,
  TaskResult,
  TasksQuery,
} from '../schemas/fanouts/fanouts.ts'
import { CancelInput, DELETING, list, pageQuery, waitQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import { untilEnded } from '../stream/wait.ts'
import { taskPage } from '../views/task-page.ts'
import { pageOfOne } from '../views/token-lists.ts'

export function fanoutRoutes(api: Api): void {
  route(
    api,
    {
      id: 'createFanout',
      method: 'post',
      path: '/v1/fanouts',
      tag: 'Fan-outs',
      summary: 'Create a fan-out',
      description:
        'Returns 202 once the fan-out is durable. Each task becomes a run. A limited number ' +
        'of runs are active at a time, and the next run starts when one ends.',
      scope: 'runs:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey, traceparent: Traceparent }),
      body: FanoutInput,
      bodyLimit: LIMITS.file_body_bytes,
      takesMedia: true,
      refusals: [404, 429],
      starts: 'tasks',
      answers: {
        202: {
          description: 'Accepted; `Location` contains the URL of the new resource',
          schema: CreatedFanout,
          headers: ['Location'],
        },
      },
    },
    async ({ c, world, tenant, body }) => {
      const request = withSubject(c.get('principal'), body)
      const accepted = granted(
        await acceptFanout(world, tenant, request, keyedOf(c), c.req.header('traceparent')),
      )
      const { fanout, webhook_secret, replayed } = accepted
      const view = await readFanoutView(world, tenant, fanout)
      const responseBody = webhook_secret === undefined ? view : { ...view, webhook_secret }
      const location = `/v1/fanouts/${view.id}`
      return c.json(responseBody, 202, { location, ...replayHeader(replayed) })
    },
  )
  reads(api)
  tasks(api)
  pages(api)
  cancel(api)
  remove(api)
}

const id = { id: PATH_ID.fanout }

function reads(api: Api): void {
  route(
    api,
    {
      id: 'listFanouts',
      method: 'get',
      path: '/v1/fanouts',
      tag: 'Fan-outs',
      summary: 'List fan-outs, newest first',
      description:
        'Returns fan-outs without results; `GET /v1/fanouts/{id}` and the task list include ' +
        'results.',
      scope: 'runs:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'The requested data', schema: list(FanoutSchema) } },
    },
    async ({ c, world, tenant, query }) => {
      const { token } = c.get('principal')
      if (token?.kind === 'fanout') {
        const [row] = await world.store.heads([fanoutPartition(tenant, token.subject)])
        return c.json(pageOfOne(row && headOf<FanoutView>(row.body).view))
      }
      return c.json(
        await page(world, fanoutsList(tenant), query, (body) => headOf<FanoutView>(body).view),
      )
    },
  )
  route(
    api,
    {
      id: 'getFanout',
      method: 'get',
      path: '/v1/fanouts/{id}',
      params: id,
      tag: 'Fan-outs',
      summary: 'Get a fan-out with the results so far',
      description: '`wait` delays the response until the fan-out has ended, up to the given time.',
      scope: 'runs:read',
      query: z.strictObject(waitQuery),
      answers: { 200: { description: 'The requested data', schema: FanoutWithResults } },
    },
    async ({ c, world, tenant, query }) => {
      const fanout = await foundFanout(world, namedFanout(c, tenant), query.wait * 1_000)
      const view = await readFanoutView(world, tenant, fanout)
      return c.json({ ...view, results: await readResults(world, tenant, fanout) })
    },
  )
}

function tasks(api: Api): void {
  route(
    api,
    {
      id: 'listFanoutTasks',
      method: 'get',
      path: '/v1/fanouts/{id}/tasks',
      params: id,
      tag: 'Fan-outs',
      summary: "List a fan-out's tasks with their results",
      description:
        'Tasks are ordered by index. For an open fan-out, returns the tasks in all pages ' +
        'received so far. A request with `status` reads at most 10,000 tasks, so a page can ' +
        'have fewer than `limit` tasks while `has_more` is true. Use the cursor to continue.',
      scope: 'runs:read',
      query: TasksQuery,
      answers: { 200: { description: 'The requested data', schema: list(TaskResult) } },
    },
    async ({ c, world, tenant, query }) => {
      const fanout = await foundFanout(world, namedFanout(c, tenant))
      return c.json(await taskPage(world, tenant, fanout, query))
    },
  )
}

function pages(api: Api): void {
  route(
    api,
    {
      id: 'addFanoutTasks',
      method: 'post',
      path: '/v1/fanouts/{id}/tasks',
      params: id,
      tag: 'Fan-outs',
      summary: 'Add a page of tasks to an open fan-out',
      description:
        'Returns 202 once the page is durable; tasks start as slots become free. The number ' +
        'identifies the page: repeating a page has no effect, but a page with the same number ' +
        'and different tasks is rejected with 409. Pages can arrive in any order and from ' +
        'several callers.',
      scope: 'runs:write',
      body: PageInput,
      bodyLimit: LIMITS.file_body_bytes,
      takesMedia: true,
      refusals: [409],
      starts: 'tasks',
      answers: { 202: { description: 'Accepted', schema: AddedPage } },
    },
    async ({ c, world, tenant, body }) => {
      const added = await addPage(world, namedFanout(c, tenant), body)
      if (!added) throw missing()
      const { fanout, replayed } = granted(added)
      const { state } = fanout
      const came = pageOf(state, body.page)?.page
      const warnings = await pageWarnings(world, tenant, fanout, body.page)
      return c.json(
        {
          fanout_id: state.spec!.id,
          page: body.page,
          tasks: came?.count ?? 0,
          pages: state.tasks.length,
          total: tasksIn(state),
          replayed,
          ...(warnings.length === 0 ? {} : { warnings }),
        },
        202,
      )
    },
  )
  route(
    api,
    {
      id: 'sealFanout',
      method: 'post',
      path: '/v1/fanouts/{id}/seal',
      params: id,
      tag: 'Fan-outs',
      summary: 'Seal an open fan-out',
      description:
        'States that all pages have been added; the fan-out ends when all its tasks have ' +
        'ended. A 409 response lists missing pages. Repeating the request has no effect.',
      scope: 'runs:write',
      body: SealInput,
      refusals: [409],
      answers: { 200: { description: 'The fan-out is sealed', schema: FanoutSchema } },
    },
    async ({ c, world, tenant, body }) => {
      const sealed = await sealFanout(world, namedFanout(c, tenant), body.pages)
      if (!sealed) throw missing()
      return c.json(await readFanoutView(world, tenant, granted(sealed).fanout))
    },
  )
}

function cancel(api: Api): void {
  route(
    api,
    {
      id: 'cancelFanout',
      method: 'post',
      path: '/v1/fanouts/{id}/cancel',
      params: id,
      tag: 'Fan-outs',
      summary: 'Cancel a fan-out and its descendants',
      description:
        'No task starts after the response. Waits up to 2 seconds for the fan-out to end. ' +
        'Repeating the request, or cancelling a fan-out that has ended, has no effect.',
      scope: 'runs:write',
      body: CancelInput,
      bodyOptional: true,
      answers: {
        200: { description: 'Cancelled, or cancellation is in progress', schema: CancelledFanout },
      },
    },
    async ({ c, world, tenant, by, body }) => {
      const cancelled = await cancelFanout(world, namedFanout(c, tenant), by, body.reason)
      if (!cancelled) throw missing()
      const view = await readFanoutView(world, tenant, cancelled.fanout)
      return c.json({ ...view, cancelled_children: cancelled.children })
    },
  )
}

function remove(api: Api): void {
  route(
    api,
    {
      id: 'deleteFanout',
      method: 'delete',
      path: '/v1/fanouts/{id}',
      params: id,
      tag: 'Fan-outs',
      summary: 'Delete a fan-out that has ended',
      description: DELETING,
      scope: 'runs:write',
      refusals: [409],
      answers: { 204: { description: 'Deleted, including all descendants' } },
    },
    async ({ c, world, tenant, by }) => {
      const deletion = await deleteEnded(world, fanoutLogType, namedFanout(c, tenant), by)
      if (!granted(deletion)) throw missing()
      return c.body(null, 204)
    },
  )
}

const missing = () => refuse('not_found', 'Fan-out not found.')

/** Returns the partition of the fan-out in the path; an invalid ID results in "not found". */
export const namedFanout = (c: WithId, tenant: string): string =>
  fanoutPartition(tenant, pathId(c, 'fan', missing))

/** Returns the fan-out once it has ended, or after `ms` milliseconds. */
export async function foundFanout(world: World, partition: string, ms = 0): Promise<Fanout> {
  const fanout = await untilEnded(world, fanoutLogType, partition, ms)
  if (!fanout) throw missing()
  return fanout
}
