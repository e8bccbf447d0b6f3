/** Tokens and dollars of a tenant by the day. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { dayOf, parseTime } from '../../../lib/time.ts'
import { Usage } from '../shared/common.ts'
import { USAGE_REPORTS } from '../shared/examples.ts'
import { count, kindIs, text, textOrNull } from '../shared/words.ts'

const DAY_MS = 86_400_000
const isDay = (value: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? parseTime(value) : undefined
  return at !== undefined && dayOf(at) === value
}
const day = (words: string) =>
  z.string().refine(isDay, { error: 'A day has the form 2026-11-23.' }).optional().describe(words)

export const UsageQuery = z.strictObject({
  from: day(`First day (UTC), at most ${LIMITS.usage_days} before \`to\`; default: 30 before`),
  to: day('Day after the last one; default: tomorrow'),
})

const sum = {
  runs: count('Runs without a parent that were created on this day'),
  fanouts: count('Fan-outs that were created on this day'),
  unpriced: count(
    'Number of these that used only models without a price; their cost is not included',
  ),
  usage: Usage.describe(
    'Usage including everything that these runs and fan-outs started, as far as known',
  ),
  cost: z.number().nullable().describe('US dollars, by the prices of the policy; null: unknown'),
}

export const UsageReport = z
  .strictObject({
    object: kindIs('usage'),
    from: text('The requested first day'),
    to: text('The day after the last one'),
    data: z
      .array(
        z.strictObject({
          date: text('Day (UTC) of their creation, regardless of their end'),
          ...sum,
          partial: z
            .literal(true)
            .optional()
            .describe(`This day has more than the ${LIMITS.usage_roots} that one request counts`),
        }),
      )
      .describe('Newest day first; days without runs and fan-outs are omitted'),
    total: z.strictObject(sum).describe('Total of these days'),
    next_to: textOrNull(
      'Earlier days are not included, because there was too much to count; request again ' +
        'with this day as `to`. Null: complete',
    ),
  })
  .meta({
    id: 'UsageReport',
    description: 'Tokens and dollars by day, for runs that are still kept',
    examples: USAGE_REPORTS,
  })

/** Returns the requested days; a sentence when there are none, or too many. */
export function daysOf(
  query: z.output<typeof UsageQuery>,
  now: number,
): { readonly from: string; readonly to: string } | string {
  const to = query.to ?? dayOf(now + DAY_MS)
  const from = query.from ?? dayOf(parseTime(to)! - 30 * DAY_MS)
  const days = (parseTime(to)! - parseTime(from)!) / DAY_MS
  if (days < 1) return `\`from\` (${from}) must be before \`to\` (${to}).`
  return days > LIMITS.usage_days ? `At most ${LIMITS.usage_days} days at once.` : { from, to }
}
