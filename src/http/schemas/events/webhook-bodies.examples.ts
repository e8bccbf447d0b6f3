/** Examples of webhook bodies sent to the support desk's endpoint, one for each event type. */

import { enveloped } from '../../../core/webhook/format.ts'
import { derivedId } from '../../../lib/id.ts'
import {
  AGENT,
  at,
  CALL,
  CHILD,
  CHILD_SESSION,
  ENDPOINT,
  FANOUT,
  LABEL,
  MESSAGE,
  METADATA,
  MODEL,
  RECEIVER,
  RUN,
  SCHEDULE,
  SESSION,
  SPAWN,
  USAGE,
} from '../shared/story.ts'
import { EVENTS, FANOUT_EVENTS } from './events.examples.ts'

const NO_USAGE = { input_tokens: 0, output_tokens: 0, model_calls: 0 }
const COUNTS = { total: 2, queued: 0, live: 0, completed: 1, failed: 1, cancelled: 0, timed_out: 0 }

/** Creates an example event as in a log, with the ID of the run or fan-out that owns the log. */
function ofLog(log: string, type: string, time: string, more: object) {
  const event = {
    id: derivedId('evt', log, type),
    type,
    run_id: log,
    seq: 14,
    created_at: at(time),
    session_id: log === RUN ? SESSION : null,
    metadata: log === RUN ? METADATA : { shift: 'night' },
    usage: USAGE,
  }
  return [{ type, timestamp: event.created_at, data: { ...event, ...more } }]
}
const dataOf = (type: string) =>
  [...EVENTS, ...FANOUT_EVENTS].find((event) => event.type === type)!.data as {
    readonly output?: object
  }
const run = (type: string, time: string, more: object) => ofLog(RUN, type, time, more)
const fanout = (type: string, time: string, more: object) => ofLog(FANOUT, type, time, more)

const unavailable = { code: 'model_unavailable', message: 'the provider is overloaded (HTTP 529)' }
const outage = { model: MODEL, step: 2, since: at('09:13:02.114') }
const failure = {
  code: 'model_unavailable',
  message: 'HTTP 529: overloaded (22 attempts in 3600 s)',
}
const late = { code: 'timeout', message: 'the run has used its 3600 seconds' }
const announce = {
  run_id: CHILD,
  agent: 'order-lookup',
  label: null,
  task: 'Find order 48213 and say when it was delivered.',
  status: 'completed',
  stop_reason: 'end_turn',
  steps: 1,
  result: 'Delivered on 20 November.',
  error: null,
  structured: null,
  duration_ms: 11_333,
  usage: { input_tokens: 1_120, output_tokens: 49, model_calls: 1 },
  truncated: false,
}
const failedChild = {
  ...announce,
  status: 'failed',
  stop_reason: 'error',
  result: null,
  error: failure,
}

function ofTenant(type: string, time: string, more: object) {
  const event = { id: derivedId('evt', ENDPOINT, type), type, run_id: null, seq: 0 }
  return [{ type, timestamp: at(time), data: { ...event, created_at: at(time), ...more } }]
}

function ofSession(type: string, time: string, seq: number, more: object = {}) {
  const state = { agent: AGENT, title: null, archived: false, retention_seconds: null }
  const data = { session_id: SESSION, ...state, metadata: METADATA, ...more }
  return ofTenant(type, time, { seq, data })
}

