/** Data schemas of events that only a fan-out's log contains. */

import * as z from 'zod'
import { ApprovalsInput } from '../runs/approvals.ts'
import { structured } from '../runs/runs.ts'
import { RunError, TaskWarning, Usage, warnings } from '../shared/common.ts'
import {
  Allotment,
  allotment,
  attached,
  body,
  ends,
  heldBudget,
  tokensPerByte,
} from '../shared/event-parts.ts'
import { agentName, count, idOf, text, textOrNull } from '../shared/words.ts'

export const TaskCounts = z
  .strictObject({
    total: count('Number of tasks received'),
    queued: count('Number of tasks that are waiting for a free slot'),
    live: count('Number of running tasks; in lists, all tasks in a running page count as live'),
    completed: count('Number of completed tasks'),
    failed: count('Number of failed tasks'),
    cancelled: count('Number of cancelled tasks, including tasks that never started'),
    timed_out: count('Number of tasks that timed out'),
  })
  .meta({ id: 'TaskCounts', description: 'Number of tasks in a fan-out, by state' })
const counts = (of: string) => TaskCounts.describe(`Number of tasks in ${of}, by state`)
const ended = {
  children: counts('the fan-out'),
  usage: Usage.describe('Usage for all runs in the fan-out that have reported that they ended'),
}
const page = () => count('Number of the page, from 0')
const order = () => text('Position of the page in order of arrival, from 0')

export const FANOUT_OWN = {
  'fanout.created': z
    .strictObject({
      id: idOf('fan', 'ID of the fan-out'),
      tasks: count('Number of tasks at creation'),
      join: z.looseObject({}).describe('Join policy, with the members of `Join`'),
      closing: z
        .strictObject({
          agent: agentName(),
          run_id: idOf('run', 'ID that the closing run will have'),
        })
        .nullable()
        .describe('Closing run, which receives all results; `null` if there is none'),
      approvals: ApprovalsInput.optional().describe(
        'Approval settings; absent if the defaults apply',
      ),
      warnings: warnings(TaskWarning, 'Problems that affect the tasks'),
      label: text('Short display name; absent if there is none').optional(),
      metadata: z
        .record(z.string(), z.string())
        .optional()
        .describe('Metadata set by the caller; absent if there is none'),
      limits: Allotment.optional().describe(
        'Budget for all runs in the fan-out; absent if there is no budget',
      ),
      open: z.literal(true).optional().describe('Whether tasks are added in pages'),
      parent: z
        .strictObject({
          run_id: idOf('fan', 'ID of the parent fan-out'),
          call: order(),
          page: page(),
        })
        .optional()
        .describe('Open fan-out that this page belongs to'),
      strict: z.boolean().describe('Whether warnings about files cause runs to be rejected'),
      on_duplicate: text('How names that several layers define are handled: `shadow` or `reject`'),
    })
    .describe('A fan-out was requested, with all its parameters'),
  'fanout.extended': z
    .strictObject({ page: page(), tasks: count('Number of tasks in the page') })
    .describe('A page was added to an open fan-out'),
  'fanout.sealed': z
    .strictObject({
      pages: count('Number of pages'),
      tasks: count('Number of tasks in all pages'),
    })
    .describe('An open fan-out was sealed; no more pages follow'),
  'page.started': z
    .strictObject({
      call: order(),
      page: page(),
      run_id: z.string().describe("ID of the page's fan-out"),
      allotment: allotment(),
    })
    .describe('The fan-out for a page was created'),
  'page.ended': z
    .strictObject({
      call: order(),
      announce: z
        .strictObject({
          run_id: idOf('fan', "ID of the page's fan-out"),
          status: ends(),
          error: RunError.nullable().describe(
            'Error that prevented completion; `null` if the page completed',
          ),
          children: counts('the page'),
          spent: z
            .literal(true)
            .optional()
            .describe('Whether the budget was insufficient for all tasks in the page'),
          usage: Usage.describe(
            'Usage for all runs in the page that have reported that they ended',
          ),
          held: heldBudget(),
          tokens_per_byte: tokensPerByte(),
        })
        .describe('Page result'),
    })
    .describe('The fan-out for a page has ended'),
  'fanout.completed': z
    .strictObject({
      ...ended,
      output: z
        .strictObject({
          run_id: idOf('run', 'ID of the closing run'),
          text: body("The run's last answer"),
          structured: structured(),
          ...attached(),
        })
        .nullable()
        .describe("The closing run's result; `null` if there was no closing run"),
    })
    .describe('A fan-out ended after waiting for its tasks'),
  'fanout.failed': z
    .strictObject({ ...ended, error: RunError.describe('Reason for the failure') })
    .describe('A fan-out failed'),
  'fanout.cancelled': z
    .strictObject({ ...ended, reason: textOrNull('Stated reason; `null` if none was stated') })
    .describe('A fan-out was cancelled'),
} as const
