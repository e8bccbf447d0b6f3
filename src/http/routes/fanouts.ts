/** Fan-outs: create, list, look at, cancel. A request never advances one. */

import * as z from 'zod'
import type { FanoutView } from '../../core/fanout/view.ts'
import { LIMITS } from '../../core/limits.ts'
import { acceptFanout, type Fanout } from '../../engine/fanout/accept.ts'
import { fanoutKind } from '../../engine/fanout/kind.ts'
import { cancelFanout, readFanoutView, readResults } from '../../engine/fanout/query.ts'
import { lookAt } from '../../engine/log.ts'
import { fanoutPartition, fanoutsList } from '../../engine/names.ts'
import type { World } from '../../ports/world.ts'
import { IdempotencyKey, keyedOf, replayHeader } from '../idempotency.ts'
import { page } from '../page.ts'
import { Refused, refuse } from '../problem.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { CancelInput, list, pageQuery } from '../schemas/common.ts'
import {
  CancelledFanout,
  CreatedFanout,
  FanoutInput,
  Fanout as FanoutSchema,
  FanoutWithResults,
} from '../schemas/fanouts.ts'

export function fanoutRoutes(api: Api): void {
  route(
    api,
    {
      method: 'post',
      path: '/v1/fanouts',
      tag: 'Fan-outs',
      summary: 'Start many tasks at once',
      description:
        'Answers 202 once the fan-out is durable. Each task becomes a run; a bounded number of ' +
        'them live at a time, and the next is created as one ends.',
      scope: 'runs:write',
      headers: z.object({ 'idempotency-key': IdempotencyKey }),
      body: FanoutInput,
      bodyLimit: LIMITS.file_body_bytes,
      answers: {
        202: {
          description: 'Accepted; `Location` names it',
          schema: CreatedFanout,
          headers: ['Location'],
        },
      },
    },
    async ({ c, world, tenant, body }) => {
      const accepted = await acceptFanout(world, tenant, body, keyedOf(c))
      if (!accepted.ok) throw new Refused(accepted.error)
      const { fanout, webhook_secret, replayed } = accepted.value
      const view = await readFanoutView(world, tenant, fanout)
      const shown = webhook_secret === undefined ? view : { ...view, webhook_secret }
      const location = `/v1/fanouts/${view.id}`
      return c.json(shown, 202, { location, ...replayHeader(replayed) })
    },
  )
  looks(api)
  cancel(api)
}

const id = { id: 'A fan-out id' }

function looks(api: Api): void {
  route(
    api,
    {
      method: 'get',
      path: '/v1/fanouts',
      tag: 'Fan-outs',
      summary: 'List fan-outs, newest first',
      scope: 'runs:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'Found', schema: list(FanoutSchema) } },
    },
    async ({ c, world, tenant, query }) =>
      c.json(
        await page(world, fanoutsList(tenant), query, (head) => {
          return (head as { view: FanoutView }).view
        }),
      ),
  )
  route(
    api,
    {
      method: 'get',
      path: '/v1/fanouts/{id}',
      params: id,
      tag: 'Fan-outs',
      summary: 'Look at a fan-out and the results so far',
      scope: 'runs:read',
      answers: { 200: { description: 'Found', schema: FanoutWithResults } },
    },
    async ({ c, world, tenant }) => {
      const fanout = await foundFanout(world, namedFanout(c, tenant))
      const view = await readFanoutView(world, tenant, fanout)
      return c.json({ ...view, results: await readResults(world, tenant, fanout) })
    },
  )
}

function cancel(api: Api): void {
  route(
    api,
    {
      method: 'post',
      path: '/v1/fanouts/{id}/cancel',
      params: id,
      tag: 'Fan-outs',
      summary: 'Cancel a fan-out and everything below it',
      description:
        'After the answer no new task starts. Waits up to 2 seconds for the end. Cancelling ' +
        'twice, or what has ended, changes nothing.',
      scope: 'runs:write',
      body: CancelInput,
      bodyOptional: true,
      answers: { 200: { description: 'Cancelled, or on its way', schema: CancelledFanout } },
    },
    async ({ c, world, tenant, body }) => {
      const cancelled = await cancelFanout(world, namedFanout(c, tenant), body.reason)
      if (!cancelled) throw missing()
      const view = await readFanoutView(world, tenant, cancelled.fanout)
      return c.json({ ...view, cancelled_children: cancelled.children })
    },
  )
}

const FANOUT_ID = /^fan_[0-9a-z]{26}$/
const missing = () => refuse('not_found', 'There is no such fan-out.')

/** The partition of the fan-out in the path; what cannot be an id does not exist. */
export function namedFanout(
  c: { req: { param(name: 'id'): string | undefined } },
  tenant: string,
): string {
  const given = c.req.param('id') ?? ''
  if (!FANOUT_ID.test(given)) throw missing()
  return fanoutPartition(tenant, given)
}

export async function foundFanout(world: World, partition: string): Promise<Fanout> {
  const fanout = await lookAt(world, fanoutKind, partition)
  if (!fanout) throw missing()
  return fanout
}
