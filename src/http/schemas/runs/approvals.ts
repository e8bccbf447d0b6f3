/**
 * Schemas of approvals: the question to an approver, and the approver's decision about one or
 * several approvals.
 */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { ApprovalsShape } from '../../../core/run/request.ts'
import { isId } from '../../../lib/id.ts'
import { APPROVALS, BATCH_DECISIONS, BATCH_OUTCOMES, DECISIONS } from '../shared/examples.ts'
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
  run_id: idOf('run', 'ID of the run'),
  agent: agentName("The run's agent"),
  label: labelOrNull(),
})
export const path = () =>
  z.array(PathNode).describe('Runs on the path from the root to the run that requests the approval')

export const ApprovalsInput = ApprovalsShape.meta({
  id: 'ApprovalSettings',
  description: 'Approval settings: how long approvals stay open, and what happens on expiry',
})

export const askedBy = () =>
  text(
    'Origin of the rule that requires the approval: the policy, an agent, a skill, or an ' +
      'MCP server, by name',
  )
export const decidedBy = () =>
  textOrNull('ID of the API key that made the decision; `null` if the approval expired')
export const decisions = () =>
  z
    .enum(['approve', 'deny', 'expired'])
    .describe(
      'Decision on the call; `expired` means that no decision was made in time and ' +
        '`on_expiry` applies',
    )

const APPROVAL_ID = 'ID of the approval: `apr_` followed by 52 characters'
const ApprovalStatus = z.enum(['pending', 'approved', 'denied', 'expired', 'closed'])

export const Approval = z
  .strictObject({
    id: text(APPROVAL_ID),
    object: kindIs('approval'),
    status: ApprovalStatus.describe(
      'Status of the approval; `closed` means that the run ended before a decision',
    ),
    run_id: idOf('run', 'ID of the run whose call is waiting'),
    root_run_id: idOf('run', 'ID of the root run of the tree'),
    path: path(),
    call: callId('ID of the tool call that is waiting'),
    tool: text('Name of the tool, as shown to the model, such as `mcp__helpdesk__refund`'),
    arguments: text('Arguments as JSON text, as the model wrote them; may be truncated in lists'),
    args_hash: sha256Of('the arguments'),
    hidden: z
      .string()
      .optional()
      .describe(
        'Invisible characters found in the arguments, where these characters appear as JSON ' +
          'escapes',
      ),
    reason: askedBy(),
    requested_at: time('Time at which the approval was requested'),
    expires_at: time('Deadline for the decision'),
    decision: z
      .strictObject({
        decision: decisions(),
        by: decidedBy(),
        reason: textOrNull('Stated reason; `null` if none was stated'),
        arguments: textOrNull(
          'Replacement arguments that were approved, as JSON text; `null` if the original ' +
            'arguments apply',
        ),
        decided_at: time('Time at which the decision was made'),
      })
      .nullable()
      .describe(
        'Decision on the approval; `null` if there is no decision yet or the run ended first',
      ),
  })
  .meta({
    id: 'Approval',
    description: "A tool call that requires or required a person's decision",
    examples: APPROVALS,
  })

export const DecisionInput = z
  .strictObject({
    decision: z
      .enum(['approve', 'deny'])
      .describe('Decision, as one of these values; no other text is accepted'),
    reason: z
      .string()
      .max(2_000)
      .optional()
      .describe('Reason for the decision, which the model reads for `deny`'),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        "Arguments to approve in place of the original ones; validated against the tool's " +
          'schema',
      ),
    args_hash: z
      .string()
      .optional()
      .describe(
        '`args_hash` of the arguments that the decision applies to; returns 409 if the ' +
          'arguments have changed',
      ),
  })
  .meta({
    id: 'DecisionInput',
    description: "A person's decision on an approval",
    examples: DECISIONS,
  })

/** IDs of a batch: distinct, so that each has exactly one entry in the response. */
const batchIds = () =>
  z
    .array(
      z.string().refine((id) => isId('apr', id), {
        error: 'Must be an ID: `apr_` followed by 52 characters',
      }),
    )
    .min(1)
    .max(LIMITS.approvals_per_decision)
    .superRefine((ids, context) => {
      for (const [index, id] of ids.entries()) {
        if (ids.indexOf(id) === index) continue
        const message = 'The ID is already in the list.'
        context.addIssue({ code: 'custom', path: [index], message })
      }
    })
    .meta({ uniqueItems: true })
    .describe(
      'IDs of the approvals to decide, each once: at most ' +
        `${LIMITS.approvals_per_decision}, the limit \`approvals_per_decision\``,
    )

export const BatchDecisionInput = DecisionInput.pick({ decision: true, reason: true })
  .extend({ ids: batchIds() })
  .meta({
    id: 'BatchDecisionInput',
    description: "A person's decision on several approvals",
    examples: BATCH_DECISIONS,
  })

const ApprovalOutcome = z
  .strictObject({
    id: text(APPROVAL_ID),
    status: ApprovalStatus.nullable().describe(
      'Status of the approval after the request; `null` if the approval was not found',
    ),
    code: z
      .enum(['not_found', 'conflict', 'gone'])
      .optional()
      .describe(
        'Code of the problem that a request for this approval alone would get; absent if the ' +
          'approval has the requested decision',
      ),
    detail: text(
      'Human-readable explanation of the problem; absent if there is none. The wording may change',
    ).optional(),
  })
  .meta({ id: 'ApprovalOutcome', description: 'The result for one approval of a batch' })

export const BatchOutcome = z
  .strictObject({
    data: z
      .array(ApprovalOutcome)
      .describe('Results, one for each requested ID, in the order of the request'),
  })
  .meta({
    id: 'BatchOutcome',
    description: 'The results of a decision on several approvals',
    examples: BATCH_OUTCOMES,
  })
