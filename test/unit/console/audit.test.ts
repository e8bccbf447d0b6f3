/** The page of the audit log: its address, and the pages about changed resources. */

import { describe, expect, it } from 'vitest'
import { auditSearch, filtersOf } from '../../../src/console/audit/search.ts'
import { ACTIONS, type Entry, KINDS, runOf, targetOf } from '../../../src/console/audit/state.ts'

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
    expect(new Set(KINDS).size).toBe(19)
    expect(new Set(ACTIONS).size).toBe(23)
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

  it('has the run that made the change', () => {
    expect(runOf('run_a')).toBe('run_a')
    expect(runOf('system')).toBeUndefined()
  })
})
