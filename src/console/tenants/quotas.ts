/** Quotas of a tenant or an API key as the fields of a form. */

import type { components } from '../../client/index.ts'

export type Quotas = components['schemas']['TenantQuotas']
export type QuotaName = keyof Quotas
type KeyQuotaName = keyof components['schemas']['ApiKeyQuotas']

export const QUOTA_NAMES = [
  ...(['active_runs', 'queued_runs', 'children'] as const),
  ...(['endpoints', 'hooks', 'schedules', 'keys'] as const),
  ...(['files', 'storage_bytes'] as const),
  ...(['tokens_per_day', 'tokens_per_month'] as const),
  ...(['dollars_per_day', 'dollars_per_month'] as const),
] as const satisfies readonly QuotaName[]

/** Largest values that the API accepts. */
const MOST: Readonly<Partial<Record<QuotaName, number>>> = {
  ...{ active_runs: 1_000, queued_runs: 1_000, children: 1_000, files: 1e9 },
  ...{ endpoints: 50, hooks: 100, schedules: 100, keys: 100 },
  ...{ dollars_per_day: 1e9, dollars_per_month: 1e9 },
}
export const mostOf = (name: QuotaName): number => MOST[name] ?? Number.MAX_SAFE_INTEGER

/** Quotas that an API key can have. */
export const KEY_QUOTA_NAMES = QUOTA_NAMES.filter(
  (name) => name !== 'files' && name !== 'storage_bytes',
) as readonly KeyQuotaName[]

/** Text of each field; empty without a quota. */
export type QuotaFields = Readonly<Record<QuotaName, string>>

export const fieldsOf = (quotas: Quotas): QuotaFields =>
  Object.fromEntries(
    QUOTA_NAMES.map((name) => [name, quotas[name] === undefined ? '' : String(quotas[name])]),
  ) as QuotaFields

/** Whether the API accepts the text of a field. */
export function isQuota(name: QuotaName, text: string): boolean {
  if (text.trim() === '') return true
  const isDollars = name.startsWith('dollars')
  if (!/^\d{1,15}(?:\.\d{1,9})?$/.test(text.trim())) return false
  const value = Number(text)
  return (isDollars || Number.isInteger(value)) && value <= mostOf(name)
}

/** Whether the API accepts all fields. */
export const hasQuotas = (fields: QuotaFields): boolean =>
  QUOTA_NAMES.every((name) => isQuota(name, fields[name]))

/** Returns the change from one state to another; an emptied field removes its quota. */
export function quotaChange(quotas: Quotas, fields: QuotaFields): Record<string, number | null> {
  const change: Record<string, number | null> = {}
  for (const name of QUOTA_NAMES) {
    const text = fields[name].trim()
    const value = text === '' ? null : Number(text)
    if (value !== (quotas[name] ?? null)) change[name] = value
  }
  return change
}
