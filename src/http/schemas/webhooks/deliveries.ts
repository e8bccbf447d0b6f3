/** Schemas of webhook deliveries; each delivery is one event for one webhook, with all attempts. */

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
    .describe('ID of the endpoint whose deliveries are included: `whe_` followed by 26 characters')

const DeliveryBase = z
  .strictObject({
    id: idOf('dlv', 'ID of the delivery'),
    object: kindIs('webhook_delivery'),
    run_id: textOrNull(
      'ID of the run (`run_…`) or fan-out (`fan_…`) for the event; `null` for a tenant ' + 'event',
    ),
    endpoint_id: textOrNull(
      "ID of the endpoint: `whe_` followed by 26 characters; `null` for the run's webhook",
    ),
    seq: count('Sequence number (`seq`) of the event; 0 if the event is not part of a log'),
    event_type: text('Type of the event, such as `run.completed`'),
    url: text("URL of the last attempt; the next attempt uses the endpoint's current URL"),
    format: sentFormat().describe(
      'Body format, fixed when the event was enqueued; `a2a` is an A2A push notification',
    ),
    status: z
      .enum(['pending', 'delivered', 'failed', 'disabled', 'dropped'])
      .describe(
        'Status of the delivery. `failed`: all retries are exhausted. `disabled`: the ' +
          'receiver returned 410, or the endpoint is disabled. `dropped`: the endpoint was ' +
          'deleted',
      ),
    attempts: count(
      'Number of attempts since the delivery was created or replayed, at most ' +
        `${LIMITS.webhook_attempts}`,
    ),
    redrives: count('Number of manual replays'),
    next_at: timeOrNull('Time of the next attempt', 'none'),
    last_status: countOrNull(
      'HTTP status of the last attempt; `null` if there was no response, or no attempt yet',
    ),
    last_error: textOrNull(
      'Reason why the last attempt failed, or why no attempt follows; `null` if neither ' +
        'applies',
    ),
    created_at: time('Time at which the event was enqueued'),
  })
  .meta({ id: 'DeliveryBase', description: 'Members common to all delivery responses' })

export const Delivery = DeliveryBase.extend({}).meta({
  id: 'Delivery',
  ...extending(DeliveryBase),
  description: 'Delivery of one event to one webhook',
  examples: DELIVERIES,
})

export const DeliveryWithAttempts = DeliveryBase.extend({
  history: z
    .array(
      z.strictObject({
        at: time('Time of the attempt'),
        status: countOrNull('HTTP status of the response; `null` if there was no response'),
        error: textOrNull('Reason why the attempt failed; `null` if the delivery was accepted'),
        duration_ms: count('Time in milliseconds until the response or the failure'),
        redrive: z
          .int()
          .optional()
          .describe(
            'Number of the manual replay that the attempt belongs to, starting at 1; absent if ' +
              'the attempt belongs to no replay',
          ),
      }),
    )
    .describe('Delivery attempts, oldest first'),
  last_body: textOrNull(
    'Beginning of the last response body, at most 4 KiB; `null` if there is none',
  ),
}).meta({
  id: 'DeliveryWithAttempts',
  ...extending(DeliveryBase),
  description: 'A delivery with all attempts',
  examples: DELIVERIES_IN_FULL,
})

export const ReplayInput = z
  .strictObject({
    from: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Earliest creation time to include (RFC 3339)'),
    to: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Creation time (RFC 3339) before which items are included'),
    status: z
      .enum(['failed', 'disabled', 'dropped', 'delivered', 'pending'])
      .optional()
      .describe(
        'Status of the deliveries to replay; defaults to `failed` and `disabled`, which ' +
          'include every delivery that is no longer retried',
      ),
    endpoint_id: endpointId(),
    cursor: cursorQuery().describe(
      'Cursor for the next part of the range: `next_cursor` of the previous response. ' +
        'Requires the same range',
    ),
  })
  .meta({
    id: 'ReplayInput',
    description:
      'Range of deliveries to replay; if empty, every delivery that exhausted its retries',
    examples: REPLAY_INPUTS,
  })

export const Replayed = z
  .strictObject({
    replayed: z.array(z.string()).describe('IDs of the replayed deliveries'),
    next_cursor: textOrNull(
      'Cursor for the next request, to pass as `cursor`; `null` if the range is complete',
    ),
    has_more: z.boolean().describe('Whether the range contains further deliveries'),
  })
  .meta({ id: 'Replayed', description: 'Result of a replay', examples: REPLAYS })
