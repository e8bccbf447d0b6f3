/** Members of a request for runs that routes and operations share, with their bounds. */

import * as z from 'zod'
import { LIMITS } from '../limits.ts'

const text = (max: number) => z.string().max(max)

const below = 'including everything below it; omitted: unlimited'
export const LimitsInput = z
  .strictObject({
    max_steps: z
      .int()
      .min(1)
      .max(LIMITS.steps_max)
      .optional()
      .describe(
        'Maximum number of model answers; then one more call without tools is made. Default: ' +
          `that of the agent, else ${LIMITS.steps_default}`,
      ),
    timeout_seconds: z
      .number()
      .positive()
      .max(LIMITS.run_timeout_seconds_max)
      .optional()
      .describe(
        'Running time in seconds, without waits for people. Default: that of the agent, else ' +
          `${LIMITS.run_timeout_seconds_default}`,
      ),
    model_patience_seconds: z
      .int()
      .min(0)
      .max(LIMITS.model_patience_seconds_max)
      .optional()
      .describe(
        'How long the run waits for an unavailable model, in seconds; 0: three attempts. The ' +
          'running time is paused meanwhile. Default: that of the agent, the policy, or the ' +
          `deployment, else ${LIMITS.model_patience_seconds_default}`,
      ),
    max_tokens: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe(`Input and output tokens, ${below}`),
    max_model_calls: z.int().min(1).max(1_000_000).optional().describe(`Model calls, ${below}`),
    max_cost_usd: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .describe(
        `US dollars according to the prices, ${below}. The call that exceeds it is the last ` +
          'one; a model without a price is refused (`price_unknown`)',
      ),
    max_children: z
      .int()
      .min(0)
      .max(LIMITS.children_per_run)
      .refine((count) => !Object.is(count, -0), 'Must not be minus zero')
      .optional()
      .describe(
        'Number of subagents that the run can start; 0: none. Default: ' +
          `${LIMITS.children_per_run}`,
      ),
  })
  .describe('Limits of the run; omitted limits have their defaults')

/** Events of a run's own webhook. */
export const WEBHOOK_EVENTS = [
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.timed_out',
  'approval.requested',
  'question.asked',
  'question.answered',
  'todos.updated',
  'subagent.spawned',
  'subagent.announced',
  'subagent.failed',
  'model.unavailable',
  'model.recovered',
] as const

/** Restrictions of a caller. */
export const toolLists = {
  tools: z
    .array(text(200))
    .max(200)
    .optional()
    .describe('Restricts the tools of the agent and of every run below it'),
  disallowed_tools: z
    .array(text(200))
    .max(200)
    .optional()
    .describe('For the run and every run below it; globs are allowed'),
}

export const ApprovalsShape = z.strictObject({
  expires_seconds: z
    .int()
    .min(1)
    .max(LIMITS.approval_seconds_max)
    .default(LIMITS.approval_seconds_default)
    .describe('Seconds until an approval expires'),
  on_expiry: z
    .enum(['deny', 'approve'])
    .default('deny')
    .describe('The outcome when the approval expires'),
  unattended: z
    .boolean()
    .default(false)
    .describe('No person is available: calls that require an approval are denied at once'),
})

/** Pairs of a caller. */
export const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= LIMITS.metadata_pairs, 'At most 16 pairs')
