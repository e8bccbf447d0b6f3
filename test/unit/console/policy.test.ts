/** The page of settings: its address and search, and the policy as a form. */

import { describe, expect, it } from 'vitest'
import {
  draftOf,
  hasChanges,
  isDraft,
  linesOf,
  listOf,
  type Members,
  policyOf,
  rebased,
  textOf,
  valueAt,
  withValue,
} from '../../../src/console/settings/policy-state.ts'
import { hasWords, settingsSearch } from '../../../src/console/settings/search.ts'

const POLICY: Members = {
  ...{ deny: { skills: [], servers: ['old-*'], tools: [] }, approvals: {}, strict: false },
  ...{ prices: {}, model_patience_seconds: null, web: { robots: 'respect' } },
  ...{ user_facing_tools: null, model_aliases: {}, skills_role_dir: 'skills' },
  ...{ cors_origins: null, approval_links: null, memory: { scope: null, start: true } },
}

describe('the address of the settings', () => {
  it('keeps a tab and a search, and drops anything else', () => {
    expect(settingsSearch({ tab: 'limits', q: ' steps ', x: 1 })).toEqual({
      tab: 'limits',
      q: 'steps',
    })
    expect(settingsSearch({ tab: 'policy', q: '' })).toEqual({})
    expect(settingsSearch({ tab: 'nope' })).toEqual({})
  })

  it('finds rows by words in any order', () => {
    expect(hasWords('MAX steps', ['steps_max', null])).toBe(true)
    expect(hasWords('steps tokens', ['steps_max'])).toBe(false)
    expect(hasWords('', ['x'])).toBe(true)
  })
})

describe('the form of the policy', () => {
  it('returns the policy that was read, in the same order', () => {
    expect(textOf(policyOf(draftOf(POLICY, '"1"')) as Members)).toBe(textOf(POLICY))
  })

  it('changes fields, lists, and members of the JSON', () => {
    const draft = draftOf(POLICY, '"1"')
    const fields = withValue(withValue(POLICY, 'strict', true), 'deny.tools', listOf(' a \n\nb'))
    const json = draft.json.replace('"approvals": {}', '"approvals": {"file_write": "ask"}')
    const edited = policyOf({ ...draft, fields, json, patience: ' 60 ' }) as Members
    expect(edited).toMatchObject({
      ...{ strict: true, approvals: { file_write: 'ask' }, model_patience_seconds: 60 },
      deny: { skills: [], servers: ['old-*'], tools: ['a', 'b'] },
    })
    expect(linesOf(valueAt(edited, 'deny.tools'))).toBe('a\nb')
  })

  it('ignores a stored value of another form', () => {
    const draft = draftOf(POLICY, '"1"')
    expect(isDraft(JSON.parse(JSON.stringify(draft)))).toBe(true)
    for (const value of [null, [], {}, { ...draft, json: 1 }, { ...draft, fields: null }])
      expect(isDraft(value)).toBe(false)
  })

  it('says what is wrong with a text', () => {
    const draft = draftOf(POLICY, '"1"')
    expect(policyOf({ ...draft, json: '{' })).toBe('json')
    expect(policyOf({ ...draft, json: '[]' })).toBe('members')
    expect(policyOf({ ...draft, json: '{"strict": true}' })).toBe('members')
    expect(policyOf({ ...draft, patience: 'soon' })).toBe('patience')
  })
  it('removes a member that the JSON no longer has, and adds one that the policy did not have', () => {
    const { prices: _, ...base } = POLICY
    const draft = draftOf(base, '"1"')
    expect(policyOf({ ...draft, json: '{"prices": {"a": 1}}' })).toEqual({
      ...{ deny: POLICY.deny, strict: false, model_patience_seconds: null },
      ...{ web: POLICY.web, memory: POLICY.memory, prices: { a: 1 } },
    })
    const removed = policyOf({ ...draft, json: '{}' }) as Members
    expect(Object.keys(removed)).toEqual([
      ...['deny', 'strict', 'model_patience_seconds', 'web', 'memory'],
    ])
  })

  it('has no changes if it equals the policy that was read', () => {
    const draft = draftOf(POLICY, '"1"')
    const members = Object.entries(JSON.parse(draft.json)).toReversed()
    const isChanged = (json: string): boolean => hasChanges({ ...draft, json })
    expect(isChanged(JSON.stringify(Object.fromEntries(members)))).toBe(false)
    for (const json of ['{}', '{', draft.json.replace('"skills"', '"roles"')])
      expect(isChanged(json)).toBe(true)
  })
})

describe('a draft on top of a newer policy', () => {
  it('keeps the changes of both, and names values that both changed', () => {
    const deny = { skills: ['mine'], servers: ['old-*'], tools: ['mine'] }
    const edited = { ...POLICY, strict: true, deny, prices: { both: { input: 1 }, mine: 1 } }
    const newer = {
      ...{ ...POLICY, skills_role_dir: 'roles', prices: { both: { input: 2 }, theirs: 1 } },
      deny: { skills: [], servers: [], tools: ['theirs'] },
    }
    const { draft, conflicts } = rebased(POLICY, edited, newer, '"2"')
    expect(conflicts.toSorted()).toEqual(['deny.tools', 'prices.both.input'])
    expect(draft.etag).toBe('"2"')
    expect(draft.base).toBe(newer)
    expect(policyOf(draft)).toEqual({
      ...{ ...newer, strict: true, deny: { ...deny, servers: [] } },
      prices: { both: { input: 1 }, mine: 1, theirs: 1 },
    })
  })

  it('removes what one of both removed, unless the other changed it', () => {
    const base = { ...POLICY, prices: { a: 1, b: 1, c: 1 } }
    const edited = { ...POLICY, prices: { b: 1, c: 2 } }
    const newer = { ...POLICY, prices: { a: 1 } }
    const { draft, conflicts } = rebased(base, edited, newer, '"2"')
    expect(conflicts).toEqual(['prices.c'])
    expect(policyOf(draft)).toEqual({ ...POLICY, prices: { c: 2 } })
  })

  it('has no conflict if both made the same change', () => {
    const edited = { ...POLICY, strict: true }
    expect(rebased(POLICY, edited, edited, '"2"').conflicts).toEqual([])
  })
})
