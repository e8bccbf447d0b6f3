/** Examples of run requests and responses. */

import {
  AGENT,
  ANSWER,
  at,
  CALL,
  CHILD,
  CHILD_SESSION,
  digestOf,
  INPUT,
  LABEL,
  MESSAGE,
  METADATA,
  MODEL,
  NO_CHILDREN,
  RECEIVER,
  RUN,
  SESSION,
  SPAWN,
  USAGE,
} from '../shared/story.ts'

export const RUN_INPUTS = [
  { input: 'Say hello.' },
  {
    input: INPUT,
    agent: AGENT,
    label: LABEL,
    role: 'support',
    repo_dir: 'repos/shop',
    disallowed_tools: ['mcp__helpdesk__delete_*'],
    limits: { max_steps: 20, max_tokens: 200_000 },
    webhook: { url: RECEIVER, events: ['run.completed', 'run.failed', 'approval.requested'] },
    output_schema: {
      type: 'object',
      properties: { refund: { type: 'number' }, currency: { type: 'string' } },
      required: ['refund', 'currency'],
    },
    approvals: { expires_seconds: 14_400, on_expiry: 'deny' },
    metadata: METADATA,
  },
]

const created = {
  id: RUN,
  object: 'run',
  kind: 'main',
  status: 'queued',
  waiting_on: null,
  stop_reason: null,
  agent: AGENT,
  model: null,
  input: INPUT,
  label: LABEL,
  role: 'support',
  repo_dir: 'repos/shop',
  session_id: SESSION,
  parent_run_id: null,
  root_run_id: RUN,
  requester_session_id: null,
  depth: 0,
  lane: 'main',
  config_digest: null,
  created_at: at('09:12:04.180'),
  started_at: null,
  ended_at: null,
  output: null,
  error: null,
  steps: 0,
  cost: null,
  usage: { input_tokens: 0, output_tokens: 0, model_calls: 0 },
  children: NO_CHILDREN,
  metadata: METADATA,
} as const

const completed = {
  ...created,
  status: 'completed',
  stop_reason: 'end_turn',
  model: MODEL,
  config_digest: digestOf('config'),
  started_at: at('09:12:04.310'),
  ended_at: at('09:14:51.902'),
  output: {
    text: ANSWER,
    structured: { refund: 42, currency: 'EUR' },
    attachments: [
      {
        key: 'repos/shop/tickets/7731.md',
        media_type: 'text/markdown',
        bytes: 1_204,
        download: {
          path: '/v1/downloads?token=v1.Yl3u0bXzP8pKQm2d',
          expires_at: at('09:29:51.000'),
        },
      },
    ],
  },
  steps: 3,
  cost: USAGE.list_price,
  usage: USAGE,
  children: { ...NO_CHILDREN, total: 1, completed: 1 },
} as const

const lookup = {
  ...completed,
  id: CHILD,
  kind: 'subagent',
  agent: 'order-lookup',
  input: 'Find order 48213 and say when it was delivered.',
  label: null,
  session_id: CHILD_SESSION,
  parent_run_id: RUN,
  requester_session_id: SESSION,
  depth: 1,
  lane: 'subagent',
  created_at: at('09:12:09.020'),
  started_at: at('09:12:09.114'),
  ended_at: at('09:12:20.447'),
  output: { text: 'Delivered on 20 November.', structured: null, attachments: [] },
  steps: 1,
  cost: 0.0041,
  usage: { input_tokens: 1_120, output_tokens: 49, model_calls: 1, list_price: 0.0041 },
  children: NO_CHILDREN,
} as const

export const RUNS = [completed]
export const CREATED_RUNS = [{ ...created, webhook_secret: 'whsec_…' }]
export const CANCELLED_RUNS = [
  {
    ...created,
    status: 'cancelled',
    stop_reason: 'cancelled',
    ended_at: at('09:12:10.006'),
    cancelled_children: [{ run_id: CHILD, status: 'pending' }],
  },
]
export const RETRIED_RUNS = [{ ...created, status: 'running', retried: [RUN] }]
export const RUN_REQUESTS = [
  {
    run_id: RUN,
    object: 'run.input',
    request: {
      input: INPUT,
      agent: AGENT,
      label: LABEL,
      role: 'support',
      repo_dir: 'repos/shop',
      webhook: { url: RECEIVER },
      metadata: METADATA,
    },
    omitted: [{ pointer: '/webhook/secret', reason: 'secret' }],
  },
]
export const RUN_TREES = [{ run: completed, children: [{ run: lookup, children: [] }] }]

export const TRANSCRIPT = [
  { role: 'user', text: INPUT },
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'I look the order up and prepare the refund.' },
      {
        type: 'call',
        id: SPAWN,
        tool: 'sessions_spawn',
        arguments:
          '{"agent":"order-lookup","task":"Find order 48213 and say when it was delivered."}',
      },
      {
        type: 'call',
        id: CALL,
        tool: 'mcp__helpdesk__refund',
        arguments: '{"order":"48213","amount":42,"currency":"EUR"}',
      },
    ],
  },
  {
    role: 'tool',
    results: [
      {
        call: SPAWN,
        tool: 'sessions_spawn',
        text: JSON.stringify({ run_id: CHILD, session_id: CHILD_SESSION, lane: 'subagent' }),
        is_error: false,
      },
      { call: CALL, tool: 'mcp__helpdesk__refund', text: '{"status":"booked"}', is_error: false },
    ],
  },
  { role: 'assistant', parts: [{ type: 'text', text: ANSWER }] },
]

export const FUNCTION_RESULTS = [{ output: { sku: 'MUG-7', count: 12 } }]
export const MESSAGE_INPUTS = [{ content: 'The customer prefers a voucher after all.' }]
export const MESSAGES_SENT = [{ message_id: MESSAGE, run_id: RUN, answers: null }]

export const RUNS_CANCELLATION_INPUTS = [
  { agent: 'triage', status: ['queued', 'running'], reason: 'The agent has a faulty prompt.' },
]
export const RUNS_CANCELLATIONS = [
  { object: 'runs_cancellation', cancelled: 42, next_cursor: null, has_more: false },
]
