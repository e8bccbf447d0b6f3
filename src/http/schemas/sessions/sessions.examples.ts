/** Examples of a session: the conversation about one support ticket. */

import { AGENT, at, METADATA, RUN, SESSION, USAGE } from '../shared/story.ts'

export const SESSION_INPUTS = [{ agent: AGENT, metadata: METADATA }]
export const SESSION_FORKS = [
  { position: '0.3', title: 'The other option' },
  { run_id: RUN, step: 0 },
]
export const SESSIONS = [
  {
    id: SESSION,
    object: 'session',
    kind: 'main',
    agent: AGENT,
    title: null,
    opening: 'Refund order 1042',
    archived: false,
    retention_seconds: null,
    forked_from: null,
    subject: null,
    current_run_id: RUN,
    waiting: 0,
    parent_session_id: null,
    created_by_run_id: null,
    created_at: at('09:12:04.180'),
    active_at: at('09:12:04.180'),
    metadata: METADATA,
    usage: USAGE,
    runs: 1,
    cost: USAGE.list_price,
  },
]
