/** Webhook endpoints: where a tenant's events go. */

import * as z from 'zod'
import { REMOVES } from '../../../core/nulls.ts'
import { ENDPOINT_EVENTS, ENDPOINT_FAMILIES } from '../../../core/webhook/endpoint.ts'
import { CHOSEN_FORMATS, WEBHOOK_FORMATS } from '../../../core/webhook/format.ts'
import {
  ENDPOINT_INPUTS,
  ENDPOINT_PATCHES,
  ENDPOINTS,
  ENDPOINTS_WITH_SECRET,
} from '../shared/examples.ts'
import { extending, idOf, kindIs, text, textOrNull, time, timeOrNull } from '../shared/words.ts'

const events = () =>
  z
    .array(z.enum([...ENDPOINT_EVENTS, ...ENDPOINT_FAMILIES]))
    .min(1)
    .max(30)
const EVENTS = 'Event types, or families such as `run.*`'

/** The format of bodies that the caller can choose. */
export const webhookFormat = () => z.enum(CHOSEN_FORMATS)
/** The format of bodies that are sent. */
export const sentFormat = () => z.enum(WEBHOOK_FORMATS)
const FORMATS =
  'Format of the body. `standard`: type, timestamp, and data. `cloudevents`: a ' +
  'CloudEvent 1.0 in structured mode. Both are signed according to Standard Webhooks'
export const FORMAT_GIVEN = `${FORMATS}. Default: \`standard\``

const description = () => z.string().max(500).nullable()
const url = () => z.string().max(2_048).describe('Target URL; private addresses are refused')

export const EndpointInput = z
  .strictObject({
    url: url(),
    events: events()
      .optional()
      .describe(`${EVENTS}; default: the ends of runs. For ends of subagents: \`subagent.*\``),
    description: description().optional().describe('For people; null: none'),
    format: webhookFormat().optional().describe(FORMAT_GIVEN),
    secret: z
      .string()
      .max(200)
      .optional()
      .describe('`whsec_` and 24 to 64 bytes in Base64; omitted: generated and shown once'),
  })
  .meta({
    id: 'WebhookEndpointInput',
    description: 'A webhook endpoint to create',
    examples: ENDPOINT_INPUTS,
  })

export const EndpointPatch = z
  .strictObject({
    url: url().optional(),
    events: events().optional().describe(`${EVENTS}; replaces the previous list`),
    description: description().optional().describe('For people; null removes it'),
    format: webhookFormat().optional().describe(`${FORMATS}; applies to events from now on`),
    enabled: z
      .boolean()
      .optional()
      .describe('True also re-enables an endpoint that was disabled automatically'),
  })
  .meta({
    id: 'WebhookEndpointPatch',
    description: 'Changes of an endpoint; omitted members are unchanged',
    examples: ENDPOINT_PATCHES,
    ...REMOVES,
  })

const DISABLED_REASONS = ['gone', 'failing', 'by_hand'] as const
const REASONS =
  '`gone`: it returned 410. `failing`: all attempts of five days failed. `by_hand`: a ' +
  'request disabled it'
export const disabledReason = () => z.enum(DISABLED_REASONS).describe(REASONS)
export const failingSince = () =>
  timeOrNull(
    'Time of the first of the consecutive failures',
    'the last attempt succeeded, or there was none',
  )

const EndpointBase = z
  .strictObject({
    id: idOf('whe', 'The endpoint'),
    object: kindIs('webhook_endpoint'),
    url: text('Target URL'),
    events: z.array(z.string()).describe(EVENTS),
    description: textOrNull('For people; null: none'),
    format: webhookFormat().describe(FORMATS),
    enabled: z.boolean().describe('Whether events are sent to it'),
    disabled_reason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(`${REASONS}. Null: it is enabled`),
    failing_since: failingSince(),
    open_until: timeOrNull(
      'Deliveries are suspended until then after too many failures',
      'not suspended',
    ),
    created_at: time('Time of creation'),
  })
  .meta({
    id: 'WebhookEndpointBase',
    description: 'Members of every response about an endpoint',
  })

export const Endpoint = EndpointBase.extend({}).meta({
  id: 'WebhookEndpoint',
  ...extending(EndpointBase),
  description: "A receiver of the tenant's events",
  examples: ENDPOINTS,
})
export const EndpointWithSecret = EndpointBase.extend({
  secret: z.string().optional().describe('Only when it was generated, and only in this response'),
}).meta({
  id: 'WebhookEndpointWithSecret',
  ...extending(EndpointBase),
  description: 'A created endpoint, or one with a rotated secret',
  examples: ENDPOINTS_WITH_SECRET,
})
