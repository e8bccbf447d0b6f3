/** What webhooks send: events of runs and fan-outs with whose they are, and the tenant's own. */

import * as z from 'zod'
import { RunError, time, Usage } from './common.ts'
import { EVENT_TYPES, envelope } from './events.ts'

const ofTenant = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.strictObject({
    id: z.string(),
    type: z.literal(type),
    run_id: z.null(),
    seq: z.int(),
    created_at: time(),
    test: z.literal(true).optional(),
    data,
  })

/** What endpoints hear besides the events of runs. */
export const TenantEvent = z
  .discriminatedUnion('type', [
    ofTenant(
      'endpoint.disabled',
      z.strictObject({
        endpoint_id: z.string(),
        url: z.string(),
        reason: z.enum(['gone', 'failing', 'by_hand']),
        failing_since: time().nullable(),
      }),
    ),
    ofTenant('endpoint.test', z.strictObject({ endpoint_id: z.string() })),
  ])
  .meta({ id: 'TenantEvent' })

const EndOutput = z
  .looseObject({
    text: z.string().describe('Whole, but for what is `truncated`'),
    truncated: z.literal(true).optional().describe('The text is its beginning: `href` has it all'),
    structured: z.unknown().optional(),
  })
  .describe('At an end that has one')

/** What webhooks say of an event of a run or fan-out besides what its log says. */
const about = {
  session_id: z.string().nullable().describe('Null: a fan-out has none'),
  metadata: z.record(z.string(), z.string()),
  usage: Usage.describe('As it stood then; at an end, all of it'),
  output: EndOutput.optional(),
  error: RunError.optional(),
}
const sent = (type: (typeof EVENT_TYPES)[number]) => envelope(type).extend(about)
const [firstSent, ...restSent] = EVENT_TYPES.map(sent)
const Thin = z.looseObject({
  id: z.string(),
  run_id: z.string(),
  seq: z.int(),
  ...about,
  href: z.string().describe('Where the whole event is'),
})

/** The body of every webhook that is sent (Standard Webhooks 1.0). */
export const WebhookBody = z
  .strictObject({
    type: z.string(),
    timestamp: time(),
    data: z
      .union([z.discriminatedUnion('type', [firstSent!, ...restSent]), TenantEvent, Thin])
      .describe('The event; above 20 KB without its data, with `href` to fetch it'),
  })
  .meta({ id: 'WebhookBody' })
