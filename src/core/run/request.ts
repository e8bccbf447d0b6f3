/** Run request members shared by routes and operations, with their bounds. */

import * as z from 'zod'
import { LIMITS } from '../limits.ts'

const text = (max: number) => z.string().max(max)

const below = 'including all descendants; unlimited if omitted'
export const LimitsInput = z
  .strictObject({
    max_steps: z
      .int()
      .min(1)
      .max(LIMITS.steps_max)
      .optional()
      .describe(
        'Maximum number of model responses; after that, the model is called once more without ' +
          `tools. Defaults to the agent's limit, otherwise ${LIMITS.steps_default}`,
      ),
    timeout_seconds: z
      .number()
      .positive()
      .max(LIMITS.run_timeout_seconds_max)
      .optional()
      .describe(
        "Maximum running time in seconds, excluding waits for people. Defaults to the agent's " +
          `limit, otherwise ${LIMITS.run_timeout_seconds_default}`,
      ),
    model_patience_seconds: z
      .int()
      .min(0)
      .max(LIMITS.model_patience_seconds_max)
      .optional()
      .describe(
        'Maximum time in seconds that the run waits for an unavailable model; 0 means three ' +
          "attempts. The running time is paused during the wait. Defaults to the agent's, the " +
          "policy's, or the deployment's setting, otherwise " +
          `${LIMITS.model_patience_seconds_default}`,
      ),
    max_tokens: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe(`Maximum number of input and output tokens, ${below}`),
    max_model_calls: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe(`Maximum number of model calls, ${below}`),
    max_cost_usd: z
      .number()
      .positive()
      .max(1_000_000)
      .optional()
      .describe(
        `Maximum cost in US dollars, ${below}. The call that exceeds the limit is the last ` +
          'one; models without a price are rejected (`price_unknown`)',
      ),
    max_children: z
      .int()
      .min(0)
      .max(LIMITS.children_per_run)
      .refine((count) => !Object.is(count, -0), 'The value must not be negative zero')
      .optional()
      .describe(
        'Maximum number of subagents that the run can start. Defaults to ' +
          `${LIMITS.children_per_run}`,
      ),
  })
  .describe('Run limits; omitted limits use default values')

/** Event types that a run's own webhook can receive. */
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

/** Request members that restrict the run's tools, set by the caller. */
export const toolLists = {
  tools: z
    .array(text(200))
    .max(200)
    .optional()
    .describe("Tools that the run and its descendants can use; restricts the agent's tools"),
  disallowed_tools: z
    .array(text(200))
    .max(200)
    .optional()
    .describe('Tools that the run and its descendants cannot use; globs are allowed'),
}

export const ApprovalsShape = z.strictObject({
  expires_seconds: z
    .int()
    .min(1)
    .max(LIMITS.approval_seconds_max)
    .default(LIMITS.approval_seconds_default)
    .describe('Number of seconds until an approval expires'),
  on_expiry: z
    .enum(['deny', 'approve'])
    .default('deny')
    .describe('Decision that applies when an approval expires'),
  unattended: z
    .boolean()
    .default(false)
    .describe('No person is available: calls that require an approval are denied at once'),
})

/** Metadata of a run: key–value pairs set by the caller. */
export const Metadata = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= LIMITS.metadata_pairs, 'At most 16 pairs')
