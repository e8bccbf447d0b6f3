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
export const path = () => z.array(PathNode).describe('From the root to the run that asks')

export const ApprovalsInput = ApprovalsShape.meta({
  id: 'ApprovalSettings',
  description:
    'Settings of approvals: for how long people are asked, and what happens without them',
})

export const askedBy = () =>
  text('Origin of the rule that asks: the policy, an agent, a skill or an MCP server, by name')
export const decidedBy = () => textOrNull('The id of the API key that decided; null: time did')
export const decisions = () =>
  z
    .enum(['approve', 'deny', 'expired'])
    .describe('`expired`: time was over, and `on_expiry` counts')

export const Approval = z
  .strictObject({
    id: text('The approval: `apr_` and 52 characters'),
    object: kindIs('approval'),
    status: z
      .enum(['pending', 'approved', 'denied', 'expired', 'closed'])
      .describe('`closed`: the run ended before anybody decided'),
    run_id: idOf('run', 'The run that asks'),
    root_run_id: idOf('run', 'The topmost run of its tree'),
    path: path(),
    call: callId('The tool call that waits'),
    tool: text('The tool as the model sees it, e.g. `mcp__helpdesk__refund`'),
    arguments: text('JSON text as the model wrote it; lists may shorten it'),
    args_hash: sha256Of('the arguments'),
    hidden: z
      .string()
      .optional()
      .describe('Invisible characters found in the arguments, where they appear as JSON escapes'),
    reason: askedBy(),
    requested_at: time('When the run asked'),
    expires_at: time('Until when it can be decided'),
    decision: z
      .strictObject({
        decision: decisions(),
        by: decidedBy(),
        reason: textOrNull('The reason that was given; null: none'),
        arguments: textOrNull('JSON text that was approved instead; null: what was asked'),
        decided_at: time('When it was decided'),
      })
      .nullable()
      .describe('The decision; null: none yet, or the run ended before'),
  })
  .meta({
    id: 'Approval',
    description: 'A tool call that waits for a person, or waited',
    examples: APPROVALS,
  })

export const DecisionInput = z
  .strictObject({
    decision: z.enum(['approve', 'deny']).describe('One of these words; texts are not read'),
    reason: z.string().max(2_000).optional().describe('With `deny` it is shown to the model'),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Approve with these arguments instead; checked against the schema of the tool'),
    args_hash: z
      .string()
      .optional()
      .describe('The `args_hash` that you decide on: 409 when the arguments have changed'),
  })
  .meta({ id: 'DecisionInput', description: 'The decision of a person', examples: DECISIONS })
