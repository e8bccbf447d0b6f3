/** The page of settings: its address and search, and the policy as a form. */

import { describe, expect, it } from 'vitest'
import {
  draftOf,
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
})

describe('a draft on top of a newer policy', () => {
  it('keeps the changes of both, and names members that both changed', () => {
    const edited = { ...POLICY, strict: true, prices: { mine: 1 } }
    const newer = { ...POLICY, prices: { theirs: 1 }, skills_role_dir: 'roles' }
    const { draft, conflicts } = rebased(POLICY, edited, newer, '"2"')
    expect(conflicts).toEqual(['prices'])
    expect(draft.etag).toBe('"2"')
    expect(draft.base).toBe(newer)
    expect(policyOf(draft)).toEqual({ ...newer, strict: true, prices: { mine: 1 } })
  })

  it('has no conflict if both made the same change', () => {
    const edited = { ...POLICY, strict: true }
    expect(rebased(POLICY, edited, edited, '"2"').conflicts).toEqual([])
  })
})
