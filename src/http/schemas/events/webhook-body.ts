/** Schemas of webhook bodies: run and fan-out events with their context, and tenant events. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { TENANT_QUOTAS } from '../../../core/tenant-quotas.ts'
import { ENDPOINT_EVENTS } from '../../../core/webhook/endpoint.ts'
import { structured } from '../runs/runs.ts'
import { RunError, Usage } from '../shared/common.ts'
import { ALL_WEBHOOK_BODIES, WEBHOOK_BODIES } from '../shared/examples.ts'
import {
  count,
  extending,
  idOf,
  idOrNull,
  metadata,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'
import { disabledReason, failingSince } from '../webhooks/endpoints.ts'
import { EventBase, eventName, eventType, FANOUT_DATA, FanoutEventBase } from './events.ts'
import { RUN_DATA } from './run-events.ts'
import type { WebhookType } from './webhook-bodies.examples.ts'

const TenantEventBase = z
  .strictObject({
    id: idOf('evt', 'The event'),
    run_id: z.null().describe('Always `null`, because the event belongs to no run'),
    seq: count(
      'Sequence number, which increases with each change to the endpoint, schedule, or ' +
        'session; otherwise 0',
    ),
    created_at: time('Time of the event'),
    test: z
      .literal(true)
      .optional()
      .describe('Whether the event is a test that reports no actual change'),
  })
  .meta({ id: 'TenantEventBase', description: 'Members common to all tenant events' })

const ofTenant = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  TenantEventBase.extend({ type: eventType(type), data }).meta({
    id: `${eventName(type)}Event`,
    ...extending(TenantEventBase),
    description: `A \`${type}\` event, which is not part of any log`,
  })

/** Schema of the event for a disabled endpoint, which concerns no run. */
const EndpointDisabled = ofTenant(
  'endpoint.disabled',
  z
    .strictObject({
      endpoint_id: idOf('whe', 'ID of the endpoint'),
      url: text('Target URL'),
      reason: disabledReason(),
      failing_since: failingSince(),
    })
    .describe('An endpoint was disabled; sent to the other endpoints'),
)
const ScheduleDisabled = ofTenant(
  'schedule.disabled',
  z
    .strictObject({
      schedule_id: idOf('sch', 'ID of the schedule'),
      name: text('Name of the schedule'),
      reason: z
        .enum(['failing', 'source'])
        .describe(
          'Reason for the pause. `failing`: consecutive runs failed. `source`: the file that ' +
            'defines the schedule is missing or invalid; the schedule resumes when the file is ' +
            'correct',
        ),
      detail: textOrNull('Error from the last run, or from the file; `null` if there is none'),
      failures: z.int().describe('Number of consecutive failed runs'),
      last_run_id: idOrNull('run', 'ID of the last failed run', 'the run is not known'),
    })
    .describe(
      'A schedule was paused because of failures; no runs start until the schedule is ' + 'resumed',
    ),
)
const QuotaExceeded = ofTenant(
  'quota.exceeded',
  z
    .strictObject({
      tenant: text('ID of the tenant'),
      owner: z.enum(['tenant', 'key']).describe('Owner of the quota'),
      key_id: textOrNull('ID of the API key; `null` for a quota of the tenant'),
      quota: z.enum(TENANT_QUOTAS).describe('Name of the quota'),
      limit: z.number().describe('Limit of the quota'),
      used: z.number().describe('Amount used'),
      resets_at: timeOrNull('Time at which the count starts again', 'it never starts again'),
    })
    .describe('First refusal by a quota in its day or month, or in an hour if `resets_at` is null'),
)
const EndpointTest = ofTenant(
  'endpoint.test',
  z
    .strictObject({ endpoint_id: idOf('whe', 'ID of the endpoint') })
    .describe('A test event was requested'),
)

const SessionDataBase = z
  .strictObject({
    session_id: idOf('ses', 'ID of the session'),
    agent: textOrNull(
      'Agent for the next turn if the turn does not name one; `null` for `general`',
    ),
    title: textOrNull('Human-readable title; `null` for no title'),
    archived: z.boolean().describe('Whether the session is archived'),
    retention_seconds: z
      .int()
      .nullable()
      .describe(
        'Retention in seconds after the last activity; `null` if the session is kept until it ' +
          'is deleted',
      ),
    metadata: metadata('this session'),
  })
  .meta({ id: 'SessionDataBase', description: 'Members common to all session events' })

