/** Schemas of fan-outs, including the results of their tasks. */

import * as z from 'zod'
import { TaskCounts } from '../events/fanout-events.ts'
import { JoinInput } from '../runs/run-input.ts'
import { structured } from '../runs/runs.ts'
import {
  cancelledChildren,
  pageQuery,
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
  statusFilter,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'

const attachmentKeys = () => ({
  attachments: z.array(z.string()).describe('Keys of files attached to the output'),
  attachments_left_out: z
    .int()
    .describe('Number of additional keys, which are listed only in the run'),
})

const TaskStatus = z.enum(['queued', 'live', 'completed', 'failed', 'cancelled', 'timed_out'])

const FanoutBase = z
  .strictObject({
    id: idOf('fan', 'ID of the fan-out'),
    object: kindIs('fanout'),
    status: z
      .enum(['running', 'completed', 'failed', 'cancelled'])
      .describe(
        'Status of the fan-out. Every status except `running` is final. `completed` means ' +
          'that the fan-out finished waiting for its tasks, whether or not they succeeded',
      ),
    label: labelOrNull(),
    metadata: metadata('this fan-out'),
    limits: Allotment.describe('Budget for all runs in the fan-out'),
    budget: budget(),
    open: z.boolean().describe('Whether more pages of tasks can be added'),
    pages: countOrNull(
      'Number of pages added; `null` if the fan-out was created with all its tasks',
    ),
    parent_fanout_id: z
      .string()
      .nullable()
      .describe('ID of the open fan-out that this page belongs to; pages are also fan-outs'),
    released_by: z
      .enum(['joined', 'deadline', 'budget'])
      .nullable()
      .describe(
        'Reason why the fan-out stopped waiting for tasks; `null` if it is still waiting or ' +
          'ended while it was waiting',
      ),
    join: JoinInput,
    children: TaskCounts.describe('Number of tasks by state'),
    closing_run_id: idOrNull(
      'run',
      'ID of the closing run, which receives all results',
      'the run was not created',
    ),
    output: z
      .strictObject({
        text: text("The run's last answer"),
        structured: structured(),
        ...attachmentKeys(),
      })
      .nullable()
      .describe("The closing run's result; `null` if the run has not finished or does not exist"),
    error: RunError.nullable().describe('Reason for the failure; `null` if there was no failure'),
    usage: Usage.describe('Usage for all runs in the fan-out that have reported that they ended'),
    warnings: warnings(
      TaskWarning,
      'Problems that affect the tasks, found when the tasks were accepted',
    ),
    created_at: time('Time at which the request was accepted'),
    ended_at: timeOrNull(
      'Time at which the run or fan-out ended',
      'the run or fan-out has not reached this state',
    ),
  })
  .meta({ id: 'FanoutBase', description: 'Members common to all responses about a fan-out' })

export const Fanout = FanoutBase.extend({}).meta({
  id: 'Fanout',
  ...extending(FanoutBase),
  description: 'A set of tasks, each a separate run',
  examples: FANOUTS,
})

export const TaskResult = z
  .strictObject({
    index: count('Index of the task among all tasks, from 0'),
    run_id: idOrNull('run', 'ID of the run', 'the run was not created'),
    agent: agentName(),
    label: labelOrNull(),
    metadata: metadata('this task'),
    task: z.string().describe('The first 200 characters of the task'),
    status: TaskStatus.describe(
      'Status of the task. `queued`: waits for a free slot. The last four values are final',
    ),
    stop_reason: z
      .string()
      .nullable()
      .describe(
        'Reason why the run ended, the same as in the run; `null` if the run has not ended',
      ),
    late: z
      .boolean()
      .describe(
        "Whether the task ended after the fan-out; if so, only the task's run contains the " +
          'result',
      ),
    result: textOrNull(
      "The run's last answer, possibly truncated; `null` if the task did not complete",
    ),
    partial: z
      .string()
      .optional()
      .describe(
        "The run's last text, possibly truncated; absent if the task completed or the run did " +
          'not write any text',
      ),
    structured: structured(),
    schema_error: z
      .string()
      .nullable()
      .describe(
        'Reason why the answer does not conform to the schema; `null` if the answer conforms',
      ),
    ...attachmentKeys(),
    error: RunError.nullable().describe(
      'Error that prevented completion; `null` if there was no error',
    ),
    usage: Usage.nullable().describe(
      'Usage for the run and its descendants; `null` if the run has not ended or never ' +
        'started',
    ),
    duration_ms: z
      .number()
      .nullable()
      .describe(
        'Number of milliseconds from the start of the run to its end; `null` if the run has ' +
          'not ended or never started',
      ),
    warnings: warnings(Warning, 'Problems that affected the run'),
    truncated: z
      .boolean()
      .describe('Whether the result is truncated; the run contains the complete result'),
  })
  .meta({
    id: 'TaskResult',
    description: 'A task and the result of its run',
    examples: TASK_RESULTS,
  })

/** Query of a list of tasks. */
export const TasksQuery = z.strictObject({ ...pageQuery, status: statusFilter(TaskStatus) })
export type TasksQuery = z.output<typeof TasksQuery>

export const FanoutWithResults = FanoutBase.extend({
  results: z
    .array(TaskResult)
    .describe('Results in task order. Empty for open fan-outs; see …/tasks'),
}).meta({
  id: 'FanoutWithResults',
  ...extending(FanoutBase),
  description: 'A fan-out with its results so far',
  examples: FANOUTS_WITH_RESULTS,
})

export const AddedPage = z
  .strictObject({
    fanout_id: idOf('fan', 'ID of the fan-out'),
    page: count('Number of the page, from 0'),
    tasks: z.int().describe('Number of tasks in this page'),
    pages: z.int().describe('Number of pages received so far'),
    total: z.int().describe('Number of tasks received so far'),
    replayed: z
      .boolean()
      .describe('Whether the page had been added before; if so, nothing changed'),
    warnings: warnings(TaskWarning, 'Problems that affect the tasks, by task index'),
  })
  .meta({
    id: 'AddedFanoutPage',
    description: 'A page that was added to a fan-out',
    examples: ADDED_PAGES,
  })

export const CreatedFanout = FanoutBase.extend({
  webhook_secret: webhookSecret(),
}).meta({
  id: 'CreatedFanout',
  ...extending(FanoutBase),
  description: 'The new fan-out',
  examples: CREATED_FANOUTS,
})

export const CancelledFanout = FanoutBase.extend({
  cancelled_children: cancelledChildren(),
}).meta({
  id: 'CancelledFanout',
  ...extending(FanoutBase),
  description: 'A fan-out after its cancellation, including its runs',
  examples: CANCELLED_FANOUTS,
})