export const WEBHOOK_BODIES = {
  'run.completed': run('run.completed', '09:14:51.902', {
    output: dataOf('run.completed').output,
    data: dataOf('run.completed'),
  }),
  'model.unavailable': run('model.unavailable', '09:13:03.871', {
    data: { ...outage, gives_up_at: at('10:13:02.114'), error: unavailable },
  }),
  'model.recovered': run('model.recovered', '09:14:40.220', {
    data: { ...outage, duration_ms: 98_106, attempts: 6 },
  }),
  'run.failed': run('run.failed', '09:14:51.902', {
    error: failure,
    data: { stop_reason: 'error', error: failure, step: 2 },
  }),
  'run.cancelled': run('run.cancelled', '09:12:10.006', {
    data: { stop_reason: 'cancelled', reason: 'The customer withdrew the ticket.' },
  }),
  'run.timed_out': run('run.timed_out', '10:12:04.310', {
    error: late,
    data: { stop_reason: 'timeout', error: late },
  }),
  'approval.requested': run('approval.requested', '09:12:21.300', {
    data: dataOf('approval.requested'),
  }),
  'question.asked': run('question.asked', '09:12:21.300', {
    data: {
      call: CALL,
      questions: [{ question: 'Refund to the card or as a voucher?' }],
      expires_at: at('13:12:21.300'),
      path: [{ run_id: RUN, agent: AGENT, label: LABEL }],
    },
  }),
  'question.answered': run('question.answered', '09:14:40.512', {
    data: { call: CALL, outcome: 'answered', message_id: MESSAGE },
  }),
  'todos.updated': run('todos.updated', '09:12:21.300', {
    data: { call: CALL, todos: [{ content: 'Check the order', status: 'in_progress' }] },
  }),
  'subagent.spawned': run('subagent.spawned', '09:12:09.020', { data: dataOf('subagent.spawned') }),
  'subagent.announced': run('subagent.announced', '09:12:20.460', {
    data: { call: SPAWN, announce },
  }),
  'subagent.failed': run('subagent.failed', '09:12:20.460', {
    data: { call: SPAWN, announce: failedChild },
  }),
  'fanout.created': fanout('fanout.created', '06:00:00.000', {
    usage: NO_USAGE,
    data: {
      id: FANOUT,
      tasks: 2,
      join: { policy: 'all', deadline_seconds: 1_800 },
      closing: null,
      strict: false,
      on_duplicate: 'shadow',
    },
  }),
  'fanout.completed': fanout('fanout.completed', '06:01:12.440', {
    output: dataOf('fanout.completed').output,
    data: dataOf('fanout.completed'),
  }),
  'fanout.failed': fanout('fanout.failed', '06:30:00.012', {
    error: failure,
    data: { children: COUNTS, usage: USAGE, error: failure },
  }),
  'fanout.cancelled': fanout('fanout.cancelled', '06:00:03.120', {
    data: { children: COUNTS, usage: USAGE, reason: null },
  }),
  'endpoint.disabled': ofTenant('endpoint.disabled', '11:40:00.000', {
    seq: 4,
    data: {
      endpoint_id: ENDPOINT,
      url: RECEIVER,
      reason: 'failing',
      failing_since: '2026-11-18T11:39:12Z',
    },
  }),
  'schedule.disabled': ofTenant('schedule.disabled', '06:00:41.000', {
    seq: 3,
    data: {
      schedule_id: SCHEDULE,
      name: 'digest',
      reason: 'failing',
      detail: 'model_rejected: The provider refuses this request.',
      failures: 10,
      last_run_id: RUN,
    },
  }),
  'quota.exceeded': ofTenant('quota.exceeded', '16:20:09.310', {
    data: {
      ...{ tenant: 'acme', owner: 'tenant', key_id: null },
      ...{ quota: 'tokens_per_day', limit: 1_000_000, used: 1_000_000 },
      resets_at: '2026-11-24T00:00:00.000Z',
    },
  }),
  'session.created': ofSession('session.created', '09:12:04.180', 1),
  'session.updated': ofSession('session.updated', '09:20:11.004', 6, {
    title: 'Refund of order 48213',
    archived: true,
    changed: ['title', 'archived'],
  }),
  'session.forked': ofSession('session.forked', '09:31:40.250', 1, {
    session_id: CHILD_SESSION,
    title: 'The other option',
    forked_from: { session_id: SESSION, position: '0.3' },
  }),
  'session.deleted': ofSession('session.deleted', '18:00:00.871', 7, { reason: 'requested' }),
  'endpoint.test': ofTenant('endpoint.test', '08:00:07.000', {
    test: true,
    data: { endpoint_id: ENDPOINT },
  }),
} as const
export type WebhookType = keyof typeof WEBHOOK_BODIES
export const ALL_WEBHOOK_BODIES = Object.values(WEBHOOK_BODIES).flat()

const { data } = WEBHOOK_BODIES['run.completed'][0]!
export const CLOUD_EVENTS = [enveloped(data, data, 'cloudevents')]
