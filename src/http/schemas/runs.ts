/** Runs: what is asked for and what is shown. DESIGN section 9. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { ApprovalsInput } from './approvals.ts'
import {
  cancelledChildren,
  RunError,
  said,
  time,
  Usage,
  Warning,
  warnings,
  webhookSecret,
} from './common.ts'

const text = (max: number) => z.string().max(max)

const InputMessage = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: said(),
})

export const JoinInput = z
  .strictObject({
    policy: z
      .union([z.enum(['all', 'any']), z.strictObject({ quorum: z.int().min(1).max(1_000) })], {
        error: 'The policy is "all", "any" or {quorum} from 1 to 1,000.',
      })
      .default('all'),
    deadline_seconds: z
      .number()
      .positive()
      .max(LIMITS.run_timeout_seconds_max)
      .nullable()
      .default(null)
      .describe('Wall time from the beginning of the barrier; null: what remains of the run'),
    on_child_failure: z.enum(['continue', 'fail']).default('continue'),
    cancel_rest: z.boolean().default(true),
  })
  .meta({ id: 'Join' })

export const LimitsInput = z.strictObject({
  max_steps: z.int().min(1).max(LIMITS.steps_max).optional(),
  timeout_seconds: z.number().positive().max(LIMITS.run_timeout_seconds_max).optional(),
  max_tokens: z.int().min(1).max(1_000_000_000).optional().describe('With all below it'),
  max_model_calls: z.int().min(1).max(1_000_000).optional().describe('With all below it'),
  max_children: z
    .int()
    .min(0)
    .max(LIMITS.children_per_run)
    .refine((count) => !Object.is(count, -0), 'Must not be minus zero')
    .optional(),
})

const WEBHOOK_EVENTS = [
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.timed_out',
  'approval.requested',
  'subagent.spawned',
  'subagent.announced',
  'subagent.failed',
] as const

export const WebhookInput = z.strictObject({
  url: z.string().max(2_048),
  secret: z
    .string()
    .max(200)
    .optional()
    .describe('`whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once'),
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(20).optional(),
})

/** Which layers a run or a question names. */
export const selectionShape = {
  role: text(64).optional().describe('The role layer `roles/<role>/`'),
  repo_dir: text(512).optional().describe('A key prefix without leading slash, e.g. `repos/app`'),
  base_dir: text(512).optional().describe('Replaces `base/`'),
  mcp_config_path: text(512).optional().describe('The only source of MCP servers'),
  mcp_servers: z.record(z.string(), z.unknown()).optional().describe('The same, inline'),
  strict: z.boolean().optional().describe('Warnings refuse'),
  on_duplicate: z.enum(['shadow', 'reject']).optional(),
}

/** Restrictions of a caller. */
export const toolLists = {
  tools: z
    .array(text(200))
    .max(200)
    .optional()
    .describe('Intersects what the agent has, and what every run below it has'),
  disallowed_tools: z
    .array(text(200))
    .max(200)
    .optional()
    .describe('For the run and every run below it; globs are allowed'),
}

/** What is asked of the one run that comes of a request or of a task. */
export const runShape = {
  model: text(200).optional().describe('An alias or `provider/model`'),
  output_schema: z
    .record(z.string(), z.unknown())
    .refine((schema) => JSON.stringify(schema).length <= 16_384, 'At most 16 KiB')
    .optional()
    .describe('JSON Schema of the answer: it is asked for twice, then `schema_error` says why'),
  output_schema_required: z
    .boolean()
    .optional()
    .describe(
      'With `output_schema`: when the answer does not fit it, also when it was asked for again, ' +
        'the run ends as `failed` with the code `schema_unmet`',
    ),
  metadata: z
    .record(z.string().max(64), z.string().max(512))
    .refine((pairs) => Object.keys(pairs).length <= LIMITS.metadata_pairs, 'At most 16 pairs')
    .optional(),
}

