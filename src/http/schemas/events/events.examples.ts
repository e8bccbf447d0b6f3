/** Examples of events in the sample scenario, as recorded in its logs. */

import { derivedId } from '../../../lib/id.ts'
import {
  AGENT,
  ANSWER,
  APPROVAL,
  at,
  CALL,
  CHILD,
  CHILD_SESSION,
  CLOSING,
  digestOf,
  FANOUT,
  KEY,
  LABEL,
  MODEL,
  RUN,
  SPAWN,
  USAGE,
} from '../shared/story.ts'

const entry = (log: string, seq: number, type: string, time: string, data: object) => ({
  id: derivedId('evt', log, seq),
  type,
  run_id: log,
  seq,
  created_at: at(time),
  data,
})
const ARGUMENTS = '{"order":"48213","amount":42,"currency":"EUR"}'

export const EVENTS = [
  entry(RUN, 2, 'run.started', '09:12:04.310', {
    agent: AGENT,
    model: MODEL,
    window: 200_000,
    config_digest: digestOf('config'),
    max_steps: 20,
    timeout_seconds: 3_600,
    model_patience_seconds: 3_600,
  }),
  entry(RUN, 4, 'subagent.spawned', '09:12:09.020', {
    call: SPAWN,
    run_id: CHILD,
    session_id: CHILD_SESSION,
    agent: 'order-lookup',
    label: null,
    lane: 'subagent',
    task: 'Find order 48213 and say when it was delivered.',
  }),
  entry(RUN, 7, 'approval.requested', '09:12:21.300', {
    id: APPROVAL,
    call: CALL,
    tool: 'mcp__helpdesk__refund',
    arguments: ARGUMENTS,
    args_hash: digestOf(ARGUMENTS),
    reason: "the tenant's policy",
    expires_at: at('13:12:21.300'),
    path: [{ run_id: RUN, agent: AGENT, label: LABEL }],
  }),
  entry(RUN, 9, 'approval.decided', '09:14:40.512', {
    id: APPROVAL,
    call: CALL,
    decision: 'approve',
    by: KEY,
    reason: null,
  }),
  entry(RUN, 11, 'tool.result', '09:14:41.870', {
    call: CALL,
    tool: 'mcp__helpdesk__refund',
    status: 'ok',
    text: '{"status":"booked"}',
    duration_ms: 1_204,
    began_at: at('09:14:40.620'),
  }),
  entry(RUN, 14, 'run.completed', '09:14:51.902', {
    stop_reason: 'end_turn',
    output: { text: ANSWER, structured: { refund: 42, currency: 'EUR' }, attachments: [] },
  }),
]

export const FANOUT_EVENTS = [
  entry(FANOUT, 7, 'barrier.released', '06:01:01.220', {
    calls: ['0', '1'],
    missing: [],
    reason: 'joined',
  }),
  entry(FANOUT, 10, 'fanout.completed', '06:01:12.440', {
    children: {
      total: 2,
      queued: 0,
      live: 0,
      completed: 1,
      failed: 1,
      cancelled: 0,
      timed_out: 0,
    },
    usage: USAGE,
    output: {
      run_id: CLOSING,
      text: '7731: broken on arrival, urgent. 7732: not sorted.',
      structured: null,
    },
  }),
]
