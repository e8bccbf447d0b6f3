/** The data of events that only the log of a fan-out holds. */

import * as z from 'zod'
import { ApprovalsInput } from './approvals.ts'
import { RunError, TaskWarning, Usage, warnings } from './common.ts'
import { Allotment, attached, Body } from './event-parts.ts'

const Counts = z.strictObject({
  total: z.int(),
  queued: z.int(),
  live: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  timed_out: z.int(),
})
const ended = { children: Counts, usage: Usage }

export const FANOUT_OWN = {
  'fanout.created': z.strictObject({
    id: z.string(),
    tasks: z.int(),
    join: z.looseObject({}),
    closing: z.strictObject({ agent: z.string(), run_id: z.string() }).nullable(),
    approvals: ApprovalsInput.optional(),
    warnings: warnings(TaskWarning, 'What tasks have to do without'),
    label: z.string().optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    limits: Allotment.optional(),
    open: z.literal(true).optional(),
    parent: z
      .strictObject({ run_id: z.string(), call: z.string(), page: z.int() })
      .optional()
      .describe('The open fan-out whose page this is'),
    strict: z.boolean(),
    on_duplicate: z.string(),
  }),
  'fanout.extended': z.strictObject({ page: z.int(), tasks: z.int() }),
  'fanout.sealed': z.strictObject({ pages: z.int(), tasks: z.int() }),
  'page.started': z.strictObject({
    call: z.string(),
    page: z.int(),
    run_id: z.string().describe('The fan-out of the page'),
    allotment: Allotment.optional(),
  }),
  'page.ended': z.strictObject({
    call: z.string(),
    announce: z.strictObject({
      run_id: z.string(),
      status: z.enum(['completed', 'failed', 'cancelled', 'timed_out']),
      error: RunError.nullable(),
      children: Counts,
      spent: z.literal(true).optional().describe('The budget did not suffice for all its tasks'),
      usage: Usage,
      held: Allotment.optional(),
    }),
  }),
  'fanout.completed': z.strictObject({
    ...ended,
    output: z
      .strictObject({ run_id: z.string(), text: Body, structured: z.unknown(), ...attached() })
      .nullable(),
  }),
  'fanout.failed': z.strictObject({ ...ended, error: RunError }),
  'fanout.cancelled': z.strictObject({ ...ended, reason: z.string().nullable() }),
} as const
