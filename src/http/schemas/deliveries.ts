/** Webhook deliveries: one event on its way to one webhook, attempt by attempt. */

import * as z from 'zod'
import { time } from './common.ts'

export const Delivery = z
  .strictObject({
    id: z.string(),
    object: z.literal('webhook_delivery'),
    run_id: z.string().nullable(),
    endpoint_id: z.string().nullable().describe('Null: it goes to the webhook of the run'),
    seq: z.int(),
    event_type: z.string(),
    url: z.string(),
    status: z
      .enum(['pending', 'delivered', 'failed', 'disabled', 'dropped'])
      .describe('`failed`: given up. `dropped`: its endpoint was deleted'),
    attempts: z.int().describe('Since it was created, or sent again by hand'),
    redrives: z.int().describe('How often it was sent again by hand'),
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
      redrive: z.int().optional().describe('Which sending by hand it belongs to'),
    }),
  ),
  last_body: z.string().nullable().describe('How the last answer began'),
}).meta({ id: 'DeliveryWithAttempts' })

export const ReplayInput = z
  .strictObject({
    from: z.iso.datetime({ offset: true }).optional().describe('Created at or after this time'),
    to: z.iso.datetime({ offset: true }).optional().describe('Created before this time'),
    status: z
      .enum(['failed', 'disabled', 'dropped', 'delivered'])
      .optional()
      .describe('Only these; default: `failed` and `disabled`, all that were given up'),
    endpoint_id: z.string().max(64).optional(),
    cursor: z.string().optional().describe('Go on where the answer before stopped'),
  })
  .meta({ id: 'ReplayInput' })

export const Replayed = z
  .strictObject({
    replayed: z.array(z.string()).describe('Ids of the deliveries that are under way again'),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'Replayed' })
