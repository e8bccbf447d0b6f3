/** Webhook endpoints: where a tenant's events go. DESIGN section 8. */

import * as z from 'zod'
import { ENDPOINT_EVENTS, ENDPOINT_FAMILIES } from '../../core/endpoint.ts'
import { REMOVES } from '../../core/nulls.ts'
import { time } from './common.ts'

const events = () =>
  z
    .array(z.enum([...ENDPOINT_EVENTS, ...ENDPOINT_FAMILIES]))
    .min(1)
    .max(30)

const description = () => z.string().max(500).nullable()

export const EndpointInput = z
  .strictObject({
    url: z.string().max(2_048),
    events: events()
      .optional()
      .describe('Types or families; default: the ends of runs. Ends of subagents: `subagent.*`'),
    description: description().optional(),
    secret: z
      .string()
      .max(200)
      .optional()
      .describe('`whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once'),
  })
  .meta({ id: 'WebhookEndpointInput' })

export const EndpointPatch = z
  .strictObject({
    url: z.string().max(2_048).optional(),
    events: events().optional(),
    description: description().optional().describe('null takes it away'),
    enabled: z.boolean().optional().describe('True also takes back what disabled it'),
  })
  .meta({ id: 'WebhookEndpointPatch', ...REMOVES })

const shape = {
  id: z.string(),
  object: z.literal('webhook_endpoint'),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z
    .enum(['gone', 'failing', 'by_hand'])
    .nullable()
    .describe('`gone`: it said 410. `failing`: five days of nothing but failures'),
  failing_since: time().nullable(),
  open_until: time().nullable().describe('It is left alone until then: too many failures in a row'),
  created_at: time(),
}

export const Endpoint = z.strictObject(shape).meta({ id: 'WebhookEndpoint' })
export const EndpointWithSecret = z
  .strictObject({
    ...shape,
    secret: z.string().optional().describe('Only when it was generated, only in this answer'),
  })
  .meta({ id: 'WebhookEndpointWithSecret' })
