/** Serves webhook deliveries with their attempts, and manual redeliveries. */

import * as z from 'zod'
import type { Delivery } from '../../core/webhook/delivery.ts'
import { formatOf } from '../../core/webhook/format.ts'
import { deliveriesList, endpointDeliveries } from '../../engine/partition/keys.ts'
import { sealCursor } from '../../engine/partition/page.ts'
import {
  deliveryHeadOf,
  listedId,
  readDeliveries,
  readDelivery,
  replayDelivery,
} from '../../engine/webhook/delivery.ts'
import { replayRange } from '../../engine/webhook/replay.ts'
import { isId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import { openCursor, page } from '../request/page.ts'
import { pathId, type WithId } from '../request/path-id.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { list, NoBody, pageQuery } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import {
  Delivery as DeliverySchema,
  DeliveryWithAttempts,
  endpointId,
  Replayed,
  ReplayInput,
} from '../schemas/webhooks/deliveries.ts'

const tag = 'Webhooks'
const missing = () => refuse('not_found', 'Delivery not found.')

export function deliveryRoutes(api: Api): void {
  listAndGet(api)
  replayOne(api)
  replayMany(api)
}

function listAndGet(api: Api): void {
  route(
    api,
    {
      id: 'listWebhookDeliveries',
      method: 'get',
      path: '/v1/webhook-deliveries',
      tag,
      summary: 'List deliveries, newest first',
      description: 'Deliveries are kept for 30 days after the last attempt.',
      scope: 'webhooks:read',
      query: z.strictObject({ ...pageQuery, endpoint_id: endpointId() }),
      refusals: [404],
      answers: { 200: { description: 'The requested data', schema: list(DeliverySchema) } },
    },
    async ({ c, world, tenant, query }) => {
      if (query.endpoint_id === undefined) {
        const under = deliveriesList(tenant)
        return c.json(
          await page(world, under, query, (body) => shownDelivery(deliveryHeadOf(body).delivery)),
        )
      }
      endpointMustBe(query.endpoint_id)
      const under = endpointDeliveries(tenant, query.endpoint_id)
      const ids = await page(world, under, query, listedId)
      const deliveries = await readDeliveries(world, tenant, ids.data)
      return c.json({ ...ids, data: deliveries.map(shownDelivery) })
    },
  )
  route(
    api,
    {
      id: 'getWebhookDelivery',
      method: 'get',
      path: '/v1/webhook-deliveries/{id}',
      params: { id: PATH_ID.delivery },
      tag,
      summary: 'Get a delivery',
      description: 'Returns the delivery with all attempts and the beginning of the last response.',
      scope: 'webhooks:read',
      answers: { 200: { description: 'The requested data', schema: DeliveryWithAttempts } },
    },
    async ({ c, world, tenant }) => {
      const stored = await readDelivery(world, tenant, idOf(c))
      if (!stored) throw missing()
      const history = stored.attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) }))
      const { last_body } = stored.delivery
      return c.json({ ...shownDelivery(stored.delivery), history, last_body })
    },
  )
}

const idOf = (c: WithId): string => pathId(c, 'dlv', missing)

/** Rejects an invalid endpoint ID as not found; a deleted endpoint may still have deliveries. */
function endpointMustBe(id: string): void {
  if (!isId('whe', id)) throw refuse('not_found', 'Webhook endpoint not found.')
}

const UNDER_WAY = 'An attempt of this delivery is in progress; get the delivery to see the result.'

function replayOne(api: Api): void {
  route(
    api,
    {
      id: 'replayWebhookDelivery',
      method: 'post',
      path: '/v1/webhook-deliveries/{id}/replay',
      params: { id: PATH_ID.delivery },
      tag,
      summary: 'Send a delivery immediately',
      description:
        'Resends a finished delivery, or sends a pending delivery immediately. The ' +
        '`webhook-id` is unchanged. Ten new attempts are allowed, even if the endpoint is ' +
        'suspended after many failures. Returns 409 while an attempt is in progress.',
      scope: 'webhooks:write',
      body: NoBody,
      bodyOptional: true,
      refusals: [409],
      answers: { 202: { description: 'The delivery is scheduled', schema: DeliverySchema } },
    },
    async (call) => {
      const { c } = call
      const delivery = await replayDelivery(call, idOf(c), true)
      if (!delivery) throw missing()
      if (delivery === 'under_way') throw refuse('conflict', UNDER_WAY)
      return c.json(shownDelivery(delivery), 202)
    },
  )
}

const GIVEN_UP = ['failed', 'disabled'] as const

function replayMany(api: Api): void {
  route(
    api,
    {
      id: 'replayWebhookDeliveries',
      method: 'post',
      path: '/v1/webhook-deliveries/replay',
      tag,
      summary: 'Send a range of deliveries immediately',
      description:
        'Sends deliveries that have a given status and were created in a given time range, ' +
        'newest first; by default, deliveries that exhausted their retries. `pending` selects ' +
        'deliveries that are waiting for their next attempt. One request reads up to 500 ' +
        'deliveries and sends up to 100; continue with `next_cursor`.',
      scope: 'webhooks:write',
      body: ReplayInput,
      refusals: [404],
      answers: { 202: { description: 'The delivery is scheduled', schema: Replayed } },
    },
    async (call) => {
      const { c, world, tenant, body } = call
      const { from, to, endpoint_id, cursor } = body
      if (endpoint_id !== undefined) endpointMustBe(endpoint_id)
      const status = body.status === undefined ? GIVEN_UP : [body.status]
      // A cursor is bound to the filter of its first request, so it never continues a wider range.
      const filter = JSON.stringify([from, to, status, endpoint_id])
      const under = `replay ${deliveriesList(tenant)}?${filter}`
      const beforeKey = await openCursor(world, under, cursor)
      const range = { from, to, status, endpoint_id, before: beforeKey }
      const { replayed, next } = await replayRange(call, range)
      const next_cursor = next === undefined ? null : await sealCursor(world, under, next)
      return c.json({ replayed, next_cursor, has_more: next_cursor !== null }, 202)
    },
  )
}

export const shownDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  object: 'webhook_delivery' as const,
  run_id: delivery.run_id,
  endpoint_id: delivery.endpoint_id ?? null,
  seq: delivery.seq,
  event_type: delivery.event_type,
  url: delivery.url,
  format: formatOf(delivery),
  status: delivery.status,
  attempts: delivery.attempts,
  redrives: delivery.redrives,
  next_at: delivery.next_at === null ? null : iso(delivery.next_at),
  last_status: delivery.last_status,
  last_error: delivery.last_error,
  created_at: iso(delivery.created_at),
})
