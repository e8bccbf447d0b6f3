/** Webhook deliveries: one event on its way to one webhook, attempt by attempt. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { cursorQuery } from '../shared/common.ts'
import { DELIVERIES, DELIVERIES_IN_FULL, REPLAY_INPUTS, REPLAYS } from '../shared/examples.ts'
import {
  count,
  countOrNull,
  extending,
  idOf,
  kindIs,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'
import { sentFormat } from './endpoints.ts'

export const endpointId = () =>
  z
    .string()
    .max(64)
    .optional()
    .describe('Only deliveries to this endpoint: `whe_` and 26 characters')

const DeliveryBase = z
  .strictObject({
    id: idOf('dlv', 'The delivery'),
    object: kindIs('webhook_delivery'),
    run_id: textOrNull(
      'The run (`run_…`) or fan-out (`fan_…`) of the event; null: an event of the tenant',
    ),
    endpoint_id: textOrNull('The endpoint: `whe_` and 26 characters; null: the webhook of the run'),
    seq: count('The `seq` of the event; 0: it is in no log'),
    event_type: text('Type of the event, such as `run.completed`'),
    url: text('URL of the last attempt; the next one uses the current URL of the endpoint'),
    format: sentFormat().describe(
      'Format of the body, fixed when the event was enqueued; `a2a`: an A2A push ' + 'notification',
    ),
    status: z
      .enum(['pending', 'delivered', 'failed', 'disabled', 'dropped'])
      .describe(
        '`failed`: given up. `disabled`: the receiver returned 410, or its endpoint is ' +
          'disabled. `dropped`: its endpoint was deleted',
      ),
    attempts: count(
      'Number of attempts since it was created or replayed; at most ' +
        `${LIMITS.webhook_attempts}`,
    ),
    redrives: count('Number of manual replays'),
    next_at: timeOrNull('Time of the next attempt', 'none'),
    last_status: countOrNull(
      'HTTP status of the last attempt; null: no response, or no attempt yet',
    ),
    last_error: textOrNull('Why the last attempt failed, or why there will be none; null: neither'),
    created_at: time('When the event was enqueued'),
  })
  .meta({ id: 'DeliveryBase', description: 'Members of every response about a delivery' })

export const Delivery = DeliveryBase.extend({}).meta({
  id: 'Delivery',
  ...extending(DeliveryBase),
  description: 'One event for one webhook',
  examples: DELIVERIES,
})

export const DeliveryWithAttempts = DeliveryBase.extend({
  history: z
    .array(
      z.strictObject({
        at: time('Time of the change'),
        status: countOrNull('HTTP status; null: no response'),
        error: textOrNull('Why it failed; null: it was accepted'),
        duration_ms: count('Milliseconds until the response or the failure'),
        redrive: z
          .int()
          .optional()
          .describe('Number of the manual replay that it belongs to, from 1; absent: none'),
      }),
    )
    .describe('Attempts, oldest first'),
  last_body: textOrNull('Beginning of the last response, at most 4 KiB; null: none'),
}).meta({
  id: 'DeliveryWithAttempts',
  ...extending(DeliveryBase),
  description: 'A delivery with all its attempts',
  examples: DELIVERIES_IN_FULL,
})

export const ReplayInput = z
  .strictObject({
    from: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Created at this time or later (RFC 3339)'),
    to: z.iso.datetime({ offset: true }).optional().describe('Created before this time (RFC 3339)'),
    status: z
      .enum(['failed', 'disabled', 'dropped', 'delivered', 'pending'])
      .optional()
      .describe('Only this status; default: `failed` and `disabled`, all that were given up'),
    endpoint_id: endpointId(),
    cursor: cursorQuery().describe('`next_cursor` of the previous response, with the same range'),
  })
  .meta({
    id: 'ReplayInput',
    description: 'A range of deliveries to replay; without members, all that were given up',
    examples: REPLAY_INPUTS,
  })

export const Replayed = z
  .strictObject({
    replayed: z.array(z.string()).describe('IDs of the replayed deliveries'),
    next_cursor: textOrNull('Pass it as `cursor` to continue; null: the range is complete'),
    has_more: z.boolean().describe('Whether deliveries of the range are left'),
  })
  .meta({ id: 'Replayed', description: 'The replayed deliveries', examples: REPLAYS })
