/** Fan-outs as shown, with the results of their tasks. */

import * as z from 'zod'
import { TaskCounts } from '../events/fanout-events.ts'
import { JoinInput } from '../runs/run-input.ts'
import { structured } from '../runs/runs.ts'
import {
  cancelledChildren,
  RunError,
  TaskWarning,
  Usage,
  Warning,
  warnings,
  webhookSecret,
} from '../shared/common.ts'
import { Allotment, budget } from '../shared/event-parts.ts'
import {
  ADDED_PAGES,
  CANCELLED_FANOUTS,
  CREATED_FANOUTS,
  FANOUTS,
  FANOUTS_WITH_RESULTS,
  TASK_RESULTS,
} from '../shared/examples.ts'
import {
  agentName,
  count,
  countOrNull,
  extending,
  idOf,
  idOrNull,
  kindIs,
  labelOrNull,
  metadata,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'

const handed = () => ({
  attachments: z.array(z.string()).describe('Keys of files attached to the output'),
  attachments_left_out: z.int().describe('Number of further keys, which only its run lists'),
})

const STATUS = ['queued', 'live', 'completed', 'failed', 'cancelled', 'timed_out'] as const

const FanoutBase = z
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
    budget: budget(),
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
      .strictObject({ text: text('Its last answer'), structured: structured(), ...handed() })
      .nullable()
      .describe('Result of the closing run; null: not finished, or there is none'),
    error: RunError.nullable().describe('Why it failed; null: it did not'),
    usage: Usage.describe('Of all its runs that have reported their end'),
    warnings: warnings(
      TaskWarning,
      'Problems that tasks run with, as found when they were accepted',
    ),
    created_at: time('When it was accepted'),
    ended_at: timeOrNull('When it ended', 'not yet'),
  })
  .meta({ id: 'FanoutBase', description: 'Members of every answer about a fan-out' })

export const Fanout = FanoutBase.extend({}).meta({
  id: 'Fanout',
  ...extending(FanoutBase),
  description: 'Many tasks, each a run of its own',
  examples: FANOUTS,
})

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
    stop_reason: z
      .string()
      .nullable()
      .describe('Why its run ended, as the run says it; null: it has not ended'),
    late: z.boolean().describe('It ended after the fan-out: its result is only in its run'),
    result: textOrNull('Its last answer, perhaps shortened; null: it did not complete'),
    partial: z
      .string()
      .optional()
      .describe('Its last text, perhaps shortened; absent: it completed, or said nothing'),
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

export const FanoutWithResults = FanoutBase.extend({
  results: z
    .array(TaskResult)
    .describe('In the order of the tasks; of one that takes pages none: see …/tasks'),
}).meta({
  id: 'FanoutWithResults',
  ...extending(FanoutBase),
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

export const CreatedFanout = FanoutBase.extend({
  webhook_secret: webhookSecret(),
}).meta({
  id: 'CreatedFanout',
  ...extending(FanoutBase),
  description: 'A fan-out as its creation is answered',
  examples: CREATED_FANOUTS,
})

export const CancelledFanout = FanoutBase.extend({
  cancelled_children: cancelledChildren(),
}).meta({
  id: 'CancelledFanout',
  ...extending(FanoutBase),
  description: 'A fan-out after a cancel, with its runs',
  examples: CANCELLED_FANOUTS,
})
