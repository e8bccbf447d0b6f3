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

const attachmentKeys = () => ({
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
        'All but `running` are final. `completed`: its tasks were waited for, whatever their ' +
          'result',
      ),
    label: labelOrNull(),
    metadata: metadata('this fan-out'),
    limits: Allotment.describe('Budget of all its runs'),
    budget: budget(),
    open: z.boolean().describe('Whether more pages of tasks can be added'),
    pages: countOrNull('Number of pages added; null: it was created with all its tasks'),
    parent_fanout_id: z
      .string()
      .nullable()
      .describe('The open fan-out that this page belongs to; pages are fan-outs, too'),
    released_by: z
      .enum(['joined', 'deadline', 'budget'])
      .nullable()
      .describe('Why it waits for no more tasks; null: it still waits, or ended before'),
    join: JoinInput,
    children: TaskCounts.describe('States of its tasks'),
    closing_run_id: idOrNull(
      'run',
      'The closing run, which gets all results',
      'it was not created',
    ),
    output: z
      .strictObject({
        text: text('Its last answer'),
        structured: structured(),
        ...attachmentKeys(),
      })
      .nullable()
      .describe('Result of the closing run; null: not finished, or there is none'),
    error: RunError.nullable().describe('Why it failed; null: it did not'),
    usage: Usage.describe('Usage of all its runs that have reported their end'),
    warnings: warnings(
      TaskWarning,
      'Problems that affect its tasks, found when they were accepted',
    ),
    created_at: time('Time of acceptance'),
    ended_at: timeOrNull('Time of the end', 'not yet'),
  })
  .meta({ id: 'FanoutBase', description: 'Members of every response about a fan-out' })

export const Fanout = FanoutBase.extend({}).meta({
  id: 'Fanout',
  ...extending(FanoutBase),
  description: 'Many tasks, each a run of its own',
  examples: FANOUTS,
})

export const TaskResult = z
  .strictObject({
    index: count('Position among all tasks, from 0'),
    run_id: idOrNull('run', 'Its run', 'it was not created'),
    agent: agentName(),
    label: labelOrNull(),
    metadata: metadata('this task'),
    task: z.string().describe('The first 200 characters of the task'),
    status: z.enum(STATUS).describe('`queued`: waits for a free slot. The last four are final'),
    stop_reason: z
      .string()
      .nullable()
      .describe('Why its run ended, as in the run; null: it has not ended'),
    late: z.boolean().describe('It ended after the fan-out; only its run has the result'),
    result: textOrNull('Its last answer, possibly truncated; null: it did not complete'),
    partial: z
      .string()
      .optional()
      .describe('Its last text, possibly truncated; absent: it completed, or wrote nothing'),
    structured: structured(),
    schema_error: z
      .string()
      .nullable()
      .describe('Why the answer does not fit the schema; null: it does'),
    ...attachmentKeys(),
    error: RunError.nullable().describe('Why it did not complete; null: nothing went wrong'),
    usage: Usage.nullable().describe(
      'Usage of its run with everything below it; null: it has not ended, or never started',
    ),
    duration_ms: z
      .number()
      .nullable()
      .describe('Milliseconds from its start to its end; null: it has not ended, or never started'),
    warnings: warnings(Warning, 'Problems that affected its run'),
    truncated: z.boolean().describe('Truncated; the run has the complete result'),
  })
  .meta({ id: 'TaskResult', description: 'A task and its result', examples: TASK_RESULTS })

export const FanoutWithResults = FanoutBase.extend({
  results: z
    .array(TaskResult)
    .describe('In the order of the tasks. Empty for open fan-outs: see …/tasks'),
}).meta({
  id: 'FanoutWithResults',
  ...extending(FanoutBase),
  description: 'A fan-out with the results so far',
  examples: FANOUTS_WITH_RESULTS,
})

export const AddedPage = z
  .strictObject({
    fanout_id: idOf('fan', 'The fan-out'),
    page: count('Number of the page, from 0'),
    tasks: z.int().describe('Number of tasks in this page'),
    pages: z.int().describe('Number of pages received so far'),
    total: z.int().describe('Number of tasks received so far'),
    replayed: z.boolean().describe('The page was added before; nothing changed'),
    warnings: warnings(TaskWarning, 'Problems that affect its tasks, by task index'),
  })
  .meta({
    id: 'AddedFanoutPage',
    description: 'A page that was added',
    examples: ADDED_PAGES,
  })

export const CreatedFanout = FanoutBase.extend({
  webhook_secret: webhookSecret(),
}).meta({
  id: 'CreatedFanout',
  ...extending(FanoutBase),
  description: 'A fan-out that was created',
  examples: CREATED_FANOUTS,
})

export const CancelledFanout = FanoutBase.extend({
  cancelled_children: cancelledChildren(),
}).meta({
  id: 'CancelledFanout',
  ...extending(FanoutBase),
  description: 'A fan-out after its cancellation, with its runs',
  examples: CANCELLED_FANOUTS,
})
