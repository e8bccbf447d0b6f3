/** Entries, passages and terms of memory's files. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merged } from '../../../src/core/memory/merge.ts'
import { passagesOf } from '../../../src/core/memory/passages.ts'
import { memoryFolder, memoryPath } from '../../../src/core/memory/scope.ts'
import { highlightsOf, termsOf } from '../../../src/core/memory/terms.ts'
import { cases } from '../../support/full.ts'
import { INPUT_BOUND, measured } from '../../support/measured.ts'

const line = fc.constantFrom(
  ...[
    '- tea',
    '- coffee',
    '* tea',
    'a paragraph',
    '',
    '# Head',
    '## Sub',
    '```',
    '  more',
    '1. one',
  ],
)
const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'))

describe('memory entries', () => {
  it('adding the same entry twice adds it once, and existing text is unchanged [ME-01]', () => {
    fc.assert(
      fc.property(text, text, (current, content) => {
        const once = merged(current, content, 'Facts')
        const twice = merged(once.text, content, 'Facts')
        expect(twice).toMatchObject({ text: once.text, added: 0 })
        const kept = once.text.split('\n')
        let at = 0
        for (const one of current.split('\n').filter((some) => some.trim() !== '')) {
          at = kept.indexOf(one, at) + 1
          expect(at).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('two additions leave the same items in either order', () => {
    const plain = text.map((whole) => whole.replaceAll('```', '- code'))
    const items = (whole: string): Set<string> =>
      new Set(whole.split('\n').flatMap((one) => /^(?:[-*]|1\.) (.*)/.exec(one)?.[1] ?? []))
    fc.assert(
      fc.property(plain, plain, (left, right) => {
        const one = merged(merged('', left, 'A').text, right, 'B').text
        const other = merged(merged('', right, 'B').text, left, 'A').text
        expect(items(one)).toEqual(items(other))
        expect(items(one)).toEqual(items(`${left}\n${right}`))
      }),
      { numRuns: cases(500) },
    )
  })
})

describe('memory passages', () => {
  it('contain every non-empty line once, with its position', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), (lines) => {
        const whole = lines.join('\n')
        const seen = passagesOf(whole).flatMap(({ from, to, text: said }) => {
          expect(
            whole
              .split('\n')
              .slice(from - 1, to)
              .join('\n')
              .trimEnd(),
          ).toBe(said)
          return said.split('\n').filter((one) => one.trim() !== '')
        })
        expect(seen).toEqual(lines.filter((one) => one.trim() !== ''))
      }),
    )
  })

  it('split a line of any length into passages of bounded length', () => {
    const found = passagesOf(`short\n${'x'.repeat(10_000)}\nend`)
    expect(Math.max(...found.map((one) => one.text.length))).toBeLessThanOrEqual(1_600)
    expect(found.at(-1)).toMatchObject({ from: 3, to: 3, text: 'end' })
  })

  it('pathological Markdown of 256 KB is processed within 50 ms [Z05]', () => {
    const size = 262_144
    for (const mark of ['[', '>', '*', '`', '#', '- ', '1. ', '\n', '# \n', '```\n']) {
      const hostile = mark.repeat(Math.floor(size / mark.length))
      measured(`passages of ${mark}`, () => passagesOf(hostile), INPUT_BOUND)
      measured(`terms of ${mark}`, () => termsOf(hostile), INPUT_BOUND)
      measured(`an addition to ${mark}`, () => merged(hostile, '- a\n\n## b\n- c'), INPUT_BOUND)
    }
  })
})

describe('memory search terms', () => {
  it('are words without case and accents, and character pairs in scripts without spaces', () => {
    const terms = (of: string) => termsOf(of).map(({ term }) => term)
    expect(terms('Café ÉTÉ naïve-word x_y')).toEqual(['cafe', 'ete', 'naive', 'word', 'x_y'])
    expect(terms('東京都')).toEqual(['東京', '京都', '都'])
    expect(terms('ガラス table')).toEqual(['ガラ', 'ラス', 'ス', 'table'])
    expect(terms('ＡＢＣ')).toEqual(['abc'])
  })

  it('positions point to their words, also outside the Basic Multilingual Plane', () => {
    const said = '😀 Łódź 𠮷野家'
    expect(termsOf(said).map(({ from, to }) => said.slice(from, to))).toEqual([
      ...['Łódź', '𠮷野', '野家', '家'],
    ])
    expect(highlightsOf('東京都に', new Set(['東京', '京都']))).toEqual([[0, 3]])
  })
})

describe('memory paths', () => {
  it('a path stays inside one memory and is Markdown [X-49]', () => {
    for (const path of ['shared/a.md', 'agents/x/y/z.md', 'sessions/ses_1/n.MD', 'roles/main/a.md'])
      expect(memoryPath(path)).toEqual({ ok: true, value: path })
    for (const path of ['a.md', 'shared/', 'shared/a.txt', 'agents/x.md', '../shared/a.md', ''])
      expect(memoryPath(path).ok).toBe(false)
    for (const path of ['shared/../agents/x/a.md', 'shared//a.md', '/shared/a.md', 'shared/\0.md'])
      expect(memoryPath(path).ok).toBe(false)
  })

  it('an ID that cannot be a path segment is replaced by its digest', () => {
    const owner = { agent: '../x', role: null, session: 'ses_1' }
    expect(memoryFolder('agent', owner)).toMatch(/^agents\/[0-9a-f]{16}\/$/)
    expect(memoryFolder('role', owner)).toBe('roles/main/')
    expect(memoryFolder('session', owner)).toBe('sessions/ses_1/')
  })
})
