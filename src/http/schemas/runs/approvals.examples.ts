/** Examples of approvals: a refund that waits for a person's approval and is then approved. */

import {
  AGENT,
  APPROVAL,
  at,
  CALL,
  digestOf,
  KEY,
  LABEL,
  OTHER_APPROVAL,
  RUN,
} from '../shared/story.ts'

const ARGUMENTS = '{"order":"48213","amount":42,"currency":"EUR"}'
const HASH = digestOf(ARGUMENTS)

const pending = {
  id: APPROVAL,
  object: 'approval',
  status: 'pending',
  run_id: RUN,
  root_run_id: RUN,
  path: [{ run_id: RUN, agent: AGENT, label: LABEL }],
  call: CALL,
  tool: 'mcp__helpdesk__refund',
  arguments: ARGUMENTS,
  args_hash: HASH,
  reason: "the tenant's policy",
  requested_at: at('09:12:21.300'),
  expires_at: at('13:12:21.300'),
  decision: null,
} as const

export const APPROVALS = [
  {
    ...pending,
    status: 'approved',
    decision: {
      decision: 'approve',
      by: KEY,
      reason: null,
      arguments: null,
      decided_at: at('09:14:40.512'),
    },
  },
]
export const DECISIONS = [
  { decision: 'approve', args_hash: HASH },
  { decision: 'deny', reason: 'Ask for a photo of the damage first.' },
]
export const BATCH_DECISIONS = [
  { ids: [APPROVAL, OTHER_APPROVAL], decision: 'approve', reason: 'Checked with the customer.' },
]
export const BATCH_OUTCOMES = [
  {
    data: [
      { id: APPROVAL, status: 'approved' },
      {
        id: OTHER_APPROVAL,
        status: 'denied',
        code: 'conflict',
        detail: 'The approval was already decided: deny.',
      },
    ],
  },
]
