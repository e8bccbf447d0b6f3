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
  z.string().max(64).optional().describe('Only those to this endpoint: `whe_` and 26 characters')

const DeliveryBase = z
  .strictObject({
    id: idOf('dlv', 'The delivery'),
    object: kindIs('webhook_delivery'),
    run_id: textOrNull(
      "The run (`run_…`) or fan-out (`fan_…`) of the event; null: the event is the tenant's own",
    ),
    endpoint_id: textOrNull(
      'The endpoint: `whe_` and 26 characters; null: it goes to the webhook of the run',
    ),
    seq: count('The `seq` of the event; 0: it stands in no log'),
    event_type: text('The type of the event, e.g. `run.completed`'),
    url: text('Where the last attempt went; the next one goes where the endpoint then is'),
    format: sentFormat().describe(
      'Form of the body, as it was when the event was handed in; `a2a`: a push of A2A',
    ),
    status: z
      .enum(['pending', 'delivered', 'failed', 'disabled', 'dropped'])
      .describe(
        '`failed`: given up. `disabled`: the receiver said 410, or its endpoint is switched off. ' +
          '`dropped`: its endpoint was deleted',
      ),
    attempts: count(
      `Attempts since it was created or replayed; ${LIMITS.webhook_attempts} at the most`,
    ),
    redrives: count('Number of manual replays'),
    next_at: timeOrNull('When the next attempt is due', 'there is none'),
    last_status: countOrNull(
      'The HTTP status of the last attempt; null: no answer, or no attempt yet',
    ),
    last_error: textOrNull(
      'Why the last attempt failed, or why there will be no more; null: neither',
    ),
    created_at: time('When the event was handed in'),
  })
  .meta({ id: 'DeliveryBase', description: 'Members of every answer about a delivery' })

export const Delivery = DeliveryBase.extend({}).meta({
  id: 'Delivery',
  ...extending(DeliveryBase),
  description: 'One event on its way to one webhook',
  examples: DELIVERIES,
})

export const DeliveryWithAttempts = DeliveryBase.extend({
  history: z
    .array(
      z.strictObject({
        at: time('When it was made'),
        status: countOrNull('The HTTP status; null: there was no answer'),
        error: textOrNull('Why it failed; null: it was accepted'),
        duration_ms: count('Milliseconds until the answer, or until it failed'),
        redrive: z
          .int()
          .optional()
          .describe('The manual replay that it belongs to, from 1; absent: none'),
      }),
    )
    .describe('Its attempts, oldest first'),
  last_body: textOrNull('The beginning of the last answer, at most 4 KiB; null: there was none'),
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
      .describe('Created at or after this time, RFC 3339'),
    to: z.iso.datetime({ offset: true }).optional().describe('Created before this time, RFC 3339'),
    status: z
      .enum(['failed', 'disabled', 'dropped', 'delivered', 'pending'])
      .optional()
      .describe('Only these; default: `failed` and `disabled`, all that were given up'),
    endpoint_id: endpointId(),
    cursor: cursorQuery().describe(
      'Go on where the answer before stopped: its `next_cursor`, with the same range',
    ),
  })
  .meta({
    id: 'ReplayInput',
    description: 'A range of deliveries to replay; without members: all that were given up',
    examples: REPLAY_INPUTS,
  })

export const Replayed = z
  .strictObject({
    replayed: z.array(z.string()).describe('Ids of the deliveries that are under way again'),
    next_cursor: textOrNull('Go on with it as `cursor`; null: the range is done'),
    has_more: z.boolean().describe('Whether some of the range are left'),
  })
  .meta({ id: 'Replayed', description: 'The replayed deliveries', examples: REPLAYS })
