/**
 * Examples of fan-outs: one night's tickets in a single request, and a large archive page by page.
 */

import { AGENT, at, CLOSING, FANOUT, OPEN_FANOUT, TASKS } from '../shared/story.ts'

const [first, second] = TASKS

export const FANOUT_INPUTS = [
  {
    tasks: [
      { task: 'Ticket 7731: order 48213 arrived broken.', agent: AGENT, label: '7731' },
      { task: 'Ticket 7732: where is order 48219?', agent: AGENT, label: '7732' },
    ],
    label: 'Overnight tickets',
    limits: { max_tokens: 500_000 },
    join: { policy: 'all', deadline_seconds: 1_800 },
    then: { input: 'Write one line for each ticket: what it is about and how urgent it is.' },
    metadata: { shift: 'night' },
  },
  { open: true, label: 'Archive of 2025' },
]
export const PAGE_INPUTS = [
  { page: 0, tasks: [{ task: 'Ticket 1: the parcel was empty.', agent: AGENT }] },
]
export const SEAL_INPUTS = [{ pages: 1 }]

const none = { total: 0, queued: 0, live: 0, completed: 0, failed: 0, cancelled: 0, timed_out: 0 }

const created = {
  id: FANOUT,
  object: 'fanout',
  status: 'running',
  label: 'Overnight tickets',
  metadata: { shift: 'night' },
  limits: { max_tokens: 500_000, max_model_calls: null, max_cost_usd: null },
  budget: { max_tokens: { limit: 500_000, spent: 0, reserved: 0, left: 500_000 } },
  open: false,
  pages: null,
  parent_fanout_id: null,
  released_by: null,
  join: {
    policy: 'all',
    deadline_seconds: 1_800,
    on_child_failure: 'continue',
    cancel_rest: true,
  },
  children: { ...none, total: 2, queued: 2 },
  closing_run_id: null,
  output: null,
  error: null,
  usage: { input_tokens: 0, output_tokens: 0, model_calls: 0 },
  created_at: at('06:00:00.000'),
  ended_at: null,
} as const

const completed = {
  ...created,
  status: 'completed',
  released_by: 'joined',
  children: { ...none, total: 2, completed: 1, failed: 1 },
  closing_run_id: CLOSING,
  output: {
    text: '7731: broken on arrival, urgent. 7732: not sorted.',
    structured: null,
    attachments: [],
    attachments_left_out: 0,
  },
  usage: { input_tokens: 3_120, output_tokens: 240, model_calls: 3 },
  budget: { max_tokens: { limit: 500_000, spent: 3_360, reserved: 0, left: 496_640 } },
  ended_at: at('06:01:12.440'),
} as const

const task = {
  index: 0,
  run_id: first,
  agent: AGENT,
  label: '7731',
  metadata: {},
  task: 'Ticket 7731: order 48213 arrived broken.',
  status: 'completed',
  stop_reason: 'end_turn',
  late: false,
  result: 'Broken on arrival: a refund of 42.00 EUR is due.',
  structured: null,
  schema_error: null,
  attachments: [],
  attachments_left_out: 0,
  error: null,
  usage: { input_tokens: 1_410, output_tokens: 96, model_calls: 1 },
  duration_ms: 8_210,
  truncated: false,
} as const

export const TASK_RESULTS = [
  task,
  {
    ...task,
    index: 1,
    run_id: second,
    label: '7732',
    task: 'Ticket 7732: where is order 48219?',
    status: 'failed',
    result: null,
    error: { code: 'model_unavailable', message: 'HTTP 529: overloaded (22 attempts in 3600 s)' },
    usage: { input_tokens: 0, output_tokens: 0, model_calls: 0 },
    duration_ms: 61_004,
  },
]
export const FANOUTS = [completed]
export const FANOUTS_WITH_RESULTS = [{ ...completed, results: TASK_RESULTS }]
export const CREATED_FANOUTS = [{ ...created, webhook_secret: 'whsec_…' }]
export const CANCELLED_FANOUTS = [
  {
    ...created,
    status: 'cancelled',
    children: { ...none, total: 2, cancelled: 2 },
    ended_at: at('06:00:03.120'),
    cancelled_children: [{ run_id: first, status: 'cancelled' }],
  },
]
export const ADDED_PAGES = [
  { fanout_id: OPEN_FANOUT, page: 0, tasks: 1, pages: 1, total: 1, replayed: false },
]
