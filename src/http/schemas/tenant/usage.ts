/** Schemas of a tenant's usage per day, in tokens and dollars. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { TENANT_QUOTAS } from '../../../core/tenant-quotas.ts'
import { dayOf, parseTime } from '../../../lib/time.ts'
import { Usage } from '../shared/common.ts'
import { USAGE_REPORTS } from '../shared/examples.ts'
import { count, kindIs, text, textOrNull, timeOrNull } from '../shared/words.ts'

const DAY_MS = 86_400_000
const isDay = (value: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? parseTime(value) : undefined
  return at !== undefined && dayOf(at) === value
}
const day = (words: string) =>
  z
    .string()
    .refine(isDay, { error: 'The date must have the format YYYY-MM-DD, such as 2026-11-23.' })
    .optional()
    .describe(words)

const GROUPINGS = ['agent', 'model', 'kind'] as const

export const UsageQuery = z.strictObject({
  from: day(
    `First day (UTC), at most ${LIMITS.usage_days} days before \`to\`; defaults to 30 days ` +
      'before that date',
  ),
  to: day('Day after the last day of the range; defaults to tomorrow'),
  group_by: z
    .enum(GROUPINGS)
    .optional()
    .describe(
      'Member of runs by which each day is also grouped: `agent`, `model`, or `kind`. Not grouped ' +
        'by default',
    ),
})

const sum = {
  runs: count('Number of runs without a parent that were created on this day'),
  fanouts: count('Number of fan-outs that were created on this day'),
  unpriced: count(
    'Number of these runs and fan-outs that used only models without a price; their cost ' +
      'is not included',
  ),
  usage: Usage.describe(
    'Usage for these runs and fan-outs, including all descendants, as far as it is known',
  ),
  cost: z
    .number()
    .nullable()
    .describe("Cost in US dollars, based on the policy's prices; `null` if unknown"),
}

/** Members of a day and of the total that are present only in grouped reports. */
const grouped = {
  groups: z
    .array(
      z.strictObject({
        group: textOrNull(
          'Agent, model, or kind, as a filter of `GET /v1/runs` or the kind `fanout`; `null` for ' +
            'runs that have not called a model yet and, by agent and model, for fan-outs',
        ),
        ...sum,
      }),
    )
    .optional()
    .describe(
      `Usage by group, most tokens first, at most ${LIMITS.usage_groups} groups; absent without ` +
        '`group_by`',
    ),
  other: z
    .strictObject({ groups: count('Number of groups in this sum'), ...sum })
    .optional()
    .describe('Sum of the groups that are not listed; absent if all groups are listed'),
}

export const UsageReport = z
  .strictObject({
    object: kindIs('usage'),
    from: text('First day, as requested'),
    to: text('Day after the last day of the report'),
    group_by: z
      .enum(GROUPINGS)
      .optional()
      .describe('Member by which the report is grouped, as requested; absent if not grouped'),
    data: z
      .array(
        z.strictObject({
          date: text(
            'Day (UTC) on which the runs and fan-outs were created, regardless of when they ended',
          ),
          ...sum,
          partial: z
            .literal(true)
            .optional()
            .describe(
              `Whether this day has more than ${LIMITS.usage_roots} runs and fan-outs, the maximum ` +
                'that one request counts',
            ),
          ...grouped,
        }),
      )
      .describe('Usage by day, newest first; days without runs and fan-outs are omitted'),
    quotas: z
      .array(
        z.strictObject({
          owner: z.enum(['tenant', 'key']).describe('Owner of the quota'),
          quota: z.enum(TENANT_QUOTAS).describe('Name of the quota'),
          limit: z.number().describe('Maximum amount'),
          used: z.number().describe('Amount used, including reservations'),
          reserved: z.number().describe('Amount reserved by model calls in progress'),
          resets_at: timeOrNull('Time at which the count starts again', 'it never does'),
        }),
      )
      .describe('Quotas of the tenant, then those of the calling key, with their current use'),
    total: z.strictObject({ ...sum, ...grouped }).describe('Total usage on these days'),
    next_to: textOrNull(
      'Day to pass as `to` in the next request, if earlier days were not included because ' +
        'the maximum count was reached. `null` if the report is complete',
    ),
  })
  .meta({
    id: 'UsageReport',
    description: 'Usage and cost by day, for runs that are still stored',
    examples: USAGE_REPORTS,
  })

/**
 * Returns the days that a usage request covers; fails with a sentence if there are none or too
 * many.
 */
export function daysOf(
  query: z.output<typeof UsageQuery>,
  now: number,
): { readonly from: string; readonly to: string } | string {
  const to = query.to ?? dayOf(now + DAY_MS)
  const from = query.from ?? dayOf(parseTime(to)! - 30 * DAY_MS)
  const days = (parseTime(to)! - parseTime(from)!) / DAY_MS
  if (days < 1) return `\`from\` (${from}) must be before \`to\` (${to}).`
  return days > LIMITS.usage_days
    ? `The range must include at most ${LIMITS.usage_days} days.`
    : { from, to }
}
