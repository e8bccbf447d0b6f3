/**
 * Bodies of webhooks: events of runs and fan-outs with their context, and the tenant's own events.
 */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { ENDPOINT_EVENTS } from '../../core/webhook/endpoint.ts'
import type { WebhookType } from '../examples/webhook-bodies.ts'
import { RunError, Usage } from './common.ts'
import { disabledReason, failingSince } from './endpoints.ts'
import { EVENT_TYPES, envelope, eventName, fanoutEnvelope } from './events.ts'
import { ALL_WEBHOOK_BODIES, WEBHOOK_BODIES } from './examples.ts'
import { structured } from './runs.ts'
import { count, idOf, idOrNull, metadata, text, textOrNull, time } from './words.ts'

const ofTenant = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z
    .strictObject({
      id: idOf('evt', 'The event'),
      type: z.literal(type).describe(`Always \`${type}\`: it says what \`data\` holds`),
      run_id: z.null().describe('Null: the event belongs to no run'),
      seq: count('Rises with each change of the endpoint, schedule or session; 0: a test'),
      created_at: time('When it happened'),
      test: z.literal(true).optional().describe('A test: nothing has happened'),
      data,
    })
    .meta({
      id: `${eventName(type)}Event`,
      description: `An event \`${type}\`, which stands in no log`,
    })

/** Events for endpoints besides those of runs. */
const EndpointDisabled = ofTenant(
  'endpoint.disabled',
  z
    .strictObject({
      endpoint_id: idOf('whe', 'The endpoint'),
      url: text('Target of the POST requests'),
      reason: disabledReason(),
      failing_since: failingSince(),
    })
    .describe('An endpoint was disabled; sent to the other endpoints'),
)
const ScheduleDisabled = ofTenant(
  'schedule.disabled',
  z
    .strictObject({
      schedule_id: idOf('sch', 'The schedule'),
      name: text('One name is one schedule'),
      reason: z
        .enum(['failing', 'source'])
        .describe(
          '`failing`: its runs failed, one after another. `source`: the file that defines it is ' +
            'gone or wrong; it goes on by itself when the file is right',
        ),
      detail: textOrNull('The error of the last run, or of the file; null: there was none'),
      failures: z.int().describe('Runs in a row that failed'),
      last_run_id: idOrNull('run', 'The last of them', 'it is not known'),
    })
    .describe('A schedule has paused itself; it starts nothing until it is resumed'),
)
const EndpointTest = ofTenant(
  'endpoint.test',
  z
    .strictObject({ endpoint_id: idOf('whe', 'The endpoint') })
    .describe('A test event that was requested'),
)

/** A change of a session; nothing that was said in it. */
const ofSession = <T extends WebhookType>(type: T, about: string, more: z.ZodRawShape = {}) => ({
  type,
  event: ofTenant(
    type,
    z
      .strictObject({
        session_id: idOf('ses', 'The session'),
        agent: textOrNull('The agent of the next turn that names none; null: `general`'),
        title: textOrNull('As people call it; null: nobody has named it'),
        archived: z.boolean().describe('Whether it is put away'),
        retention_seconds: z
          .int()
          .nullable()
          .describe('How long it is kept when nothing happens in it; null: until it is deleted'),
        metadata: metadata('this session'),
        ...more,
      })
      .describe(about),
  ),
})
const SESSION_EVENTS = [
  ofSession(
    'session.created',
    'A request has created a session; a run that opens one sends no such event',
  ),
  ofSession('session.updated', 'Somebody has changed a session, as it now is', {
    changed: z
      .array(z.enum(['title', 'agent', 'metadata', 'archived', 'retention_seconds']))
      .describe('Members that are other ones than before'),
  }),
  ofSession('session.forked', 'A new session goes on from a message of another one', {
    forked_from: z
      .strictObject({
        session_id: idOf('ses', 'The other session'),
        position: text('Its last message that was kept'),
      })
      .describe('Where it goes on from'),
  }),
  ofSession('session.deleted', 'A session was deleted, as it last was', {
    reason: z
      .enum(['requested', 'retention'])
      .describe('Somebody deleted it, or nothing had happened in it for as long as it is kept'),
  }),
]
const EndOutput = z
  .looseObject({
    text: z.string().describe('The whole text, unless `truncated`'),
    truncated: z.literal(true).optional().describe('The text is its beginning: `href` has it all'),
    structured: structured().optional(),
  })
  .describe('The final answer; only with `run.completed` and `fanout.completed`')

/** Members of a webhook about a run or fan-out besides those of its log's event. */
const about = {
  session_id: idOrNull('ses', 'The session of the run', 'a fan-out has none'),
  metadata: metadata('the run or fan-out'),
  usage: Usage.describe('Usage so far; with the end of a run, all of it'),
  output: EndOutput.optional(),
  error: RunError.optional().describe('Why it did not complete, at such an end'),
}

/** A webhook of this type; `data` is its event. */
const webhook = <T extends WebhookType, D extends z.ZodType>(type: T, data: D) =>
  z
    .strictObject({
      type: z.literal(type).describe(`Always \`${type}\`, as in \`data\``),
      timestamp: time('When it happened'),
      data,
    })
    .meta({
      id: `${eventName(type)}Webhook`,
      description: `The body of a webhook \`${type}\``,
      examples: WEBHOOK_BODIES[type],
    })

/** An event too large for a message goes without its data. */
function orThin(whole: z.ZodObject) {
  const thin = whole
    .omit({ data: true })
    .extend({ href: z.string().describe('Path of the request that returns the whole event') })
  const most = LIMITS.webhook_body_bytes.toLocaleString('en')
  return z
    .union([whole, thin])
    .describe(`The event; above ${most} bytes without its data, with \`href\` to fetch it`)
}

function ofLog(type: LogType) {
  const event: z.ZodObject = isRunType(type) ? envelope(type) : fanoutEnvelope(type)
  return webhook(type, orThin(event.extend(about)))
}

type LogType = Exclude<
  (typeof ENDPOINT_EVENTS)[number],
  `${'endpoint' | 'schedule' | 'session'}.${string}`
>
type RunType = (typeof EVENT_TYPES)[number]
const isRunType = (type: string): type is RunType => (EVENT_TYPES as string[]).includes(type)
const isOfLog = (type: string): type is LogType => !/^(?:endpoint|schedule|session)\./.test(type)

/** Every webhook that is sent, by the type of its event. */
export const WEBHOOKS = [
  ...ENDPOINT_EVENTS.filter(isOfLog).map(ofLog),
  webhook('endpoint.disabled', EndpointDisabled.describe('The event')),
  webhook('schedule.disabled', ScheduleDisabled.describe('The event')),
  ...SESSION_EVENTS.map(({ type, event }) => webhook(type, orThin(event))),
  webhook('endpoint.test', EndpointTest.describe('The event')),
] as const

/** The body of every webhook that is sent (Standard Webhooks 1.0). */
export const WebhookBody = z
  .discriminatedUnion('type', WEBHOOKS as unknown as [(typeof WEBHOOKS)[number]])
  .meta({
    id: 'WebhookBody',
    description: 'The body of any webhook that is sent (Standard Webhooks 1.0)',
    examples: ALL_WEBHOOK_BODIES,
  })
