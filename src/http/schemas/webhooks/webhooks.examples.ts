/** Examples of webhooks: the support desk's endpoint and its deliveries. */

import { at, DELIVERY, ENDPOINT, RECEIVER, RUN } from '../shared/story.ts'

export const ENDPOINT_INPUTS = [
  { url: RECEIVER },
  { url: RECEIVER, events: ['run.*', 'approval.requested'], description: 'The desk' },
]
export const ENDPOINT_PATCHES = [{ enabled: true, description: null }]

const endpoint = {
  id: ENDPOINT,
  object: 'webhook_endpoint',
  url: RECEIVER,
  events: ['run.*', 'approval.requested'],
  description: 'The desk',
  format: 'standard',
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  open_until: null,
  created_at: at('08:00:00.000'),
} as const

export const ENDPOINTS = [endpoint]
export const ENDPOINTS_WITH_SECRET = [{ ...endpoint, secret: 'whsec_…' }]

const delivery = {
  id: DELIVERY,
  object: 'webhook_delivery',
  run_id: RUN,
  endpoint_id: ENDPOINT,
  seq: 14,
  event_type: 'run.completed',
  url: RECEIVER,
  format: 'standard',
  status: 'pending',
  attempts: 1,
  redrives: 0,
  next_at: at('09:14:57.310'),
  last_status: 503,
  last_error: 'the receiver answered 503',
  created_at: at('09:14:51.902'),
} as const

export const DELIVERIES = [delivery]
export const DELIVERIES_IN_FULL = [
  {
    ...delivery,
    history: [
      {
        at: at('09:14:52.204'),
        status: 503,
        error: 'the receiver answered 503',
        duration_ms: 118,
      },
    ],
    last_body: 'try again soon',
    payload: `{"type":"run.completed","timestamp":"${at('09:14:51.902')}","data":{}}`,
  },
]
export const REPLAY_INPUTS = [
  { from: at('00:00:00'), to: at('12:00:00'), endpoint_id: ENDPOINT },
  { status: ['failed'], event_type: 'run.completed', to: at('12:00:00'), dry_run: true },
]
export const REPLAYS = [
  {
    dry_run: false,
    replayed: [DELIVERY],
    in_progress: [],
    next_cursor: null,
    has_more: false,
  },
]
