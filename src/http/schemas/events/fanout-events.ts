/** The data of events that only a fan-out's log contains. */

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
    total: count('Tasks received'),
    queued: count('Tasks that wait for a free slot'),
    live: count('Running tasks; in lists, all tasks of a running page count as live'),
    completed: count('Completed tasks'),
    failed: count('Failed tasks'),
    cancelled: count('Cancelled tasks, including those that never started'),
    timed_out: count('Tasks that timed out'),
  })
  .meta({ id: 'TaskCounts', description: 'Tasks of a fan-out by state' })
const counts = (of: string) => TaskCounts.describe(`States of the tasks of ${of}`)
const ended = {
  children: counts('the fan-out'),
  usage: Usage.describe('Usage of all its runs that have reported their end'),
}
const page = () => count('Number of the page, from 0')
const order = () => text('Order of arrival of the page, from 0')

export const FANOUT_OWN = {
  'fanout.created': z
    .strictObject({
      id: idOf('fan', 'The fan-out'),
      tasks: count('Number of tasks at creation'),
      join: z.looseObject({}).describe('The join policy, with the members of `Join`'),
      closing: z
        .strictObject({
          agent: agentName(),
          run_id: idOf('run', 'ID of the future closing run'),
        })
        .nullable()
        .describe('The closing run, which gets all results; null: none'),
      approvals: ApprovalsInput.optional().describe('Approval settings; absent: the defaults'),
      warnings: warnings(TaskWarning, 'Problems that affect its tasks'),
      label: text('A short name for people; absent: none').optional(),
      metadata: z
        .record(z.string(), z.string())
        .optional()
        .describe('Metadata of the caller; absent: none'),
      limits: Allotment.optional().describe('Budget of all its runs; absent: none'),
      open: z.literal(true).optional().describe('Tasks follow in pages'),
      parent: z
        .strictObject({
          run_id: idOf('fan', 'The parent fan-out'),
          call: order(),
          page: page(),
        })
        .optional()
        .describe('The open fan-out that this page belongs to'),
      strict: z.boolean().describe('Whether warnings about files refuse its runs'),
      on_duplicate: text('`shadow` or `reject`: what to do when layers define the same name'),
    })
    .describe('A fan-out as it was requested'),
  'fanout.extended': z
    .strictObject({ page: page(), tasks: count('Number of tasks in the page') })
    .describe('A page of an open fan-out was added'),
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
          usage: Usage.describe('Usage of its runs that have reported their end'),
          held: heldBudget(),
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
    .describe('A fan-out ended after waiting for its tasks'),
  'fanout.failed': z
    .strictObject({ ...ended, error: RunError.describe('Why it failed') })
    .describe('A fan-out failed'),
  'fanout.cancelled': z
    .strictObject({ ...ended, reason: textOrNull('The given reason; null: none') })
    .describe('A fan-out was cancelled'),
} as const
