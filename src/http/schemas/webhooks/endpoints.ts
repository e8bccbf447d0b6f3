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
const EVENTS = 'Types of events, or families such as `run.*`'

/** Of bodies; the caller's choice. */
export const webhookFormat = () => z.enum(CHOSEN_FORMATS)
/** Of bodies that are sent. */
export const sentFormat = () => z.enum(WEBHOOK_FORMATS)
const FORMATS =
  'Form of the bodies. `standard`: type, timestamp and data. `cloudevents`: a CloudEvent 1.0 in ' +
  'structured mode. Both are signed by Standard Webhooks'
export const FORMAT_GIVEN = `${FORMATS}. Default: \`standard\``

const description = () => z.string().max(500).nullable()
const url = () =>
  z
    .string()
    .max(2_048)
    .describe('Target of the POST requests; addresses that are not public are refused')

export const EndpointInput = z
  .strictObject({
    url: url(),
    events: events()
      .optional()
      .describe(`${EVENTS}; default: the ends of runs. Ends of subagents: \`subagent.*\``),
    description: description().optional().describe('For people; null: none'),
    format: webhookFormat().optional().describe(FORMAT_GIVEN),
    secret: z
      .string()
      .max(200)
      .optional()
      .describe('`whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once'),
  })
  .meta({
    id: 'WebhookEndpointInput',
    description: 'An endpoint to be created',
    examples: ENDPOINT_INPUTS,
  })

export const EndpointPatch = z
  .strictObject({
    url: url().optional(),
    events: events().optional().describe(`${EVENTS}; takes the place of all that it had`),
    description: description().optional().describe('For people; null takes it away'),
    format: webhookFormat().optional().describe(`${FORMATS}; counts for events from now on`),
    enabled: z.boolean().optional().describe('True also takes back what disabled it'),
  })
  .meta({
    id: 'WebhookEndpointPatch',
    description: 'Changes to an endpoint; omitted members stay as they are',
    examples: ENDPOINT_PATCHES,
    ...REMOVES,
  })

const DISABLED_REASONS = ['gone', 'failing', 'by_hand'] as const
const REASONS =
  '`gone`: it answered 410. `failing`: five days of nothing but failures. `by_hand`: a request'
export const disabledReason = () => z.enum(DISABLED_REASONS).describe(REASONS)
export const failingSince = () =>
  timeOrNull(
    'Start of an unbroken series of failures',
    'the last attempt succeeded, or there was none',
  )

const EndpointBase = z
  .strictObject({
    id: idOf('whe', 'The endpoint'),
    object: kindIs('webhook_endpoint'),
    url: text('Target of the POST requests'),
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
      'Deliveries pause until then after too many failures in a row',
      'they do not pause',
    ),
    created_at: time('When it was created'),
  })
  .meta({
    id: 'WebhookEndpointBase',
    description: 'Members of every answer about an endpoint',
  })

export const Endpoint = EndpointBase.extend({}).meta({
  id: 'WebhookEndpoint',
  ...extending(EndpointBase),
  description: "A receiver of the tenant's events",
  examples: ENDPOINTS,
})
export const EndpointWithSecret = EndpointBase.extend({
  secret: z.string().optional().describe('Only when it was generated, only in this answer'),
}).meta({
  id: 'WebhookEndpointWithSecret',
  ...extending(EndpointBase),
  description: 'An endpoint as its creation and the rotation of its secret are answered',
  examples: ENDPOINTS_WITH_SECRET,
})
