/** The page of API keys: scopes by family, the form, and the state of a key. */

import { describe, expect, it } from 'vitest'
import { keySearch } from '../../../src/console/keys/search.ts'
import {
  changesOf,
  EMPTY,
  editOf,
  FAMILIES,
  familyRows,
  inputOf,
  isGrant,
  isSelected,
  type Key,
  scopesOf,
  stateOf,
  toggledScope,
  usedRange,
} from '../../../src/console/keys/state.ts'
import { SCOPES } from '../../../src/core/scopes.ts'

const NOW = Date.UTC(2026, 10, 30, 12)
const DAY_MS = 86_400_000
const keyOf = (changes: Partial<Key>): Key =>
  ({ expired: false, expires_at: null, ...changes }) as Key

describe('the address of a key', () => {
  it('keeps an ID and drops anything else', () => {
    expect(keySearch({ sel: '3v7b0d1x9k2m4q8r', q: 'x' })).toEqual({ sel: '3v7b0d1x9k2m4q8r' })
    for (const sel of ['', '<b>', 7, undefined]) expect(keySearch({ sel })).toEqual({})
  })
})

describe('the scopes of a key', () => {
  it('are those of the API', () => {
    const scopes = Object.entries(FAMILIES).flatMap(([family, actions]) =>
      actions.map((action) => `${family}:${action}`),
    )
    expect(scopes.toSorted()).toEqual(SCOPES.toSorted())
  })

  it('have a row per family, whether granted singly, as a family, or all', () => {
    const rowOf = (family: string, scopes: readonly string[]) =>
      familyRows(scopes).find((row) => row.family === family)?.has
    expect(rowOf('runs', ['runs:read'])).toEqual({ read: true, write: false, raw: null })
    expect(rowOf('runs', ['runs:*'])).toEqual({ read: true, write: true, raw: null })
    expect(rowOf('config', ['*'])).toEqual({ read: null, write: null, raw: true })
    expect(rowOf('audit', ['runs:*'])).toEqual({ read: false, write: null, raw: null })
    const [layers] = familyRows(['layers:write:roles/support/']).filter((row) => row.layers.length)
    expect(layers).toMatchObject({ family: 'layers', layers: ['roles/support/'] })
    expect(layers?.has.write).toBe(false)
  })

  it('are replaced by a broader scope in the form', () => {
    const single = toggledScope(toggledScope([], 'runs:read'), 'audit:read')
    expect(single).toEqual(['runs:read', 'audit:read'])
    expect(toggledScope(single, 'runs:*')).toEqual(['audit:read', 'runs:*'])
    expect(toggledScope(single, '*')).toEqual(['*'])
    expect(toggledScope(single, 'runs:read')).toEqual(['audit:read'])
    expect(isSelected(['runs:*'], 'runs:write')).toBe(true)
    expect(isSelected(['runs:*'], 'audit:read')).toBe(false)
  })

  it('may be limited to layers, unless all layers may be changed', () => {
    const draft = { ...EMPTY, scopes: ['runs:*'], layers: 'roles/support, base/' }
    expect(scopesOf(draft)).toEqual([
      ...['runs:*', 'layers:write:roles/support/', 'layers:write:base/'],
    ])
    expect(scopesOf({ ...draft, scopes: ['layers:write'] })).toEqual(['layers:write'])
  })
})

describe('the form of a key', () => {
  it('sends the time of the expiry, or none', () => {
    const draft = { ...EMPTY, name: ' ci ', scopes: ['runs:*'] }
    const week = inputOf({ ...draft, expiry: '7' }, NOW)
    expect(week).toEqual({ name: 'ci', scopes: ['runs:*'], expires_at: '2026-12-07T12:00:00.000Z' })
    expect(inputOf({ ...draft, expiry: 'none', name: '' }, NOW)).toEqual({ scopes: ['runs:*'] })
    const exact = inputOf({ ...draft, expiry: 'date', date: '2027-01-01T00:00Z' }, NOW)
    expect(exact.expires_at).toBe('2027-01-01T00:00:00.000Z')
    expect(inputOf({ ...draft, expiry: 'date', date: 'soon' }, NOW).expires_at).toBeUndefined()
  })

  it('sends the quotas that are filled in', () => {
    const draft = { ...EMPTY, scopes: ['runs:*'] }
    const withQuota = (active_runs: string) => ({
      ...draft,
      quotas: { ...draft.quotas, active_runs },
    })
    expect(inputOf(withQuota('5'), NOW).quotas).toEqual({ active_runs: 5 })
  })
})

describe('the change of a key', () => {
  const key = keyOf({
    ...{ name: 'ci', addresses: null, rate_limits: null },
    scopes: ['runs:*', 'layers:write:roles/support/'],
  })

  it('has the grants of layers as prefixes, and sends them only if they change', () => {
    const edit = editOf(key)
    expect(edit).toMatchObject({ scopes: ['runs:*'], layers: 'roles/support/' })
    expect(changesOf(key, edit)).toEqual({})
    expect(changesOf(key, { ...edit, name: 'desk' })).toEqual({ name: 'desk' })
    const more = changesOf(key, { ...edit, layers: 'roles/support/ base' })
    expect(more).toEqual({ scopes: [...key.scopes, 'layers:write:base/'] })
    expect(changesOf(key, { ...edit, layers: '' })).toEqual({ scopes: ['runs:*'] })
    const limited = { ...key, quotas: { active_runs: 5, dollars_per_day: 2 } }
    const quotas = { ...editOf(limited).quotas, active_runs: '', tokens_per_day: '9' }
    expect(changesOf(limited, { ...editOf(limited), quotas })).toEqual({
      quotas: { active_runs: null, tokens_per_day: 9 },
    })
  })

  it('needs a scope, and prefixes that the API accepts', () => {
    expect(isGrant({ scopes: [], layers: '' })).toBe(false)
    expect(isGrant({ scopes: [], layers: 'repos/a/b roles/x.y' })).toBe(true)
    for (const layers of ['roles/*', '../x/', '/roles/', 'roles//x'])
      expect(isGrant({ scopes: ['runs:*'], layers })).toBe(false)
    expect(isGrant({ scopes: ['layers:write'], layers: 'roles/*' })).toBe(true)
  })
})

describe('the state of a key', () => {
  it('has the hour of the last use, which begins no earlier than the key', () => {
    const created_at = '2026-11-30T06:17:00.000Z'
    const rangeOf = (last_used_at: string | null) => {
      const range = usedRange(keyOf({ created_at, last_used_at }))
      return range && [range.from, range.to].map((ms) => new Date(ms).toISOString().slice(11, 16))
    }
    expect(rangeOf(null)).toBeUndefined()
    expect(rangeOf('2026-11-30T06:00:00.000Z')).toEqual(['06:17', '07:00'])
    expect(rangeOf('2026-11-30T08:00:00.000Z')).toEqual(['08:00', '09:00'])
  })

  it('warns within a week of the expiry', () => {
    const timeAt = (ms: number) => new Date(NOW + ms).toISOString()
    expect(stateOf(keyOf({}), NOW)).toBe('active')
    expect(stateOf(keyOf({ expires_at: timeAt(8 * DAY_MS) }), NOW)).toBe('active')
    expect(stateOf(keyOf({ expires_at: timeAt(6 * DAY_MS) }), NOW)).toBe('ending')
    expect(stateOf(keyOf({ expired: true, expires_at: timeAt(-1) }), NOW)).toBe('expired')
  })
})
