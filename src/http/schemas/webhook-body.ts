/** What webhooks send: events of runs and fan-outs with whose they are, and the tenant's own. */

import * as z from 'zod'
import { ENDPOINT_EVENTS } from '../../core/endpoint.ts'
import { RunError, time, Usage } from './common.ts'
import { EVENT_TYPES, envelope, eventName, fanoutEnvelope } from './events.ts'

const ofTenant = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z
    .strictObject({
      id: z.string(),
      type: z.literal(type),
      run_id: z.null(),
      seq: z.int(),
      created_at: time(),
      test: z.literal(true).optional(),
      data,
    })
    .meta({ id: `${eventName(type)}Event` })

/** What endpoints hear besides the events of runs. */
const EndpointDisabled = ofTenant(
  'endpoint.disabled',
  z.strictObject({
    endpoint_id: z.string(),
    url: z.string(),
    reason: z.enum(['gone', 'failing', 'by_hand']),
    failing_since: time().nullable(),
  }),
)
const EndpointTest = ofTenant('endpoint.test', z.strictObject({ endpoint_id: z.string() }))
export const TenantEvent = z
  .discriminatedUnion('type', [EndpointDisabled, EndpointTest])
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

/** A webhook of this type; `data` is its event. */
const webhook = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z
    .strictObject({ type: z.literal(type), timestamp: time(), data })
    .meta({ id: `${eventName(type)}Webhook` })

/** An event too large for a message goes without its data. */
function ofLog(type: LogType) {
  const event: z.ZodObject = isRunType(type) ? envelope(type) : fanoutEnvelope(type)
  const whole = event.extend(about)
  const thin = whole
    .omit({ data: true })
    .extend({ href: z.string().describe('Where the whole event is') })
  const data = z
    .union([whole, thin])
    .describe('The event; above 20 KB without its data, with `href` to fetch it')
  return webhook(type, data)
}

type LogType = Exclude<(typeof ENDPOINT_EVENTS)[number], 'endpoint.disabled' | 'schedule.disabled'>
type RunType = (typeof EVENT_TYPES)[number]
const isRunType = (type: string): type is RunType => (EVENT_TYPES as string[]).includes(type)
const isOfLog = (type: string): type is LogType => !/^(?:endpoint|schedule)\./.test(type)

/** Every webhook that is sent, by the type of its event. */
export const WEBHOOKS = [
  ...ENDPOINT_EVENTS.filter(isOfLog).map(ofLog),
  webhook('endpoint.disabled', EndpointDisabled),
  webhook('endpoint.test', EndpointTest),
] as const

/** The body of every webhook that is sent (Standard Webhooks 1.0). */
export const WebhookBody = z
  .discriminatedUnion('type', WEBHOOKS as unknown as [(typeof WEBHOOKS)[number]])
  .meta({ id: 'WebhookBody' })
