/**
 * Documents outgoing webhooks as OpenAPI 3.1 `webhooks`: each event type with its signed headers
 * and its body.
 */

import type * as z from 'zod'
import { CloudEvent } from '../schemas/events/cloud-event.ts'
import { eventName } from '../schemas/events/events.ts'
import { WEBHOOKS, WebhookBody } from '../schemas/events/webhook-body.ts'
import { type Parameter, parameterIn } from './parameters.ts'
import type { Schemas } from './schemas.ts'

const HEADERS: Readonly<Record<string, string>> = {
  'webhook-id':
    'Message ID, identical for every attempt at a delivery; use it to detect duplicates',
  'webhook-timestamp': 'Time of the attempt, in seconds since the Unix epoch (1970)',
  'webhook-signature':
    'Signatures over the ID, timestamp, and body, one for each secret; each signature is ' +
    'prefixed with `v1,`',
}

/** Headers of every webhook request, as parameter components. */
export const WEBHOOK_PARAMETERS: Readonly<Record<string, Parameter>> = Object.fromEntries(
  Object.entries(HEADERS).map(([name, description]) => [
    name,
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
)

/** Returns the documented webhooks by event type. */
export function webhooks(schemas: Schemas): Record<string, unknown> {
  const each = WEBHOOKS.map((body) => {
    const type = body.shape.type.value
    return [type, { post: webhook(type, `on${eventName(type)}`, schemas, body) }] as const
  })
  const any = webhook('any type, distinguished by `type`', 'onWebhook', schemas, WebhookBody)
  return { ...Object.fromEntries(each), any: { post: any } }
}

const webhook = (
  label: string,
  operationId: string,
  { response: responseSchema }: Schemas,
  body: z.ZodType,
) => ({
  tags: ['Webhooks'],
  operationId,
  summary: `Outgoing webhook: ${label}`,
  description:
    'Signed according to Standard Webhooks 1.0, in the format configured for the ' +
    'endpoint. Any 2xx response accepts the webhook, and 410 disables the endpoint; after ' +
    'any other response, the delivery is retried.',
  security: [],
  parameters: Object.values(WEBHOOK_PARAMETERS).map((name) =>
    parameterIn(WEBHOOK_PARAMETERS, name),
  ),
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: responseSchema(body) },
      'application/cloudevents+json': { schema: responseSchema(CloudEvent) },
    },
  },
  responses: {
    '2XX': { description: 'Accepted' },
    410: { description: 'Accepted; no further action is needed' },
    '4XX': { description: 'Rejected; the delivery is retried' },
  },
})
