/** Schemas of the request that cancels all runs that match a filter. */

import * as z from 'zod'
import type { RunFilter } from '../../../core/run/views/tags.ts'
import type { CancelFilter } from '../../../engine/run/cancel-many.ts'
import { roleName } from '../../../lib/name.ts'
import { iso, parseTime } from '../../../lib/time.ts'
import { RUNS_CANCELLATION_INPUTS, RUNS_CANCELLATIONS } from '../shared/examples.ts'
import { count, idFilter, kindIs, metadataGiven, textOrNull } from '../shared/words.ts'
import { WAITING_ON } from './runs.ts'

const text = (max: number, words: string) => z.string().min(1).max(max).optional().describe(words)

const moment = z.iso.datetime({ offset: true }).optional()
/** Returns a time in the form of list positions. */
const positionOf = (time: string | undefined) =>
  time === undefined ? undefined : iso(parseTime(time) ?? 0)

const FILTERS = {
  status: z
    .array(z.enum(['queued', 'running', 'waiting']))
    .min(1)
    .max(3)
    .optional()
    .describe('Statuses of the runs; defaults to all active runs'),
  kind: z.enum(['main', 'hook', 'schedule']).optional().describe('Origin of the runs'),
  agent: text(200, 'ID of the agent'),
  session_id: idFilter('ses', 'ID of the session'),
  role: text(64, 'Role of the runs'),
  label: text(200, 'Exact label of the runs'),
  model: text(200, 'Exact model of the runs, as they report it (`provider/model`)'),
  waiting_on: z
    .array(z.enum(WAITING_ON))
    .min(1)
    .max(WAITING_ON.length)
    .optional()
    .describe('Conditions that the runs wait for; selects only runs with the status `waiting`'),
  metadata: metadataGiven(),
  created: z
    .strictObject({
      gte: moment.describe('Earliest creation time (RFC 3339)'),
      lt: moment.describe('Creation time (RFC 3339) before which the runs were created'),
    })
    .optional()
    .describe('Range of the creation times'),
} as const

export const RunsCancellationInput = z
  .strictObject({
    ...FILTERS,
    all: z
      .literal(true)
      .optional()
      .describe('Required if no filter is set: all active runs of the tenant are cancelled'),
    reason: z
      .string()
      .max(500)
      .optional()
      .describe('Reason for the cancellation, recorded for each run and in the audit log'),
    limit: z.int().min(1).max(500).default(100).describe('Maximum number of runs to cancel'),
    cursor: z
      .string()
      .max(1_000)
      .optional()
      .describe('`next_cursor` of the previous response to a request with the same filters'),
  })
  .superRefine((input, context) => {
    const isFiltered = Object.keys(FILTERS).some((name) => input[name as never] !== undefined)
    if (isFiltered || input.all) return
    const message = 'Set a filter, or `all` to cancel all active runs.'
    context.addIssue({ code: 'custom', path: [], message })
  })
  .meta({
    id: 'RunsCancellationInput',
    description: 'Runs to cancel; all filters must match',
    examples: RUNS_CANCELLATION_INPUTS,
  })
export type RunsCancellationInput = z.output<typeof RunsCancellationInput>

export const RunsCancellation = z
  .strictObject({
    object: kindIs('runs_cancellation'),
    cancelled: count('Number of runs that this request cancelled; subagents are not counted'),
    next_cursor: textOrNull('Cursor for the next request; `null` if no run is left'),
    has_more: z.boolean().describe('Whether more runs may match'),
  })
  .meta({
    id: 'RunsCancellation',
    description: 'Result of a request that cancels runs by filter',
    examples: RUNS_CANCELLATIONS,
  })

/** Converts the request body to a filter of runs. */
export function cancelFilterOf(input: RunsCancellationInput): CancelFilter {
  const { status, kind, agent, session_id, label, model, waiting_on, metadata, created } = input
  const role = input.role && (roleName(input.role) ?? input.role)
  const fields = { status, kind, agent, session_id, role, label, model, waiting_on, metadata }
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const filter: RunFilter = Object.fromEntries(entries)
  return { filter, from: positionOf(created?.gte), to: positionOf(created?.lt) }
}
