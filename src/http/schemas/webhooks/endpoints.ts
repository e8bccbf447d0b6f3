/** Schemas of webhook endpoints, the destinations of a tenant's events. */

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
const EVENTS = 'Event types, or event families such as `run.*`'

/** Creates the schema of the webhook body formats that the caller can choose. */
export const webhookFormat = () => z.enum(CHOSEN_FORMATS)
/** Creates the schema of all webhook body formats in use. */
export const sentFormat = () => z.enum(WEBHOOK_FORMATS)
const FORMATS =
  'Body format. `standard`: type, timestamp, and data. `cloudevents`: a CloudEvent 1.0 ' +
  'in structured mode. Both are signed according to Standard Webhooks'
export const FORMAT_GIVEN = `${FORMATS}. Default: \`standard\``

const description = () => z.string().max(500).nullable()
const url = () => z.string().max(2_048).describe('Target URL; private addresses are rejected')

export const EndpointInput = z
  .strictObject({
    url: url(),
    events: events()
      .optional()
      .describe(
        `${EVENTS}; defaults to the events that end a run. For events that end subagents, add ` +
          '`subagent.*`',
      ),
    description: description()
      .optional()
      .describe('Human-readable name or description; `null` if not set'),
    format: webhookFormat().optional().describe(FORMAT_GIVEN),
    secret: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Signing secret: `whsec_` followed by 24 to 64 bytes in Base64; if omitted, generated ' +
          'and returned only once',
      ),
  })
  .meta({
    id: 'WebhookEndpointInput',
    description: 'A webhook endpoint to create',
    examples: ENDPOINT_INPUTS,
  })

export const EndpointPatch = z
  .strictObject({
    url: url().optional(),
    events: events().optional().describe(`${EVENTS}; this list replaces the previous one`),
    description: description().optional().describe('Human-readable description; `null` removes it'),
    format: webhookFormat().optional().describe(`${FORMATS}; applies to future events`),
    enabled: z
      .boolean()
      .optional()
      .describe(
        'Whether the endpoint receives events; `true` also re-enables an endpoint that was ' +
          'disabled automatically',
      ),
  })
  .meta({
    id: 'WebhookEndpointPatch',
    description: 'Changes to an endpoint; omitted members are unchanged',
    examples: ENDPOINT_PATCHES,
    ...REMOVES,
  })

const DISABLED_REASONS = ['gone', 'failing', 'by_hand'] as const
const REASONS =
  'Reason why the endpoint is disabled. `gone`: the endpoint returned 410. `failing`: ' +
  'all attempts in five days failed. `by_hand`: a request disabled the endpoint'
export const disabledReason = () => z.enum(DISABLED_REASONS).describe(REASONS)
export const failingSince = () =>
  timeOrNull(
    'Time of the first attempt in the current series of failures',
    'the last attempt succeeded, or no attempt was made',
  )

const EndpointBase = z
  .strictObject({
    id: idOf('whe', 'ID of the endpoint'),
    object: kindIs('webhook_endpoint'),
    url: text('Target URL'),
    events: z.array(z.string()).describe(EVENTS),
    description: textOrNull('Human-readable name or description; `null` if not set'),
    format: webhookFormat().describe(FORMATS),
    enabled: z.boolean().describe('Whether events are sent to the endpoint'),
    disabled_reason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(`${REASONS}. \`null\` if the endpoint is enabled`),
    failing_since: failingSince(),
    open_until: timeOrNull(
      'Time until which deliveries are suspended after too many failures',
      'deliveries are not suspended',
    ),
    created_at: time('Creation time'),
  })
  .meta({
    id: 'WebhookEndpointBase',
    description: 'Members common to all endpoint responses',
  })

export const Endpoint = EndpointBase.extend({}).meta({
  id: 'WebhookEndpoint',
  ...extending(EndpointBase),
  description: "A receiver of the tenant's events, registered as a webhook endpoint",
  examples: ENDPOINTS,
})
export const EndpointWithSecret = EndpointBase.extend({
  secret: z
    .string()
    .optional()
    .describe(
      'Generated secret; present only in this response, and only if the server generated ' +
        'the secret',
    ),
}).meta({
  id: 'WebhookEndpointWithSecret',
  ...extending(EndpointBase),
  description: 'A new endpoint, or an endpoint with a rotated secret',
  examples: ENDPOINTS_WITH_SECRET,
})
