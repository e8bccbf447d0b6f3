/** Limits of a tenant: as its operator sets them, and as the tenant sees them with what is used. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { LIMIT_WORDS, TENANT_LIMITS, type TenantLimit } from '../../core/tenant-limits.ts'
import { QUOTAS } from '../examples/tenants.ts'
import { timeOrNull } from './words.ts'

/** Beyond it nobody counts exactly. */
const MOST = 1_000_000_000_000_000

const MOST_OF: Readonly<Partial<Record<TenantLimit, number>>> = {
  live_runs: LIMITS.quota_live_runs,
  files: LIMITS.quota_files,
  schedules: LIMITS.schedules,
  endpoints: LIMITS.endpoints,
}

const WORDS: Readonly<Record<TenantLimit, string>> = {
  live_runs: 'Runs that have not ended, subagents and tasks of fan-outs among them',
  tokens_per_day: 'Tokens of models, input and output, in a day of UTC',
  tokens_per_month: 'Tokens of models, input and output, in a month of UTC',
  dollars_per_day: 'US dollars for models by the list of prices, in a day of UTC',
  dollars_per_month: 'US dollars for models by the list of prices, in a month of UTC',
  files: 'Files of layers, memory and workspaces together',
  storage_bytes: 'Bytes of these files',
  schedules: 'Schedules',
  endpoints: 'Webhook endpoints',
}

const number = (name: TenantLimit) =>
  name.startsWith('dollars')
    ? z.number().min(0).max(MOST)
    : z
        .int()
        .min(0)
        .max(MOST_OF[name] ?? MOST)

const shapeOf = <T extends z.ZodType>(member: (name: TenantLimit) => T) =>
  Object.fromEntries(TENANT_LIMITS.map((name) => [name, member(name)])) as Record<TenantLimit, T>

/** As they are set. */
export const TenantLimitsInput = z
  .strictObject(
    shapeOf((name) =>
      number(name).nullable().optional().describe(`${WORDS[name]}; null: no limit of its own`),
    ),
  )
  .meta({
    id: 'TenantLimitsInput',
    description:
      'Limits of this tenant, below those of the deployment. Absent members stay as they are. In ' +
      'other processes a change counts from 30 seconds later on; what was spent before the first ' +
      'limit of tokens or dollars was set is not counted',
  })

/** As they are. */
export const TenantLimitsShown = z
  .strictObject(
    shapeOf((name) => z.number().nullable().describe(`${WORDS[name]}; null: no limit of its own`)),
  )
  .meta({ id: 'TenantLimits', description: 'The limits of this tenant' })

export const Quota = z
  .strictObject({
    limit: z.enum(TENANT_LIMITS).describe('Its name'),
    value: z.number().describe(`At most so much: ${Object.values(LIMIT_WORDS).join(', ')}`),
    used: z.number().describe('Of it so much is used, what is reserved included'),
    reserved: z.number().describe('Held for calls of models and writes that are under way'),
    resets_at: timeOrNull('When it begins anew', 'it does not: what ends or is deleted makes room'),
  })
  .meta({
    id: 'Quota',
    description: 'A limit of this tenant and what is used of it',
    examples: QUOTAS,
  })
