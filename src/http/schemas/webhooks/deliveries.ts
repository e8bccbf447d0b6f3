/** Schemas of webhook deliveries; each delivery is one event for one webhook, with all attempts. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { ENDPOINT_EVENTS } from '../../../core/webhook/endpoint.ts'
import { isId } from '../../../lib/id.ts'
import { cursorQuery, pageQuery } from '../shared/common.ts'
import { DELIVERIES, DELIVERIES_IN_FULL, REPLAY_INPUTS, REPLAYS } from '../shared/examples.ts'
import {
  count,
  countOrNull,
  createdFilter,
  extending,
  idOf,
  kindIs,
  oneOrMore,
  statusFilter,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'
import { sentFormat } from './endpoints.ts'

const endpointId = () =>
  z
    .string()
    .max(64)
    .optional()
    .describe('ID of the endpoint whose deliveries are included: `whe_` followed by 26 characters')

const STATUSES = ['pending', 'delivered', 'failed', 'disabled', 'dropped'] as const
/** Types of the events that deliveries can have. */
const EVENT_TYPES = [...ENDPOINT_EVENTS, 'endpoint.test'] as const

const RUN_ID = 'ID of the run (`run_…`) or fan-out (`fan_…`) whose events are included'
const runOrFanout = () =>
  z
    .string()
    .refine((id) => isId('run', id) || isId('fan', id), {
      error: 'Must be an ID: `run_` or `fan_` followed by 26 characters',
    })
    .optional()
    .describe(RUN_ID)

export const DeliveriesQuery = z.strictObject({
  ...pageQuery,
  endpoint_id: endpointId(),
  status: statusFilter(z.enum(STATUSES)),
  event_type: oneOrMore(EVENT_TYPES).describe(
    'Types of the events to include, separated by commas, such as `run.completed`. Defaults to ' +
      'all types',
  ),
  run_id: runOrFanout(),
  ...createdFilter,
})

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
      .enum(STATUSES)
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
  payload: textOrNull(
    'Request body of each attempt, exactly as it is signed and sent; `null` if ' +
      '`payload_omitted` has a reason',
  ),
  payload_omitted: z
    .enum(['scope', 'expired'])
    .optional()
    .describe(
      'Reason why `payload` is `null`. `scope`: the key lacks `runs:read`, which the content of ' +
        'events requires. `expired`: the body is no longer stored. Absent if `payload` is present',
    ),
}).meta({
  id: 'DeliveryWithAttempts',
  ...extending(DeliveryBase),
  description: 'A delivery with all attempts',
  examples: DELIVERIES_IN_FULL,
})

const oneOrSome = <const T extends readonly string[]>(values: T, noun: string) =>
  z.union([z.enum(values), z.array(z.enum(values)).min(1).max(values.length)], {
    error: `Must be one ${noun}, or an array of them: ${values.join(', ')}.`,
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
    status: oneOrSome(STATUSES, 'status')
      .optional()
      .describe(
        'Status or statuses of the deliveries to replay; defaults to `failed` and `disabled`, ' +
          'which include every delivery that is no longer retried',
      ),
    endpoint_id: endpointId(),
    event_type: oneOrSome(EVENT_TYPES, 'event type')
      .optional()
      .describe('Type or types of the events to include; defaults to all types'),
    run_id: runOrFanout(),
    dry_run: z
      .boolean()
      .default(false)
      .describe(
        'Whether to only report which deliveries the request would replay, and send nothing. ' +
          'To replay no delivery that is created in the meantime, set `to` in both requests',
      ),
    cursor: cursorQuery().describe(
      'Cursor for the next part of the range: `next_cursor` of the previous response. ' +
        'Requires the same filters and the same `dry_run`',
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
    dry_run: z.boolean().describe('Whether nothing was sent, as requested'),
    replayed: z
      .array(z.string())
      .describe(
        'IDs of the replayed deliveries; in a dry run, of those that the same request would replay',
      ),
    in_progress: z
      .array(z.string())
      .describe(
        'IDs of the deliveries that match but were not replayed, because an attempt is in progress',
      ),
    next_cursor: textOrNull(
      'Cursor for the next request, to pass as `cursor`; `null` if the range is complete',
    ),
    has_more: z.boolean().describe('Whether the range contains further deliveries'),
  })
  .meta({ id: 'Replayed', description: 'Result of a replay', examples: REPLAYS })
