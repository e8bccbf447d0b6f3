/** What became of webhooks: deliveries with their attempts. */

import * as z from 'zod'
import type { Delivery } from '../../core/delivery.ts'
import type { DeliveryHead } from '../../engine/deliver.ts'
import { readDelivery } from '../../engine/deliver.ts'
import { deliveriesList } from '../../engine/names.ts'
import { iso } from '../../lib/time.ts'
import { page } from '../page.ts'
import { refuse } from '../problem.ts'
import type { Api } from '../route.ts'
import { route } from '../route.ts'
import { list, pageQuery } from '../schemas/common.ts'
import { Delivery as DeliverySchema, DeliveryWithAttempts } from '../schemas/deliveries.ts'

const DELIVERY_ID = /^dlv_[0-9a-z]{26}$/

export function deliveryRoutes(api: Api): void {
  route(
    api,
    {
      method: 'get',
      path: '/v1/webhook-deliveries',
      tag: 'Webhooks',
      summary: 'List deliveries, newest first',
      scope: 'webhooks:read',
      query: z.strictObject(pageQuery),
      answers: { 200: { description: 'Found', schema: list(DeliverySchema) } },
    },
    async ({ c, world, tenant, query }) =>
      c.json(
        await page(world, deliveriesList(tenant), query, (head) =>
          shown((head as DeliveryHead).delivery),
        ),
      ),
  )
  route(
    api,
    {
      method: 'get',
      path: '/v1/webhook-deliveries/{id}',
      params: { id: 'A delivery id' },
      tag: 'Webhooks',
      summary: 'Look at a delivery',
      scope: 'webhooks:read',
      answers: { 200: { description: 'Found', schema: DeliveryWithAttempts } },
    },
    async ({ c, world, tenant }) => {
      const id = c.req.param('id') ?? ''
      const found = DELIVERY_ID.test(id) ? await readDelivery(world, tenant, id) : undefined
      if (!found) throw refuse('not_found', 'There is no such delivery.')
      const history = found.attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) }))
      const { last_body } = found.delivery
      return c.json({ ...shown(found.delivery), history, last_body })
    },
  )
}

const shown = (delivery: Delivery) => ({
  id: delivery.id,
  object: 'webhook_delivery' as const,
  run_id: delivery.run_id,
  seq: delivery.seq,
  event_type: delivery.event_type,
  url: delivery.url,
  status: delivery.status,
  attempts: delivery.attempts,
  next_at: delivery.next_at === null ? null : iso(delivery.next_at),
  last_status: delivery.last_status,
  last_error: delivery.last_error,
  created_at: iso(delivery.created_at),
})