export const RunInput = z
  .strictObject({
    input: z.union([said(), z.array(InputMessage).min(1).max(1_000)], {
      error:
        'The input is a text that is not empty, or a list of 1 to 1,000 messages {role, content}.',
    }),
    agent: text(200).optional().describe('Default: `general`'),
    label: text(200).optional(),
    context: z.string().optional().describe('Stands before an input that is one text'),
    session_id: z.string().max(64).optional().describe('Goes on where that session has come to'),
    on_busy: z
      .enum(['enqueue', 'reject', 'interrupt'])
      .optional()
      .describe('When the session has a run: wait for the turn, 409, or cancel that run'),
    ...selectionShape,
    model: runShape.model,
    ...toolLists,
    join: JoinInput.optional(),
    limits: LimitsInput.optional(),
    webhook: WebhookInput.optional(),
    output_schema: runShape.output_schema,
    output_schema_required: runShape.output_schema_required,
    approvals: ApprovalsInput.optional().describe('Counts for everything below the run too'),
    metadata: runShape.metadata,
  })
  .meta({ id: 'RunInput' })
export type RunInput = z.output<typeof RunInput>

const STATUSES = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
] as const
export const RunStatus = z.enum(STATUSES)

export const ChildCounts = z.strictObject({
  total: z.int(),
  live: z.int().describe('Those that have not told their end'),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  timed_out: z.int(),
  dropped: z
    .int()
    .optional()
    .describe('Completed after the run had ended, and its session was gone: nobody has the result'),
})

export const Run = z
  .strictObject({
    id: z.string(),
    object: z.literal('run'),
    kind: z.enum(['main', 'subagent', 'schedule', 'hook']),
    status: RunStatus,
    waiting_on: z.enum(['subagents', 'approval', 'input', 'session', 'retry']).nullable(),
    stop_reason: z
      .string()
      .nullable()
      .describe(
        'end_turn; max_tokens: the last answer was cut off; max_steps, budget, refusal, error, ' +
          'denied, cancelled, timeout',
      ),
    agent: z.string(),
    model: z.string().nullable().describe('Null before the run has started'),
    input: z.string().describe('How the last message of its input begins: 500 characters'),
    label: z.string().nullable(),
    role: z.string().nullable(),
    repo_dir: z.string().nullable(),
    session_id: z.string(),
    parent_run_id: z.string().nullable(),
    fanout_id: z.string().optional().describe('The fan-out that started it, if one did'),
    root_run_id: z.string(),
    requester_session_id: z.string().nullable(),
    depth: z.int(),
    lane: z.enum(['main', 'subagent', 'background']),
    config_digest: z.string().nullable().describe('Null before the run has started'),
    created_at: time(),
    started_at: time().nullable(),
    ended_at: time().nullable(),
    output: z
      .strictObject({
        text: z.string(),
        structured: z.unknown(),
        attachments: z.array(z.string()),
        schema_error: z.string().optional().describe('Why the answer is no data'),
      })
      .nullable()
      .describe('In lists the text may be shortened'),
    partial: z
      .string()
      .optional()
      .describe('What it had said last, when it ended without an output; in lists shortened'),
    error: RunError.nullable(),
    steps: z.int().describe('Answers of the model so far'),
    cost: z
      .number()
      .nullable()
      .describe("By the policy's prices, with that of its subagents; null: no price is known"),
    usage: Usage.describe('Its own and that of its subagents that have ended'),
    children: ChildCounts,
    warnings: warnings(Warning, 'What the run has to do without; before the start: as it looked'),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Run' })

export const CreatedRun = Run.extend({
  webhook_secret: webhookSecret(),
}).meta({ id: 'CreatedRun' })

export const CancelledRun = Run.extend({
  cancelled_children: cancelledChildren(),
}).meta({ id: 'CancelledRun' })

export interface RunTreeNode {
  run: z.output<typeof Run>
  children: RunTreeNode[]
}
export const RunTree: z.ZodType<RunTreeNode> = z
  .strictObject({
    run: Run,
    get children() {
      return z.array(RunTree)
    },
  })
  .meta({ id: 'RunTree' })

const Part = z.strictObject({
  type: z.enum(['text', 'reasoning', 'call']),
  text: z.string().optional(),
  id: z.string().optional(),
  tool: z.string().optional(),
  arguments: z.string().optional().describe('JSON text as the model wrote it'),
})
export const TranscriptMessage = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    text: z.string().optional(),
    parts: z.array(Part).optional(),
    results: z
      .array(
        z.strictObject({
          call: z.string(),
          tool: z.string(),
          text: z.string(),
          is_error: z.boolean(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'TranscriptMessage' })

export const MessageInput = z.strictObject({ content: said() }).meta({
  id: 'MessageInput',
})
export const MessageSent = z.strictObject({ message_id: z.string(), run_id: z.string() })
