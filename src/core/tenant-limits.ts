/**
 * Limits of one tenant, as its operator sets them: what it may have at once, and spend in a day or
 * a month of UTC. Limits of the deployment count beside them; one that is not set adds nothing.
 */

export const TENANT_LIMITS = [
  'live_runs',
  'tokens_per_day',
  'tokens_per_month',
  'dollars_per_day',
  'dollars_per_month',
  'files',
  'storage_bytes',
  'schedules',
  'endpoints',
] as const

export type TenantLimit = (typeof TENANT_LIMITS)[number]

/** Those that are set. */
export type TenantLimits = Readonly<Partial<Record<TenantLimit, number>>>

/** Absent: as it was; null: none. */
export type TenantLimitsChange = {
  readonly [name in TenantLimit]?: number | null | undefined
}

export const limitsDollars = (limits: TenantLimits): boolean =>
  limits.dollars_per_day !== undefined || limits.dollars_per_month !== undefined

/** For people. */
export const LIMIT_WORDS: Readonly<Record<TenantLimit, string>> = {
  live_runs: 'runs that have not ended',
  tokens_per_day: 'tokens a day',
  tokens_per_month: 'tokens a month',
  dollars_per_day: 'US dollars a day',
  dollars_per_month: 'US dollars a month',
  files: 'files',
  storage_bytes: 'bytes of files',
  schedules: 'schedules',
  endpoints: 'endpoints',
}

/** Undefined: none is left. `change`: null takes all of them away. */
export function changedLimits(
  before: TenantLimits | undefined,
  change: TenantLimitsChange | null | undefined,
): TenantLimits | undefined {
  if (change === undefined) return before
  const next: Partial<Record<TenantLimit, number>> = {}
  for (const name of TENANT_LIMITS) {
    const value =
      change === null ? null : change[name] === undefined ? before?.[name] : change[name]
    if (value != null) next[name] = value
  }
  return Object.keys(next).length === 0 ? undefined : next
}

/** `live_runs 10, files 100`; for the audit. */
export const limitsText = (limits: TenantLimits | undefined): string =>
  TENANT_LIMITS.flatMap((name) =>
    limits?.[name] === undefined ? [] : `${name} ${limits[name]}`,
  ).join(', ') || 'none'
