/** Approvals: what people are asked, and what they answer. DESIGN section 7. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { time } from './common.ts'

export const PathNode = z.strictObject({
  run_id: z.string(),
  agent: z.string(),
  label: z.string().nullable(),
})

export const ApprovalsInput = z
  .strictObject({
    expires_seconds: z
      .int()
      .min(1)
      .max(LIMITS.approval_seconds_max)
      .default(LIMITS.approval_seconds_default),
    on_expiry: z.enum(['deny', 'approve']).default('deny'),
    unattended: z
      .boolean()
      .default(false)
      .describe('Nobody can be asked: what would ask a person is denied at once'),
  })
  .meta({ id: 'ApprovalSettings' })

export const Approval = z
  .strictObject({
    id: z.string(),
    object: z.literal('approval'),
    status: z
      .enum(['pending', 'approved', 'denied', 'expired', 'closed'])
      .describe('`closed`: the run ended before anybody decided'),
    run_id: z.string(),
    root_run_id: z.string(),
    path: z.array(PathNode).describe('From the root to the run that asks'),
    call: z.string(),
    tool: z.string(),
    arguments: z.string().describe('JSON text as the model wrote it; lists may shorten it'),
    args_hash: z.string().describe('SHA-256 of the arguments'),
    hidden: z
      .string()
      .optional()
      .describe('What nobody would see in the arguments, which show it as escapes of JSON'),
    reason: z.string().describe('Whose rule asks'),
    requested_at: time(),
    expires_at: time(),
    decision: z
      .strictObject({
        decision: z.enum(['approve', 'deny', 'expired']),
        by: z.string().nullable().describe('The id of the API key; null: time decided'),
        reason: z.string().nullable(),
        arguments: z.string().nullable().describe('What was approved instead'),
        decided_at: time(),
      })
      .nullable(),
  })
  .meta({ id: 'Approval' })

export const DecisionInput = z
  .strictObject({
    decision: z.enum(['approve', 'deny']).describe('One of these words; texts are not read'),
    reason: z.string().max(2_000).optional().describe('With `deny` the model is told'),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Approve with these instead; checked against the schema of the tool'),
    args_hash: z.string().optional().describe('As you were shown it: 409 when it is another'),
  })
  .meta({ id: 'DecisionInput' })
