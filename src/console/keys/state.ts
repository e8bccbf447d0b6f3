/** API keys as the page shows and creates them: state, scopes by family, and the form. */

import type { components } from '../../client/index.ts'
import { fieldsOf, type QuotaFields, quotaChange } from '../tenants/quotas.ts'

export type Key = components['schemas']['ApiKey']
type Input = components['schemas']['ApiKeyInput']

/** Actions of each family of scopes. */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  runs: ['read', 'write'],
  secrets: ['read', 'write'],
  sessions: ['read', 'write'],
  approvals: ['read', 'write'],
  schedules: ['read', 'write'],
  hooks: ['read', 'write'],
  webhooks: ['read', 'write'],
  layers: ['read', 'write'],
  memory: ['read', 'write'],
  policy: ['read', 'write'],
  keys: ['read', 'write'],
  tenants: ['read', 'write'],
  audit: ['read'],
  metrics: ['read'],
  config: ['raw'],
}

/** Columns of the table of scopes. */
export const ACTIONS = ['read', 'write', 'raw'] as const
export type Action = (typeof ACTIONS)[number]

interface FamilyRow {
  readonly family: string
  /** Whether the key has each action; null for actions that the family does not have. */
  readonly has: Readonly<Record<Action, boolean | null>>
  /** Layers to which `layers:write` is limited. */
  readonly layers: readonly string[]
}

const LAYER_GRANT = 'layers:write:'

/** Returns a row for each family, also for families of which the key has no scope. */
export function familyRows(scopes: readonly string[]): readonly FamilyRow[] {
  return Object.entries(FAMILIES).map(([family, actions]) => {
    const hasAll = scopes.includes('*') || scopes.includes(`${family}:*`)
    const has = (action: Action): boolean | null =>
      actions.includes(action) ? hasAll || scopes.includes(`${family}:${action}`) : null
    return {
      family,
      has: { read: has('read'), write: has('write'), raw: has('raw') },
      layers: family === 'layers' ? limitedLayers(scopes) : [],
    }
  })
}

const limitedLayers = (scopes: readonly string[]): readonly string[] =>
  scopes.flatMap((scope) => (scope.startsWith(LAYER_GRANT) ? scope.slice(LAYER_GRANT.length) : []))

const HOUR_MS = 3_600_000

/**
 * Returns the times in milliseconds between which a key was last used, since the API rounds the
 * time down to the hour; undefined if the key was never used.
 */
export function usedRange({ created_at, last_used_at }: Key) {
  if (last_used_at === null) return undefined
  const hour = Date.parse(last_used_at)
  return { from: Math.max(hour, Date.parse(created_at)), to: hour + HOUR_MS }
}

export type KeyState = 'active' | 'ending' | 'expired'

const SOON_MS = 7 * 86_400_000

/** Returns the state of a key; `ending` if it expires within a week. */
export function stateOf({ expired, expires_at }: Key, now = Date.now()): KeyState {
  if (expired) return 'expired'
  return expires_at !== null && Date.parse(expires_at) - now < SOON_MS ? 'ending' : 'active'
}

/** Days until a new key expires; `none` for no time, and `date` for an entered time. */
export const EXPIRIES = ['none', '7', '30', '90', '365', 'date'] as const
type Expiry = (typeof EXPIRIES)[number]

/** Values of the form. */
export interface Draft {
  readonly name: string
  readonly scopes: readonly string[]
  /** Prefixes of layers that the key may change, separated by spaces. */
  readonly layers: string
  readonly expiry: Expiry
  /** Entered time in the format of the field. */
  readonly date: string
  readonly quotas: QuotaFields
}

export const EMPTY: Draft = {
  ...{ name: '', scopes: [], layers: '', expiry: '90', date: '' },
  quotas: fieldsOf({}),
}

/** Whether the form selects a scope directly, or through a broader one. */
export function isSelected(scopes: readonly string[], scope: string): boolean {
  const [family = ''] = scope.split(':')
  return scopes.includes('*') || scopes.includes(`${family}:*`) || scopes.includes(scope)
}

/** Adds a scope to the selection, or removes it; a broader scope replaces narrower ones. */
export function toggledScope(scopes: readonly string[], scope: string): readonly string[] {
  if (scopes.includes(scope)) return scopes.filter((other) => other !== scope)
  if (scope === '*') return ['*']
  const [family = '', action] = scope.split(':')
  const isBroader = action === '*'
  const narrower = scopes.filter((other) => !isBroader || !other.startsWith(`${family}:`))
  return [...narrower, scope]
}

