/** Fan-outs: many tasks in one request, and what came of them. */

import * as z from 'zod'
import { TERMINAL_FANOUT_FACTS } from '../../core/fanout/facts.ts'
import { LIMITS } from '../../core/limits.ts'
import { cancelledChildren, RunError, said, time, Usage, webhookSecret } from './common.ts'
import { JoinInput } from './runs.ts'

const text = (max: number) => z.string().max(max)

const TaskInput = z.strictObject({
  task: said(),
  agent: text(200).optional().describe('Default: `general`'),
  label: text(200).optional(),
  context: z.string().optional(),
  role: text(64).optional().describe('Default: a `[role]` prefix of the label, then of the task'),
  repo_dir: text(512).optional().describe('A key prefix without leading slash, e.g. `repos/app`'),
})

const WEBHOOK_EVENTS = [
  'fanout.created',
  ...TERMINAL_FANOUT_FACTS,
  'subagent.spawned',
  'subagent.announced',
  'subagent.failed',
  'approval.requested',
] as const

export const FanoutInput = z
  .strictObject({
    tasks: z
      .array(TaskInput)
      .max(LIMITS.children_per_run)
      .describe('Each is a run of its own; without tasks the fan-out ends at once'),
    join: JoinInput.optional().describe('`deadline_seconds` counts from the creation'),
    then: z
      .strictObject({ agent: text(200).optional(), input: said() })
      .optional()
      .describe('A run that gets all results when they are there'),
    webhook: z
      .strictObject({
        url: z.string().max(2_048),
        secret: z
          .string()
          .max(200)
          .optional()
          .describe('`whsec_` and 24 to 64 bytes in base 64; omitted: generated and shown once'),
        events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(20).optional(),
      })
      .optional()
      .describe('`events` default: fanout.completed, fanout.failed, fanout.cancelled'),
    strict: z.boolean().optional().describe('Warnings refuse'),
    on_duplicate: z.enum(['shadow', 'reject']).optional(),
  })
  .meta({ id: 'FanoutInput' })

const STATUS = ['queued', 'live', 'completed', 'failed', 'cancelled', 'timed_out'] as const

export const TaskCounts = z.strictObject({
  total: z.int(),
  queued: z.int().describe('Not created yet: they wait for a place'),
  live: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int().describe('Those too that had not begun when it was over, and never will'),
  timed_out: z.int(),
})

export const Fanout = z
  .strictObject({
    id: z.string(),
    object: z.literal('fanout'),
    status: z.enum(['running', 'completed', 'failed', 'cancelled']),
    join: JoinInput,
    children: TaskCounts,
    closing_run_id: z.string().nullable(),
    output: z
      .strictObject({ text: z.string(), structured: z.unknown() })
      .nullable()
      .describe('What the closing run said'),
    error: RunError.nullable(),
    usage: Usage,
    created_at: time(),
    ended_at: time().nullable(),
  })
  .meta({ id: 'Fanout' })

export const TaskResult = z
  .strictObject({
    index: z.int(),
    run_id: z.string().nullable().describe('Null until it was created'),
    agent: z.string(),
    label: z.string().nullable(),
    task: z.string().describe('How it begins'),
    status: z.enum(STATUS),
    late: z.boolean().describe('It ended after the fan-out: what it said stands in its run alone'),
    result: z.string().nullable(),
    structured: z.unknown(),
    error: RunError.nullable(),
    usage: Usage.nullable(),
    duration_ms: z.number().nullable(),
    truncated: z.boolean().describe('The run has the whole result'),
  })
  .meta({ id: 'TaskResult' })

export const FanoutWithResults = Fanout.extend({
  results: z.array(TaskResult).describe('In the order of the tasks'),
}).meta({ id: 'FanoutWithResults' })

export const CreatedFanout = Fanout.extend({
  webhook_secret: webhookSecret(),
}).meta({ id: 'CreatedFanout' })

export const CancelledFanout = Fanout.extend({
  cancelled_children: cancelledChildren(),
}).meta({ id: 'CancelledFanout' })
