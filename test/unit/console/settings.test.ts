/** The compare tab without React: its address, settings side by side, and arguments as text. */

import { describe, expect, it } from 'vitest'
import { runIdIn, runSearch, targetOf } from '../../../src/console/run/search.ts'
import { entryPairs, settingsOf } from '../../../src/console/run/settings.ts'
import { membersText } from '../../../src/console/text/json.ts'

const A = `run_${'a'.repeat(26)}`
const B = `run_${'b'.repeat(26)}`

describe('the address of a comparison', () => {
  it('keeps the compared run, also a wrong one, and drops what is no text', () => {
    expect(runSearch({ tab: 'compare', with: B })).toEqual({ tab: 'compare', with: B })
    expect(runSearch({ tab: 'nope', with: 12 })).toEqual({ with: '12' })
    for (const value of [undefined, '', ['x'], {}, null])
      expect(runSearch({ with: value })).toEqual({})
  })

  it('is a run, the same run, or no ID', () => {
    expect(targetOf(undefined, A)).toEqual({ kind: 'none' })
    expect(targetOf(A, A)).toEqual({ kind: 'same' })
    expect(targetOf(B, A)).toEqual({ kind: 'run', id: B })
    for (const text of ['run_', `${B}x`, ` ${B}`, 'ses_1', '12']) {
      expect(targetOf(text, A)).toEqual({ kind: 'invalid', text })
    }
  })

  it('finds the ID in a pasted text or link', () => {
    expect(runIdIn(` ${B}\n`)).toBe(B)
    expect(runIdIn(`https://x.test/console/runs/${A}?tab=compare&with=${B}`)).toBe(A)
    expect([runIdIn('run_short'), runIdIn(`x${B}`), runIdIn(`${B}b`)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('settings of two runs', () => {
  it('have one name per value; a value that is absent and null are equal', () => {
    const left = {
      model: 'a',
      limits: { max_steps: 9, max_tokens: null },
      tools: ['x'],
      meta: { b: 1 },
    }
    const right = {
      model: 'b',
      limits: { max_steps: 9 },
      tools: ['x', 'y'],
      label: 'l',
      meta: { b: 1 },
    }
    expect(settingsOf(left, right)).toEqual([
      { name: 'model', left: 'a', right: 'b' },
      { name: 'limits.max_steps', left: '9', right: '9' },
      { name: 'tools', left: '["x"]', right: '["x","y"]' },
      { name: 'meta.b', left: '1', right: '1' },
      { name: 'label', left: undefined, right: 'l' },
    ])
  })

  it('have entries that were added, removed, or changed, whatever the order of their members', () => {
    const left = [
      { name: 'a', x: 1 },
      { name: 'b', x: 1 },
      { name: 'c', x: 1 },
    ]
    const right = [
      { x: 1, name: 'c' },
      { name: 'b', x: 2 },
      { name: 'd', x: 1 },
    ]
    const pairs = entryPairs(left, right, ({ name }) => name)
    expect(pairs.map(({ name, change }) => `${name} ${change}`)).toEqual([
      ...['a removed', 'b changed', 'd added'],
    ])
    expect(pairs[1]?.right).toContain('"x": 2')
    expect(entryPairs(left, left, ({ name }) => name)).toEqual([])
  })
})

describe('arguments as text', () => {
  it('have a line per member in alphabetical order, with the line breaks of texts', () => {
    const text = '{"path": "a.txt", "content": "one\\ntwo", "at": {"b": 1}}'
    expect(membersText(text)).toBe(
      ['at: {', '  "b": 1', '}'].join('\n').replace('at: {', 'at:\n{') +
        '\ncontent:\none\ntwo\npath: a.txt',
    )
    expect(membersText('not json')).toBe('not json')
  })
})