const prefixesOf = (layers: string): readonly string[] =>
  layers
    .split(/[\s,]+/)
    .filter((prefix) => prefix !== '')
    .map((prefix) => (prefix.endsWith('/') ? prefix : `${prefix}/`))

/** Whether the API accepts all entered prefixes of layers. */
export const hasPrefixes = (layers: string): boolean =>
  prefixesOf(layers).every((prefix) => /^(?:(?!\.{1,2}\/)[\w.-]+\/)+$/.test(prefix))

/** Returns the scopes that the form selects. */
export function scopesOf({ scopes, layers }: Pick<Draft, 'scopes' | 'layers'>): readonly string[] {
  if (isSelected(scopes, 'layers:write')) return scopes
  return [...scopes, ...prefixesOf(layers).map((prefix) => `${LAYER_GRANT}${prefix}`)]
}

/** Whether the API accepts the selection: at least one scope, and no wrong prefix. */
export function isGrant(selection: Pick<Draft, 'scopes' | 'layers'>): boolean {
  const { scopes, layers } = selection
  const isUsed = !isSelected(scopes, 'layers:write')
  return scopesOf(selection).length > 0 && (!isUsed || hasPrefixes(layers))
}

const DAY_MS = 86_400_000

/** Returns the body of the request that creates the key. */
export function inputOf(draft: Draft, now = Date.now()): Input {
  const { name, expiry, date } = draft
  const quotas = quotaChange({}, draft.quotas)
  const expiresAt =
    expiry === 'none' ? NaN : expiry === 'date' ? Date.parse(date) : now + Number(expiry) * DAY_MS
  return {
    scopes: [...scopesOf(draft)],
    ...(name.trim() && { name: name.trim() }),
    ...(!Number.isNaN(expiresAt) && { expires_at: new Date(expiresAt).toISOString() }),
    ...(Object.keys(quotas).length > 0 && { quotas }),
  }
}

/** Times in seconds for which a rotated key stays valid. */
export const OVERLAPS = ['0', '3600', '86400', '604800'] as const

/** Fields of the dialog that changes a key. */
export interface Edit {
  readonly name: string
  readonly scopes: readonly string[]
  /** Prefixes of layers that the key may change, separated by spaces. */
  readonly layers: string
  /** Addresses and ranges, separated by blanks, commas, or line breaks; empty for all addresses. */
  readonly addresses: string
  /** Requests per second; empty for the deployment's default. */
  readonly rate: string
  readonly quotas: QuotaFields
}

export const editOf = ({ name, scopes, addresses, rate_limits, quotas }: Key): Edit => ({
  scopes: scopes.filter((scope) => !scope.startsWith(LAYER_GRANT)),
  layers: limitedLayers(scopes).join(' '),
  ...{ name: name ?? '', addresses: addresses?.join('\n') ?? '' },
  rate: String(rate_limits?.requests_per_second ?? ''),
  quotas: fieldsOf(quotas ?? {}),
})

/** Returns the changed members only, so that other changes of the key are kept. */
export function changesOf(key: Key, edit: Edit): components['schemas']['ApiKeyPatch'] {
  const start = editOf(key)
  const addresses = edit.addresses.split(/[\s,]+/).filter((address) => address !== '')
  const { requests_per_second: _, ...otherLimits } = key.rate_limits ?? {}
  const limits =
    edit.rate === '' ? otherLimits : { ...otherLimits, requests_per_second: Number(edit.rate) }
  const quotas = quotaChange(key.quotas ?? {}, edit.quotas)
  const hasScopes = `${edit.scopes} ${edit.layers}` === `${start.scopes} ${start.layers}`
  return {
    ...(edit.name.trim() !== start.name && { name: edit.name.trim() || null }),
    ...(!hasScopes && { scopes: [...scopesOf(edit)] as Input['scopes'] }),
    ...(edit.addresses !== start.addresses && {
      addresses: addresses.length > 0 ? addresses : null,
    }),
    ...(edit.rate !== start.rate && {
      rate_limits: Object.keys(limits).length > 0 ? limits : null,
    }),
    ...(Object.keys(quotas).length > 0 && { quotas }),
  }
}
