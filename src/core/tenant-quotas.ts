/**
 * Quotas of one tenant, which the operator sets, and of one API key: work that has not ended,
 * resources, files, and usage per day and month (UTC). The limits of the deployment also apply.
 */

/** Quotas of usage: the counted unit, and the period after which the count starts again. */
export const USAGE_QUOTAS = {
  tokens_per_day: ['tokens', 'day'],
  tokens_per_month: ['tokens', 'month'],
  dollars_per_day: ['dollars', 'day'],
  dollars_per_month: ['dollars', 'month'],
} as const
export type UsageQuota = keyof typeof USAGE_QUOTAS

/** Quotas of work that has not ended, or not begun. */
export const WORK_QUOTAS = ['active_runs', 'queued_runs', 'children'] as const
export type WorkQuota = (typeof WORK_QUOTAS)[number]

/** Quotas of resources that exist. */
export const RESOURCE_QUOTAS = ['endpoints', 'hooks', 'schedules', 'keys'] as const
export type ResourceQuota = (typeof RESOURCE_QUOTAS)[number]

/** Quotas that an API key can have; a stored file does not name the key that wrote it. */
export const KEY_QUOTAS = [
  ...WORK_QUOTAS,
  ...RESOURCE_QUOTAS,
  ...(Object.keys(USAGE_QUOTAS) as UsageQuota[]),
] as const
export type KeyQuota = (typeof KEY_QUOTAS)[number]

export const TENANT_QUOTAS = [
  ...WORK_QUOTAS,
  ...RESOURCE_QUOTAS,
  'files',
  'storage_bytes',
  ...(Object.keys(USAGE_QUOTAS) as UsageQuota[]),
] as const
export type TenantQuota = (typeof TENANT_QUOTAS)[number]

/** Quotas that are set; the others are unlimited. */
export type TenantQuotas = { readonly [name in TenantQuota]?: number | undefined }

export type KeyQuotas = { readonly [name in KeyQuota]?: number | undefined }

/** API key whose quotas count a run and its subagents. */
export interface QuotaKey {
  readonly id: string
  /** ID of the count, which the key shares with keys that it created or that replaced it. */
  readonly account: string
  /** Quotas at the start of the run, which apply if the key no longer exists. */
  readonly quotas: KeyQuotas
}

/** Change of quotas: an absent member keeps its value, and null removes the quota. */
export type TenantQuotasChange = {
  readonly [name in TenantQuota]?: number | null | undefined
}

export const QUOTA_UNITS: Readonly<Record<TenantQuota, string>> = {
  active_runs: 'active runs',
  queued_runs: 'queued runs',
  children: 'subagents',
  endpoints: 'endpoints',
  hooks: 'hooks',
  schedules: 'schedules',
  keys: 'API keys',
  files: 'files',
  storage_bytes: 'bytes of files',
  tokens_per_day: 'tokens per day',
  tokens_per_month: 'tokens per month',
  dollars_per_day: 'US dollars per day',
  dollars_per_month: 'US dollars per month',
}

export const limitsUsage = (quotas: TenantQuotas): boolean =>
  Object.keys(USAGE_QUOTAS).some((name) => quotas[name as UsageQuota] !== undefined)

export const limitsDollars = ({ dollars_per_day, dollars_per_month }: TenantQuotas): boolean =>
  dollars_per_day !== undefined || dollars_per_month !== undefined

/** Returns the quotas after a change; undefined if none is left. */
export function changedQuotas(
  quotas: TenantQuotas = {},
  change: TenantQuotasChange = {},
): TenantQuotas | undefined {
  const next: Partial<Record<TenantQuota, number>> = {}
  for (const name of TENANT_QUOTAS) {
    const value = change[name] === undefined ? quotas[name] : change[name]
    if (value != null) next[name] = value
  }
  return Object.keys(next).length === 0 ? undefined : next
}

/** Describes quotas for the audit log, such as `active_runs 10, tokens_per_day 1000000`. */
export const quotasText = (quotas: TenantQuotas = {}): string =>
  TENANT_QUOTAS.flatMap((name) =>
    quotas[name] === undefined ? [] : `${name} ${quotas[name]}`,
  ).join(', ') || 'none'
