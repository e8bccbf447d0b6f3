/** Fan-outs: many tasks in one request, and what came of them. */

import * as z from 'zod'
import { TERMINAL_FANOUT_FACTS } from '../../core/fanout/facts.ts'
import { LIMITS } from '../../core/limits.ts'
import {
  ADDED_PAGES,
  CANCELLED_FANOUTS,
  CREATED_FANOUTS,
  FANOUT_INPUTS,
  FANOUTS,
  FANOUTS_WITH_RESULTS,
  PAGE_INPUTS,
  SEAL_INPUTS,
  TASK_RESULTS,
} from '../examples/fanouts.ts'
import {
  cancelledChildren,
  RunError,
  said,
  TaskWarning,
  Usage,
  Warning,
  warnings,
  webhookSecret,
} from './common.ts'
import { Allotment } from './event-parts.ts'
import { taskCounts } from './fanout-events.ts'
import {
  agent,
  approvals,
  JoinInput,
  LimitsInput,
  label,
  onDuplicate,
  runShape,
  strict,
  toolLists,
  webhookShape,
} from './run-input.ts'
import { structured } from './runs.ts'
import {
  agentName,
  count,
  countOrNull,
  idOf,
  idOrNull,
  kindIs,
  labelOrNull,
  metadata,
  text as shown,
  textOrNull,
  time,
  timeOrNull,
} from './words.ts'

const text = (max: number) => z.string().max(max)

