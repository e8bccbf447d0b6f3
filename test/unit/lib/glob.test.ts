import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contains, placesOf } from '../../../src/lib/find.ts'
import { globMatcher, matchSegment } from '../../../src/lib/glob.ts'
import { cases } from '../../support/full.ts'
import { INPUT_BOUND, measured } from '../../support/measured.ts'

const PATHS = Array.from(
  { length: 5_000 },
  (_, i) => `src/${'a'.repeat(100)}${i}/${'ab'.repeat(50)}/${'a'.repeat(100)}/${i}file.ts`,
)

/** Stands for a written `**`: one that only comes of braces, as in `*{a,}*`, means `*`. */
const FOLDERS = '\u0001'

/** The plain meaning of a glob, slowly: braces written out from the innermost, then folder by folder. */
function means(pattern: string, path: string): boolean {
  const brace = /\{([^{}]*)\}/.exec(pattern)
  if (brace) {
    const [whole, inner = ''] = brace
    const before = pattern.slice(0, brace.index)
    const after = pattern.slice(brace.index + whole.length)
    return inner.split(',').some((one) => means(`${before}${one}${after}`, path))
  }
  return folders(pattern.split('/'), path.split('/'))
}

function folders([piece, ...pieces]: string[], names: string[]): boolean {
  if (piece === undefined) return names.length === 0
  if (piece === FOLDERS) {
    if (pieces.length === 0) return names.length > 0
    return names.some((_, at) => folders(pieces, names.slice(at))) || folders(pieces, [])
  }
  const [name, ...rest] = names
  return name !== undefined && matchSegment(piece, name) && folders(pieces, rest)
}

describe('globs', () => {
  it('no glob is expensive: 5,000 long paths are matched within its budget [A09]', () => {
    const hostile = [
      '{a,{b,{c,{d,e}}}}'.repeat(11),
      '{a,b,c,d,e,f,g,h}'.repeat(11),
      '{,}'.repeat(66),
      `{${'{,'.repeat(60)}${'}'.repeat(60)}}`,
      `${'*a'.repeat(99)}b`,
      `*${'?'.repeat(190)}b`,
      `${'**/'.repeat(60)}*b`,
      '{*,**,?}{*,?}{*,?}{*,?}{*,?}{*,?}{*,?}{*,?}{*,?}{*,?}x',
      `{${'*a,'.repeat(60)}b}`,
    ]
    for (const pattern of hostile) {
      expect(pattern.length).toBeLessThanOrEqual(200)
      measured(
        pattern,
        () => {
          try {
            return PATHS.filter(globMatcher(pattern)!)
          } catch (error) {
            expect((error as Error).name).toBe('Exhausted')
          }
        },
        INPUT_BOUND,
      )
    }
  })

  it('any glob of 200 characters is matched within its budget [A09]', () => {
    const piece = fc.constantFrom(
      '*',
      '**',
      '**/',
      '?',
      '{',
      '}',
      ',',
      'a',
      'b',
      '/',
      '{a,b}',
      '😀',
    )
    const glob = fc.array(piece, { maxLength: 100 }).map((all) => all.join('').slice(0, 200))
    fc.assert(
      fc.property(glob, (pattern) => {
        measured(
          pattern,
          () => {
            try {
              return PATHS.slice(0, 1_000).filter(globMatcher(pattern)!)
            } catch (error) {
              expect((error as Error).name).toBe('Exhausted')
            }
          },
          INPUT_BOUND,
        )
      }),
      { numRuns: cases(100) },
    )
  })

  it('match the same as their expanded braces, including nested ones', () => {
    const name = fc.constantFrom('a', 'b', '*', '?', 'ab', '{a,b}', '{a*,{b,?}}', '{a,}', '}', ',')
    const folder = fc.oneof(
      { arbitrary: fc.constant('**'), weight: 1 },
      {
        arbitrary: fc.array(name, { minLength: 1, maxLength: 3 }).map((all) => all.join('')),
        weight: 3,
      },
    )
    const glob = fc.array(folder, { minLength: 1, maxLength: 4 }).map((all) => all.join('/'))
    const text = fc
      .array(fc.array(fc.constantFrom('a', 'b', ','), { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((all) => all.map((one) => one.join('')).join('/'))
    fc.assert(
      fc.property(glob, text, (pattern, path) => {
        expect(globMatcher(pattern)!(path), `${pattern} ${path}`).toBe(
          means(pattern.replaceAll(/(?<=^|\/)\*\*(?=\/|$)/g, FOLDERS), path),
        )
      }),
      { numRuns: cases(3_000) },
    )
  })

  it('match the ordinary cases exactly', () => {
    const ordinary: readonly [string, string, boolean][] = [
      ['**/*.ts', 'a/b/c.ts', true],
      ['**/*.ts', 'c.ts', true],
      ['*.ts', 'a/c.ts', false],
      ['src/**', 'src/a/b', true],
      ['src/**', 'src', false],
      ['{src,test}/**/*.{ts,js}', 'test/a.js', true],
      ['{a,b,c,d,e,f,g,h,i,j}.md', 'j.md', true],
      ['a.b', 'axb', false],
      ['a{', 'a{', true],
      ['**,', 'a,', true],
      ['**,', 'a/,', false],
      ['?.md', '😀.md', true],
    ]
    for (const [glob, path, expected] of ordinary) {
      expect(globMatcher(glob)!(path), `${glob} ${path}`).toBe(expected)
    }
    expect(globMatcher('a'.repeat(201))).toBeUndefined()
  })
})

describe('a substring search', () => {
  it('takes linear time for a needle of half the file that nearly matches everywhere [A09]', () => {
    const file = 'a'.repeat(1_000_000)
    for (const half of [12, 100, 1_000, 50_000, 250_000]) {
      const needle = `${'a'.repeat(half)}b${'a'.repeat(half)}`
      measured(
        `${2 * half} characters`,
        () => expect(contains(file, needle)).toBe(false),
        INPUT_BOUND,
      )
      measured(
        'its places',
        () => expect(placesOf(`b${'a'.repeat(half)}`, file)).toEqual([]),
        INPUT_BOUND,
      )
    }
  })

  it('finds the substring at its position', () => {
    const letters = fc
      .array(fc.constantFrom('a', 'b'), { maxLength: 90 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(letters, letters, fc.nat(40), (needle, before, times) => {
        const text = `${before}${`${needle}a`.repeat(times)}`
        expect(contains(text, needle)).toBe(text.includes(needle))
        const pieces = needle === '' ? 1 : text.split(needle).length
        expect(placesOf(needle, text).length).toBe(pieces - 1)
      }),
      { numRuns: cases(1_000) },
    )
  })
})
