/** Serves webhook deliveries with their attempts, and manual redeliveries. */

import { holds } from '../../core/scopes.ts'
import type { Delivery } from '../../core/webhook/delivery.ts'
import { formatOf } from '../../core/webhook/format.ts'
import { deliveriesList } from '../../engine/partition/keys.ts'
import { sealCursor } from '../../engine/partition/page.ts'
import {
  deliveryHeadOf,
  listedId,
  readDeliveries,
  readDelivery,
  replayDelivery,
} from '../../engine/webhook/delivery.ts'
import { listOf, readSection } from '../../engine/webhook/filter.ts'
import { replayRange } from '../../engine/webhook/replay.ts'
import { canonical } from '../../lib/digest.ts'
import { isId } from '../../lib/id.ts'
import { iso } from '../../lib/time.ts'
import { openCursor, page, searched } from '../request/page.ts'
import { pathId, type WithId } from '../request/path-id.ts'
import { refuse } from '../request/problem.ts'
import type { Api } from '../request/route.ts'
import { route } from '../request/route.ts'
import { list, NoBody } from '../schemas/shared/common.ts'
import { PATH_ID } from '../schemas/shared/words.ts'
import {
  DeliveriesQuery,
  Delivery as DeliverySchema,
  DeliveryWithAttempts,
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
      description:
        'Deliveries are kept for 30 days after the last attempt. All filters must match. A ' +
        'request with filters other than `endpoint_id` reads at most 2,000 deliveries, so a page ' +
        'can have fewer than `limit` deliveries while `has_more` is true. Use the cursor to ' +
        'continue.',
      scope: 'webhooks:read',
      query: DeliveriesQuery,
      refusals: [404],
      answers: { 200: { description: 'The requested data', schema: list(DeliverySchema) } },
    },
    async ({ c, world, tenant, query }) => {
      const { limit, cursor, 'created[gte]': from, 'created[lt]': to, ...members } = query
      const filter = { ...members, from, to }
      if (filter.endpoint_id !== undefined) endpointMustBe(filter.endpoint_id)
      const under = listOf(tenant, filter)
      if (Object.entries(filter).some(([name, value]) => value && name !== 'endpoint_id')) {
        const list = `${under}?${canonical(filter)}`
        const deliveries = await searched(world, list, { limit, cursor }, async (last) => {
          const { entries, next } = await readSection(world, tenant, filter, last)
          return { found: entries, reached: next }
        })
        return c.json({ ...deliveries, data: deliveries.data.map(shownDelivery) })
      }
      if (filter.endpoint_id === undefined) {
        return c.json(
          await page(world, under, query, (body) => shownDelivery(deliveryHeadOf(body).delivery)),
        )
      }
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
      description:
        'Returns the delivery with all attempts, the request body, and the beginning of the last ' +
        'response. The body requires the scope `runs:read`, and remains readable after its run ' +
        'is deleted.',
      scope: 'webhooks:read',
      answers: { 200: { description: 'The requested data', schema: DeliveryWithAttempts } },
    },
    async ({ c, world, tenant }) => {
      const stored = await readDelivery(world, tenant, idOf(c))
      if (!stored) throw missing()
      const history = stored.attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) }))
      const { last_body } = stored.delivery
      const payload = payloadFor(c.get('principal').scopes, stored.payload)
      return c.json({ ...shownDelivery(stored.delivery), history, last_body, ...payload })
    },
  )
}

/** Returns the members about the request body; events have content of runs. */
function payloadFor(scopes: readonly string[], payload: string | undefined) {
  if (!holds(scopes, 'runs:read')) return { payload: null, payload_omitted: 'scope' as const }
  if (payload === undefined) return { payload: null, payload_omitted: 'expired' as const }
  return { payload }
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

const GIVEN_UP: readonly Delivery['status'][] = ['failed', 'disabled']

const someOf = <T>(value: T | readonly T[] | undefined): readonly T[] | undefined =>
  value === undefined ? undefined : ([value].flat() as T[])

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
        'Sends the deliveries that `GET /v1/webhook-deliveries` lists with the same filters ' +
        '(`from` is `created[gte]`, and `to` is `created[lt]`), newest first; by default, ' +
        'deliveries that exhausted their retries. `pending` selects deliveries that are waiting ' +
        'for their next attempt. One request reads up to 500 deliveries and sends up to 50; ' +
        'continue with `next_cursor`. A dry run counts them first.',
      scope: 'webhooks:write',
      body: ReplayInput,
      refusals: [404],
      answers: {
        200: { description: 'The result of a dry run', schema: Replayed },
        202: { description: 'The deliveries are scheduled', schema: Replayed },
      },
    },
    async (call) => {
      const { c, world, tenant, body } = call
      const { cursor, dry_run, ...members } = body
      if (members.endpoint_id !== undefined) endpointMustBe(members.endpoint_id)
      const { status = GIVEN_UP, event_type } = members
      const filter = { ...members, status: [status].flat(), event_type: someOf(event_type) }
      // A cursor is bound to the filter of its first request, so it never continues a wider range.
      const under = `replay ${deliveriesList(tenant)}?${canonical({ ...filter, dry_run })}`
      const start = await openCursor(world, under, cursor)
      const range = { ...filter, start, isDryRun: dry_run }
      const { replayed, inProgress, next } = await replayRange(call, range)
      const next_cursor = next === undefined ? null : await sealCursor(world, under, next)
      const results = { dry_run, replayed, in_progress: inProgress }
      return c.json(
        { ...results, next_cursor, has_more: next_cursor !== null },
        dry_run ? 200 : 202,
      )
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
