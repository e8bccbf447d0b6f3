/** Schemas of tenants, which the operator manages. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { QUOTA_UNITS, TENANT_QUOTAS, type TenantQuota } from '../../../core/tenant-quotas.ts'
import {
  TENANT_CHANGES,
  TENANT_INPUTS,
  TENANT_SUSPENSIONS,
  TENANTS,
  TENANTS_WITH_KEY,
} from '../shared/examples.ts'
import { count, extending, kindIs, text, textOrNull, time, timeOrNull } from '../shared/words.ts'

export const TENANT_ID = /^[a-z][a-z0-9-]{1,30}$/

const QUOTA_VALUES = {
  active_runs: z.int().min(0).max(LIMITS.quota_active_runs),
  queued_runs: z.int().min(0).max(LIMITS.quota_active_runs),
  children: z.int().min(0).max(LIMITS.quota_active_runs),
  endpoints: z.int().min(0).max(LIMITS.webhook_endpoints),
  hooks: z.int().min(0).max(LIMITS.inbound_hooks),
  schedules: z.int().min(0).max(LIMITS.schedules),
  keys: z.int().min(0).max(LIMITS.api_keys),
  files: z.int().min(0).max(1e9),
  storage_bytes: z.int().min(0),
  tokens_per_day: z.int().min(0),
  tokens_per_month: z.int().min(0),
  dollars_per_day: z.number().min(0).max(1e9),
  dollars_per_month: z.number().min(0).max(1e9),
} as const satisfies Record<TenantQuota, z.ZodType>

const QUOTA_TEXTS: Readonly<Partial<Record<TenantQuota, string>>> = {
  active_runs: 'Runs and fan-outs that have not ended; subagents and tasks do not count',
  queued_runs: 'Runs and fan-outs whose status is `queued`; subagents and tasks do not count',
  children: 'Subagents of all runs that have not ended; tasks of fan-outs do not count',
  endpoints: 'Webhook endpoints',
  hooks: 'Inbound webhooks that start runs',
  schedules: 'Schedules; wakeups of runs do not count',
  keys: 'API keys; the key of a rotation counts, too',
  files: 'Stored files, as `GET /v1/files` lists them',
  storage_bytes: 'Bytes of stored files; bodies of runs do not count',
}
const quotaText = (name: TenantQuota): string =>
  QUOTA_TEXTS[name] ??
  `Usage in ${QUOTA_UNITS[name]} (UTC), by list price and including reservations`

type Members<N extends TenantQuota, T> = Readonly<Record<N, T>>

/** Returns the members of quotas that are set. */
export const quotaMembers = <N extends TenantQuota>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [name, QUOTA_VALUES[name].optional().describe(quotaText(name))]),
  ) as Members<N, z.ZodOptional<z.ZodNumber>>

/** Returns the members of a change of quotas. */
export const quotaChanges = <N extends TenantQuota>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => {
      const value = QUOTA_VALUES[name].nullable().optional()
      return [name, value.describe(`${quotaText(name)}; \`null\` removes it`)]
    }),
  ) as Members<N, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>

const TenantQuotasChange = z
  .strictObject(quotaChanges(TENANT_QUOTAS))
  .meta({ id: 'TenantQuotasChange', description: 'Quotas to set or remove' })

const TenantQuotas = z
  .strictObject(quotaMembers(TENANT_QUOTAS))
  .meta({ id: 'TenantQuotas', description: 'Quotas that are set; others are unlimited' })

const ENCRYPTIONS = z.enum(['none', 'tenant_key'])

export const TenantChange = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .describe('New name; `null` removes it'),
    quotas: TenantQuotasChange.nullable()
      .optional()
      .describe('Quotas to set or remove; others stay. `null` removes all quotas'),
    encryption: ENCRYPTIONS.optional().describe(
      'Must equal the present encryption, which is chosen at creation; another value is refused',
    ),
  })
  .meta({ id: 'TenantChange', description: 'Members to change', examples: TENANT_CHANGES })

export const TenantInput = z
  .strictObject({
    id: z
      .string()
      .regex(TENANT_ID)
      .describe(
        'ID of the tenant, which is part of the names of all its data: 2 to 31 characters from ' +
          'a-z 0-9 -, starting with a letter. It cannot be changed or reused',
      ),
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Human-readable name or description'),
    quotas: TenantQuotasChange.optional().describe('Quotas of the new tenant'),
    encryption: ENCRYPTIONS.optional().describe(
      'Encryption of rows and files. `tenant_key` uses a random key of the tenant, which is stored ' +
        'under the master key and destroyed when the tenant is deleted. It cannot be changed. ' +
        'Default: `none`',
    ),
  })
  .meta({ id: 'TenantInput', description: 'A tenant to create', examples: TENANT_INPUTS })

export const TenantSuspension = z
  .strictObject({
    running: z
      .enum(['park', 'cancel'])
      .default('park')
      .describe(
        'What happens to active runs and fan-outs: `park` keeps them until the tenant is ' +
          'resumed, and `cancel` cancels them in the background',
      ),
  })
  .meta({
    id: 'TenantSuspension',
    description: 'Suspension options',
    examples: TENANT_SUSPENSIONS,
  })

const Deletion = z.strictObject({
  began_at: time('Time at which the deletion was requested'),
  ended_at: timeOrNull('Time at which nothing was left', 'the deletion is in progress'),
  rows: count('Minimum number of deleted partitions, such as runs, sessions, and keys'),
  objects: count('Minimum number of deleted files and message bodies'),
  left: z
    .array(z.string())
    .describe(
      'Sentences about data that this platform cannot list, and when it expires; empty if there ' +
        'is none',
    ),
})

const TenantBase = z
  .strictObject({
    id: text('ID of the tenant'),
    object: kindIs('tenant'),
    name: textOrNull('Human-readable name or description; `null` if not set'),
    status: z
      .enum(['active', 'paused', 'suspended', 'deleting', 'deleted'])
      .describe(
        'State of the tenant. `paused`: requests are accepted, and no model or tool call begins. ' +
          '`suspended`: requests that write are also refused. `deleted` is final',
      ),
    quotas: TenantQuotas,
    encryption: ENCRYPTIONS.describe(
      'Encryption of rows and files: `none`, or `tenant_key` with a random key of the tenant',
    ),
    cancelling: z
      .boolean()
      .describe('Whether the cancellation of active runs is in progress after a suspension'),
    deletion: Deletion.nullable().describe('Progress of the deletion; `null` if not requested'),
    created_at: time('Time of creation'),
    updated_at: time('Time of the last change'),
  })
  .meta({ id: 'TenantBase', description: 'Members common to all tenant responses' })

export const Tenant = TenantBase.extend({}).meta({
  id: 'Tenant',
  ...extending(TenantBase),
  description: 'A tenant of the deployment',
  examples: TENANTS,
})

export const TenantWithKey = TenantBase.extend({
  key: z
    .strictObject({
      id: text("ID of the key, as in the tenant's list of keys"),
      text: textOrNull(
        "The key's text, returned only once; `null` if an earlier response to this request " +
          'included it',
      ),
    })
    .describe("The tenant's first key, with the scope `*`"),
}).meta({
  id: 'TenantWithKey',
  ...extending(TenantBase),
  description: 'The new tenant',
  examples: TENANTS_WITH_KEY,
})