/** Creates the schema of a session change event, which contains no session content. */
const ofSession = <T extends WebhookType>(
  type: T,
  description: string,
  more: z.ZodRawShape = {},
) => ({
  type,
  event: ofTenant(
    type,
    SessionDataBase.extend(more).meta({ ...extending(SessionDataBase), description }),
  ),
})
const SESSION_EVENTS = [
  ofSession(
    'session.created',
    'A request created a session; if a run opens its own session, this event is not sent',
  ),
  ofSession('session.updated', 'A session was changed', {
    changed: z
      .array(z.enum(['title', 'agent', 'metadata', 'archived', 'retention_seconds']))
      .describe('Names of the changed members'),
  }),
  ofSession('session.forked', 'A session was forked', {
    forked_from: z
      .strictObject({
        session_id: idOf('ses', 'ID of the original session'),
        position: text('Position of the last message that was copied'),
      })
      .describe('Origin of the fork'),
  }),
  ofSession('session.deleted', 'A session was deleted, with its last state', {
    reason: z
      .enum(['requested', 'retention'])
      .describe(
        'Reason for the deletion. `requested`: a client deleted the session. `retention`: the ' +
          "session's retention expired",
      ),
  }),
]
const EndOutput = z
  .looseObject({
    text: z.string().describe('Complete text, unless `truncated` is present'),
    truncated: z
      .literal(true)
      .optional()
      .describe('Whether the text is truncated to its beginning; `href` returns the complete text'),
    structured: structured().optional(),
  })
  .describe('Final answer; present only with `run.completed` and `fanout.completed`')

/** Members of a webhook body about a run or a fan-out, in addition to those of the log event. */
const about = {
  session_id: idOrNull('ses', "ID of the run's session", 'the event belongs to a fan-out'),
  metadata: metadata('the run or fan-out'),
  usage: Usage.describe('Usage so far; at the end of a run, the total usage'),
  output: EndOutput.optional(),
  error: RunError.optional().describe(
    'Error that prevented completion; present only if the run or fan-out did not complete',
  ),
}

const decide_url = z
  .string()
  .nullable()
  .optional()
  .describe(
    'Link for a person to decide, valid until the approval expires at the latest. `null` ' +
      'if the link could not be created; the server log contains the reason. Absent if the ' +
      "policy's `approval_links` is null",
  )

const RunWebhookEventBase = EventBase.extend(about).meta({
  id: 'RunWebhookEventBase',
  ...extending(EventBase),
  description: 'Members common to all run events in a webhook',
})
const FanoutWebhookEventBase = FanoutEventBase.extend(about).meta({
  id: 'FanoutWebhookEventBase',
  ...extending(FanoutEventBase),
  description: 'Members common to all fan-out events in a webhook',
})

const WebhookBase = z
  .strictObject({ timestamp: time('Time of the event') })
  .meta({ id: 'WebhookBase', description: 'Members common to all webhook bodies' })

/** Creates the schema of a webhook body with this event type; `data` is the event's schema. */
const webhook = <T extends WebhookType, D extends z.ZodType>(type: T, data: D) =>
  WebhookBase.extend({
    type: z
      .literal(type)
      .describe(`Type of the event. Always \`${type}\`; \`data\` contains the same value`),
    data,
  }).meta({
    id: `${eventName(type)}Webhook`,
    ...extending(WebhookBase),
    description: `Body of a \`${type}\` webhook`,
    examples: WEBHOOK_BODIES[type],
  })

/** Creates the schema of an event whose data is omitted if the data is too large for a message. */
function orThin(complete: z.ZodType, base: z.ZodObject, type: WebhookType) {
  const href = z.string().describe('Path of the request that returns the complete event')
  const thin = base.extend({ type: eventType(type), href }).meta(extending(base))
  const most = LIMITS.webhook_body_bytes.toLocaleString('en')
  return z
    .union([complete, thin])
    .describe(
      `The event; if the event exceeds ${most} bytes, the data is omitted and \`href\` ` +
        'returns the complete event',
    )
}

function ofLog(type: LogType) {
  const [general, data] = isRunType(type)
    ? [RunWebhookEventBase, RUN_DATA[type]]
    : [FanoutWebhookEventBase, FANOUT_DATA[type]]
  const base = type === 'approval.requested' ? general.extend({ decide_url }) : general
  const complete = base.extend({ type: eventType(type), data }).meta(extending(base))
  return webhook(type, orThin(complete, base, type))
}

type LogType = Exclude<
  (typeof ENDPOINT_EVENTS)[number],
  `${'endpoint' | 'schedule' | 'session' | 'quota'}.${string}`
>
const isRunType = (type: string): type is keyof typeof RUN_DATA => type in RUN_DATA
const isOfLog = (type: string): type is LogType =>
  !/^(?:endpoint|schedule|session|quota)\./.test(type)

/** Schemas of all webhook bodies, by event type. */
export const WEBHOOKS = [
  ...ENDPOINT_EVENTS.filter(isOfLog).map(ofLog),
  webhook('endpoint.disabled', EndpointDisabled.describe('The event')),
  webhook('schedule.disabled', ScheduleDisabled.describe('The event')),
  webhook('quota.exceeded', QuotaExceeded.describe('The event')),
  ...SESSION_EVENTS.map(({ type, event }) => webhook(type, orThin(event, TenantEventBase, type))),
  webhook('endpoint.test', EndpointTest.describe('The event')),
] as const

/** Schema of every webhook body (Standard Webhooks 1.0). */
export const WebhookBody = z
  .discriminatedUnion('type', WEBHOOKS as unknown as [(typeof WEBHOOKS)[number]])
  .meta({
    id: 'WebhookBody',
    description: 'Body of any outgoing webhook (Standard Webhooks 1.0)',
    examples: ALL_WEBHOOK_BODIES,
  })
