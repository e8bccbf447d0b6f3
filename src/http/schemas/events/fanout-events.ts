/** The data of events that only the log of a fan-out holds. */

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
  held,
  tokensPerByte,
} from '../shared/event-parts.ts'
import { agentName, count, idOf, text, textOrNull } from '../shared/words.ts'

export const TaskCounts = z
  .strictObject({
    total: count('Number of tasks received'),
    queued: count('Number waiting for a free place'),
    live: count('Number running; in lists all tasks of a running page count as live'),
    completed: count('Number that completed'),
    failed: count('Number that failed'),
    cancelled: count('Number cancelled, including those that never started'),
    timed_out: count('Number that timed out'),
  })
  .meta({ id: 'TaskCounts', description: 'Number of the tasks of a fan-out by state' })
const counts = (of: string) => TaskCounts.describe(`Where the tasks of ${of} stand`)
const ended = {
  children: counts('the fan-out'),
  usage: Usage.describe('Of all its runs that have reported their end'),
}
const page = () => count('The number of the page, from 0')
const order = () => text('Order of arrival of the page, from 0')

export const FANOUT_OWN = {
  'fanout.created': z
    .strictObject({
      id: idOf('fan', 'The fan-out'),
      tasks: count('Number of tasks it was created with'),
      join: z.looseObject({}).describe('The join policy, with the members of `Join`'),
      closing: z
        .strictObject({
          agent: agentName(),
          run_id: idOf('run', 'The run that it will be'),
        })
        .nullable()
        .describe('The run that gets all results; null: there is none'),
      approvals: ApprovalsInput.optional().describe('Approval settings; absent: the defaults'),
      warnings: warnings(TaskWarning, 'Problems that tasks run with'),
      label: text('A short name for people; absent: none').optional(),
      metadata: z
        .record(z.string(), z.string())
        .optional()
        .describe("The caller's own pairs; absent: none"),
      limits: Allotment.optional().describe('The budget of all its runs; absent: none'),
      open: z.literal(true).optional().describe('Tasks follow by pages'),
      parent: z
        .strictObject({
          run_id: idOf('fan', 'That fan-out'),
          call: order(),
          page: page(),
        })
        .optional()
        .describe('The open fan-out whose page this is'),
      strict: z.boolean().describe('Whether warnings about files refuse its runs'),
      on_duplicate: text('`shadow` or `reject`: when layers define the same name'),
    })
    .describe('The fan-out as it was requested'),
  'fanout.extended': z
    .strictObject({ page: page(), tasks: count('Number of tasks in the page') })
    .describe('A page of an open fan-out has come'),
  'fanout.sealed': z
    .strictObject({
      pages: count('Number of pages'),
      tasks: count('Number of tasks in all pages'),
    })
    .describe('No more pages follow'),
  'page.started': z
    .strictObject({
      call: order(),
      page: page(),
      run_id: z.string().describe('The fan-out of the page'),
      allotment: allotment(),
    })
    .describe('The fan-out of a page was created'),
  'page.ended': z
    .strictObject({
      call: order(),
      announce: z
        .strictObject({
          run_id: idOf('fan', 'The fan-out of the page'),
          status: ends(),
          error: RunError.nullable().describe('Why it did not complete; null: it did'),
          children: counts('the page'),
          spent: z
            .literal(true)
            .optional()
            .describe('The budget did not suffice for all its tasks'),
          usage: Usage.describe('Of its runs that have reported their end'),
          held: held(),
          tokens_per_byte: tokensPerByte(),
        })
        .describe('The result of the page'),
    })
    .describe('The fan-out of a page has ended'),
  'fanout.completed': z
    .strictObject({
      ...ended,
      output: z
        .strictObject({
          run_id: idOf('run', 'The closing run'),
          text: body('Its last answer'),
          structured: structured(),
          ...attached(),
        })
        .nullable()
        .describe('Result of the closing run; null: there was none'),
    })
    .describe('The end of a fan-out whose tasks were waited for'),
  'fanout.failed': z
    .strictObject({ ...ended, error: RunError.describe('Why it failed') })
    .describe('The end of a fan-out that could not go on'),
  'fanout.cancelled': z
    .strictObject({ ...ended, reason: textOrNull('The reason that was given; null: none') })
    .describe('The end of a fan-out that was cancelled'),
} as const
