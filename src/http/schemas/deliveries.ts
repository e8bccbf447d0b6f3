/** Webhook deliveries: one event on its way to one webhook, attempt by attempt. */

import * as z from 'zod'
import { time } from './common.ts'

export const Delivery = z
  .strictObject({
    id: z.string(),
    object: z.literal('webhook_delivery'),
    run_id: z.string(),
    seq: z.int(),
    event_type: z.string(),
    url: z.string(),
    status: z.enum(['pending', 'delivered', 'failed', 'disabled']),
    attempts: z.int(),
    next_at: time().nullable(),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: time(),
  })
  .meta({ id: 'Delivery' })

export const DeliveryWithAttempts = Delivery.extend({
  history: z.array(
    z.strictObject({
      at: time(),
      status: z.int().nullable().describe('Null when there was no answer'),
      error: z.string().nullable(),
      duration_ms: z.int(),
    }),
  ),
  last_body: z.string().nullable().describe('How the last answer began'),
}).meta({ id: 'DeliveryWithAttempts' })