const TaskInput = z.strictObject({
  task: said().describe('The task for the agent; must not be blank'),
  agent: agent(),
  label: label(),
  context: z.string().optional().describe('Background that precedes the task; tasks may share one'),
  role: text(64).optional().describe('Default: a `[role]` prefix of the label, then of the task'),
  repo_dir: text(512).optional().describe('A key prefix without leading slash, e.g. `repos/app`'),
  tools: toolLists.tools,
  disallowed_tools: toolLists.disallowed_tools,
  ...runShape,
  timeout_seconds: LimitsInput.shape.timeout_seconds.describe(
    `Running time of this task in seconds. Default: what the agent says, else ` +
      `${LIMITS.run_timeout_seconds_default}`,
  ),
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
  .meta({
    id: 'FanoutPageInput',
    description: 'Some of the tasks of an open fan-out',
    examples: PAGE_INPUTS,
  })

export const SealInput = z
  .strictObject({
    pages: z
      .int()
      .min(0)
      .max(LIMITS.fanout_pages)
      .refine((pages) => !Object.is(pages, -0), 'Must not be minus zero')
      .describe('Total number of pages; pages 0 to `pages` - 1 must have arrived'),
  })
  .meta({
    id: 'FanoutSealInput',
    description: 'The end of the list of pages',
    examples: SEAL_INPUTS,
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
    label: label(),
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
      .strictObject({
        agent: agent(),
        input: said().describe(
          'The task of the closing run; the results follow as a second message',
        ),
      })
      .optional()
      .describe('A run that gets all results when they are there'),
    webhook: z
      .strictObject({
        ...webhookShape,
        events: z
          .array(z.enum(WEBHOOK_EVENTS))
          .min(1)
          .max(20)
          .optional()
          .describe(
            'Event types to send; default: fanout.completed, fanout.failed, fanout.cancelled',
          ),
      })
      .optional()
      .describe("Webhook for this fan-out, in addition to the tenant's endpoints"),
    approvals: approvals('the fan-out'),
    strict: strict(),
    on_duplicate: onDuplicate(),
  })
  .meta({ id: 'FanoutInput', description: 'A fan-out to be created', examples: FANOUT_INPUTS })

const handed = () => ({
  attachments: z.array(z.string()).describe('Keys of files attached to the output'),
  attachments_left_out: z.int().describe('Number of further keys, which only its run lists'),
})

const STATUS = ['queued', 'live', 'completed', 'failed', 'cancelled', 'timed_out'] as const

export const TaskCounts = z.strictObject(taskCounts)

export const Fanout = z
  .strictObject({
    id: idOf('fan', 'The fan-out'),
    object: kindIs('fanout'),
    status: z
      .enum(['running', 'completed', 'failed', 'cancelled'])
      .describe(
        'All but `running` are ends. `completed`: its tasks were waited for, however they ended',
      ),
    label: labelOrNull(),
    metadata: metadata('this fan-out'),
    limits: Allotment.describe('The budget of all its runs together'),
    open: z.boolean().describe('More pages of tasks may come'),
    pages: countOrNull('Pages that have come; null: it was created with all its tasks'),
    parent_fanout_id: z
      .string()
      .nullable()
      .describe('The open fan-out whose page it is: pages are fan-outs, too'),
    released_by: z
      .enum(['joined', 'deadline', 'budget'])
      .nullable()
      .describe('Why it waits for no more tasks; null: it still does, or did not get so far'),
    join: JoinInput,
    children: TaskCounts.describe('Where its tasks stand'),
    closing_run_id: idOrNull('run', 'The run that gets all results', 'it was not created'),
    output: z
      .strictObject({ text: shown('Its last answer'), structured: structured(), ...handed() })
      .nullable()
      .describe('Result of the closing run; null: not finished, or there is none'),
    error: RunError.nullable().describe('Why it failed; null: it did not'),
    usage: Usage.describe('Of all its runs that have told their end'),
    warnings: warnings(
      TaskWarning,
      'Problems that tasks run with, as found when they were accepted',
    ),
    created_at: time('When it was accepted'),
    ended_at: timeOrNull('When it ended', 'not yet'),
  })
  .meta({ id: 'Fanout', description: 'Many tasks, each a run of its own', examples: FANOUTS })

export const TaskResult = z
  .strictObject({
    index: count('Its place among all tasks, from 0'),
    run_id: idOrNull('run', 'Its run', 'it was not created'),
    agent: agentName(),
    label: labelOrNull(),
    metadata: metadata('this task'),
    task: z.string().describe('The first 200 characters of the task'),
    status: z
      .enum(STATUS)
      .describe('`queued`: it waits for a place. The last four are ends and never change'),
    late: z.boolean().describe('It ended after the fan-out: its result is only in its run'),
    result: textOrNull('Its last answer, perhaps shortened; null: it did not complete'),
    structured: structured(),
    schema_error: z
      .string()
      .nullable()
      .describe('Why the answer does not fit the schema; null: it does'),
    ...handed(),
    error: RunError.nullable().describe('Why it did not complete; null: nothing went wrong'),
    usage: Usage.nullable().describe(
      'Of its run with all below; null: it has not ended, or never started',
    ),
    duration_ms: z
      .number()
      .nullable()
      .describe('Milliseconds from its start to its end; null: it has not ended, or never started'),
    warnings: warnings(Warning, 'Problems that its run had to cope with'),
    truncated: z.boolean().describe('The run has the whole result'),
  })
  .meta({ id: 'TaskResult', description: 'A task and its result', examples: TASK_RESULTS })

export const FanoutWithResults = Fanout.extend({
  results: z
    .array(TaskResult)
    .describe('In the order of the tasks; of one that takes pages none: see …/tasks'),
}).meta({
  id: 'FanoutWithResults',
  description: 'A fan-out with the results so far',
  examples: FANOUTS_WITH_RESULTS,
})

export const AddedPage = z
  .strictObject({
    fanout_id: idOf('fan', 'The fan-out'),
    page: count('The number of the page, from 0'),
    tasks: z.int().describe('Number of tasks in this page'),
    pages: z.int().describe('Number of pages received so far'),
    total: z.int().describe('Number of tasks received so far'),
    replayed: z.boolean().describe('The same page had come before: nothing has changed'),
    warnings: warnings(TaskWarning, 'Problems that its tasks run with, by task index'),
  })
  .meta({
    id: 'AddedFanoutPage',
    description: 'A page that is durable',
    examples: ADDED_PAGES,
  })

export const CreatedFanout = Fanout.extend({
  webhook_secret: webhookSecret(),
}).meta({
  id: 'CreatedFanout',
  description: 'A fan-out as its creation is answered',
  examples: CREATED_FANOUTS,
})

export const CancelledFanout = Fanout.extend({
  cancelled_children: cancelledChildren(),
}).meta({
  id: 'CancelledFanout',
  description: 'A fan-out after a cancel, with its runs',
  examples: CANCELLED_FANOUTS,
})
