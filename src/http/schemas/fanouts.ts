/** Fan-outs: many tasks in one request, and what came of them. */

import * as z from 'zod'
import { TERMINAL_FANOUT_FACTS } from '../../core/fanout/facts.ts'
import { LIMITS } from '../../core/limits.ts'
import { ApprovalsInput } from './approvals.ts'
import {
  cancelledChildren,
  RunError,
  said,
  TaskWarning,
  time,
  Usage,
  Warning,
  warnings,
  webhookSecret,
} from './common.ts'
import { Allotment } from './event-parts.ts'
import { JoinInput, LimitsInput, runShape, toolLists } from './runs.ts'

const text = (max: number) => z.string().max(max)

const TaskInput = z.strictObject({
  task: said(),
  agent: text(200).optional().describe('Default: `general`'),
  label: text(200).optional(),
  context: z.string().optional(),
  role: text(64).optional().describe('Default: a `[role]` prefix of the label, then of the task'),
  repo_dir: text(512).optional().describe('A key prefix without leading slash, e.g. `repos/app`'),
  tools: toolLists.tools,
  disallowed_tools: toolLists.disallowed_tools,
  ...runShape,
  timeout_seconds: LimitsInput.shape.timeout_seconds.describe('Running time of this task'),
})

const tasks = z.array(TaskInput).max(LIMITS.children_per_run)
const most = LIMITS.tasks_per_fanout.toLocaleString('en')

export const PageInput = z
  .strictObject({
    page: z
      .int()
      .min(0)
      .max(LIMITS.fanout_pages - 1)
      .refine((page) => !Object.is(page, -0), 'Must not be minus zero')
      .describe('Its number, from 0 on; the same page twice is one page, and any order will do'),
    tasks: tasks.min(1).describe('The first one has the index `page` times 1,000'),
  })
  .meta({ id: 'FanoutPageInput' })

export const SealInput = z
  .strictObject({
    pages: z
      .int()
      .min(0)
      .max(LIMITS.fanout_pages)
      .refine((pages) => !Object.is(pages, -0), 'Must not be minus zero')
      .describe('How many there are: all from 0 on must have come'),
  })
  .meta({ id: 'FanoutSealInput' })

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
    tasks: tasks
      .optional()
      .describe(
        'Each is a run of its own; with an empty list the fan-out ends at once. Needed unless it ' +
          'is open',
      ),
    open: z
      .boolean()
      .optional()
      .describe(
        `Tasks follow by pages (POST /v1/fanouts/{id}/tasks), up to ${most}, until it is sealed; ` +
          'it waits for all of them. Without a page for a day it fails',
      ),
    label: text(200).optional().describe('For people'),
    metadata: runShape.metadata,
    limits: z
      .strictObject({
        max_tokens: LimitsInput.shape.max_tokens.describe('Of all its runs together'),
        max_model_calls: LimitsInput.shape.max_model_calls.describe('Of all its runs together'),
      })
      .optional()
      .describe(
        'A budget over all its runs: each is given a share when it begins and returns what it ' +
          'does not spend; tasks for which nothing is left are not begun. The closing run gets ' +
          'what is left, and one call at least',
      ),
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
    approvals: ApprovalsInput.optional().describe('Counts for every run below the fan-out'),
    strict: z.boolean().optional().describe('Warnings refuse'),
    on_duplicate: z.enum(['shadow', 'reject']).optional(),
  })
  .meta({ id: 'FanoutInput' })

const handed = () => ({
  attachments: z.array(z.string()).describe('Keys of files that it hands over'),
  attachments_left_out: z.int().describe('How many more its run names'),
})

const STATUS = ['queued', 'live', 'completed', 'failed', 'cancelled', 'timed_out'] as const

export const TaskCounts = z.strictObject({
  total: z.int(),
  queued: z.int().describe('Not created yet: they wait for a place'),
  live: z
    .int()
    .describe('In lists those of a page that is under way count as live, whatever became of them'),
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
    label: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    limits: Allotment.describe('The budget of all its runs; null: none'),
    open: z.boolean().describe('More pages of tasks may come'),
    pages: z.int().nullable().describe('That have come; null: it was created with all its tasks'),
    parent_fanout_id: z
      .string()
      .nullable()
      .describe('The open fan-out whose page it is: pages are fan-outs, too'),
    released_by: z
      .enum(['joined', 'deadline', 'budget'])
      .nullable()
      .describe('Why it waits for no more tasks; null: it still does, or did not get so far'),
    join: JoinInput,
    children: TaskCounts,
    closing_run_id: z.string().nullable(),
    output: z
      .strictObject({ text: z.string(), structured: z.unknown(), ...handed() })
      .nullable()
      .describe('What the closing run said'),
    error: RunError.nullable(),
    usage: Usage,
    warnings: warnings(TaskWarning, 'What tasks have to do without, as it looked when they came'),
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
    metadata: z.record(z.string(), z.string()),
    task: z.string().describe('How it begins'),
    status: z.enum(STATUS),
    late: z.boolean().describe('It ended after the fan-out: what it said stands in its run alone'),
    result: z.string().nullable(),
    structured: z.unknown(),
    schema_error: z.string().nullable().describe('Why the answer does not fit the schema'),
    ...handed(),
    error: RunError.nullable(),
    usage: Usage.nullable(),
    duration_ms: z.number().nullable(),
    warnings: warnings(Warning, 'What its run had to do without'),
    truncated: z.boolean().describe('The run has the whole result'),
  })
  .meta({ id: 'TaskResult' })

export const FanoutWithResults = Fanout.extend({
  results: z
    .array(TaskResult)
    .describe('In the order of the tasks; of one that takes pages none: see …/tasks'),
}).meta({ id: 'FanoutWithResults' })

export const AddedPage = z
  .strictObject({
    fanout_id: z.string(),
    page: z.int(),
    tasks: z.int().describe('How many this page has'),
    pages: z.int().describe('How many pages have come'),
    total: z.int().describe('How many tasks have come'),
    replayed: z.boolean().describe('The same page had come before: nothing has changed'),
    warnings: warnings(TaskWarning, 'What its tasks have to do without, by their indices'),
  })
  .meta({ id: 'AddedFanoutPage' })

export const CreatedFanout = Fanout.extend({
  webhook_secret: webhookSecret(),
}).meta({ id: 'CreatedFanout' })

export const CancelledFanout = Fanout.extend({
  cancelled_children: cancelledChildren(),
}).meta({ id: 'CancelledFanout' })
