/** The page of the audit log: its address, and the pages about changed resources. */

import { describe, expect, it } from 'vitest'
import { auditSearch, filtersOf } from '../../../src/console/audit/search.ts'
import {
  ACTIONS,
  authorTargetOf,
  type Entry,
  idOfName,
  KINDS,
  targetOf,
  versionAt,
} from '../../../src/console/audit/state.ts'

const entryOf = (changes: Partial<Entry>): Entry =>
  ({ layer: '', action: 'put', name: 'x', ...changes }) as Entry

describe('the address of the audit log', () => {
  it('keeps filters and a selected entry, and drops anything else', () => {
    const search = { kind: 'skill,agent', name: '7', 'created[gte]': '2026-11-01T00:00:00.000Z' }
    expect(auditSearch({ ...search, name: 7, sel: 'ver_a', tab: 'x', by: ' ' })).toEqual({
      ...search,
      sel: 'ver_a',
    })
    expect(auditSearch({ sel: 'run_a' })).toEqual({})
    expect(filtersOf({ sel: 'ver_a', by: 'system' })).toEqual({ by: 'system' })
  })

  it('offers each kind and action once', () => {
    expect(new Set(KINDS).size).toBe(21)
    expect(new Set(ACTIONS).size).toBe(28)
  })
})

describe('the page about a changed resource', () => {
  it('is its page in the console', () => {
    expect(targetOf(entryOf({ kind: 'run', name: 'run_a', action: 'cancel' }))).toEqual({
      to: '/runs/$run',
      params: { run: 'run_a' },
    })
    expect(targetOf(entryOf({ kind: 'approval', name: 'apr_a', action: 'deny' }))).toEqual({
      to: '/approvals',
      search: { tab: 'decided', sel: 'apr_a' },
    })
    expect(targetOf(entryOf({ kind: 'policy', name: 'policy' }))).toEqual({ to: '/settings' })
    const file = 'base/.agents/config.toml'
    expect(targetOf(entryOf({ kind: 'file', name: file }))).toEqual({
      to: '/layers',
      search: { file, pane: 'versions' },
    })
    expect(targetOf(entryOf({ kind: 'memory', name: 'shared/a.md' }))?.to).toBe('/memory')
    expect(targetOf(entryOf({ kind: 'schedule', name: 'nightly' }))?.to).toBe('/schedules')
  })

  it('is the entry of the effective configuration with its layer', () => {
    const skill = { kind: 'skill', name: 'greet', layer: 'roles/support/' } as const
    expect(targetOf(entryOf(skill))).toEqual({
      to: '/layers/effective',
      search: { role: 'support', kind: 'skills', name: 'greet' },
    })
    expect(targetOf(entryOf({ ...skill, kind: 'agent', layer: 'repos/shop/' }))).toEqual({
      to: '/layers/effective',
      search: { repo: 'repos/shop', name: 'greet' },
    })
    expect(targetOf(entryOf({ ...skill, layer: 'other/a/b/' }))).toBeUndefined()
  })

  it('is absent for a deleted resource, another ID, and kinds without a page', () => {
    expect(targetOf(entryOf({ kind: 'hook', name: 'hk_a', action: 'delete' }))).toBeUndefined()
    expect(targetOf(entryOf({ kind: 'run', name: 'x y' }))).toBeUndefined()
    expect(targetOf(entryOf({ kind: 'sign_in_link', name: 'x' }))).toBeUndefined()
    expect(targetOf(entryOf({ kind: 'file', name: 'repos/app/' }))).toBeUndefined()
  })

  it('is the run or the key that made the change', () => {
    expect(authorTargetOf('run_a', false)).toEqual({ to: '/runs/$run', params: { run: 'run_a' } })
    const key = '3v7b0d1x9k2m4q8r'
    expect(authorTargetOf(key, true)).toEqual({ to: '/keys', search: { sel: key } })
    expect(authorTargetOf(key, false)).toBeUndefined()
    for (const by of ['system', 'unknown', 'tok_a'])
      expect(authorTargetOf(by, true)).toBeUndefined()
  })
})

describe('the filter by a key', () => {
  it('takes the name of a key or its ID', () => {
    const names = new Map([
      ...([['b', 'Desk'] as const, ['a', 'Desk'] as const, ['c', 'a'] as const] as const),
    ])
    expect(idOfName(names, 'desk')).toBe('b')
    expect(idOfName(names, 'a')).toBe('a')
    expect(idOfName(names, 'run_a')).toBe('run_a')
  })
})

describe('the version before a change', () => {
  async function* listOf(...versions: readonly string[]) {
    for (const version of versions) yield { version }
  }

  it('is the next one of the list, on whichever page', async () => {
    expect(await versionAt(listOf('ver_c', 'ver_b', 'ver_a'), 'ver_b')).toEqual({
      previous: 'ver_a',
    })
    expect(await versionAt(listOf('ver_b', 'ver_a'), 'ver_a')).toEqual({ previous: undefined })
    expect(await versionAt(listOf('ver_b'), 'ver_a')).toBeUndefined()
  })
})
