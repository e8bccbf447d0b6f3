/** Approvals: the question to a person, and the answer. */

import * as z from 'zod'
import { ApprovalsShape } from '../../../core/run/request.ts'
import { APPROVALS, DECISIONS } from '../shared/examples.ts'
import {
  agentName,
  callId,
  idOf,
  kindIs,
  labelOrNull,
  sha256Of,
  text,
  textOrNull,
  time,
} from '../shared/words.ts'

const PathNode = z.strictObject({
  run_id: idOf('run', 'The run'),
  agent: agentName('Its agent'),
  label: labelOrNull(),
})
export const path = () => z.array(PathNode).describe('From the root to the run of the approval')

export const ApprovalsInput = ApprovalsShape.meta({
  id: 'ApprovalSettings',
  description: 'Settings of approvals: how long they stay open, and what happens after that',
})

export const askedBy = () =>
  text(
    'Name of the rule that requires approval: of the policy, an agent, a skill, or an MCP ' +
      'server',
  )
export const decidedBy = () =>
  textOrNull('ID of the API key that decided; null: the approval expired')
export const decisions = () =>
  z
    .enum(['approve', 'deny', 'expired'])
    .describe('`expired`: the time was over, and `on_expiry` applies')

export const Approval = z
  .strictObject({
    id: text('ID of the approval: `apr_` and 52 characters'),
    object: kindIs('approval'),
    status: z
      .enum(['pending', 'approved', 'denied', 'expired', 'closed'])
      .describe('`closed`: the run ended before a decision'),
    run_id: idOf('run', 'The run whose call waits'),
    root_run_id: idOf('run', 'The root of its tree'),
    path: path(),
    call: callId('The tool call that waits'),
    tool: text('The tool as the model sees it, such as `mcp__helpdesk__refund`'),
    arguments: text('JSON text as the model wrote it; lists can truncate it'),
    args_hash: sha256Of('the arguments'),
    hidden: z
      .string()
      .optional()
      .describe('Invisible characters found in the arguments, where they appear as JSON escapes'),
    reason: askedBy(),
    requested_at: time('Time of the request'),
    expires_at: time('Deadline of the decision'),
    decision: z
      .strictObject({
        decision: decisions(),
        by: decidedBy(),
        reason: textOrNull('The given reason; null: none'),
        arguments: textOrNull('JSON text that was approved instead; null: the original arguments'),
        decided_at: time('Time of the decision'),
      })
      .nullable()
      .describe('The decision; null: none yet, or the run ended before'),
  })
  .meta({
    id: 'Approval',
    description: 'A tool call that waits or waited for a person',
    examples: APPROVALS,
  })

export const DecisionInput = z
  .strictObject({
    decision: z
      .enum(['approve', 'deny'])
      .describe('One of these values; no other text is accepted'),
    reason: z.string().max(2_000).optional().describe('With `deny`, the model reads it'),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Approve with these arguments instead; validated against the schema of the tool'),
    args_hash: z
      .string()
      .optional()
      .describe('The `args_hash` of the arguments that you decide on; 409 when they have changed'),
  })
  .meta({ id: 'DecisionInput', description: 'Decision of a person', examples: DECISIONS })
