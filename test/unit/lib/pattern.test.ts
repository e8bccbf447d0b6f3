import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Automaton } from '../../../src/lib/automaton.ts'
import { Budget } from '../../../src/lib/budget.ts'
import { readPattern } from '../../../src/lib/pattern.ts'
import { cases, fullOr } from '../../support/full.ts'
import { INPUT_BOUND, measured } from '../../support/measured.ts'
import { minutes } from '../../support/patience.ts'

const oracle = createContext({ pattern: /x/, text: '' })
const asked = new Script('pattern.exec(text)')

/** None of the cases of the gate takes the engine long; of random ones some would take hours. */
const ENGINE_MS = fullOr(500, minutes(1))

/** What the engine says; undefined when it goes back again and again, as ours never does. */
function answerOf(pattern: RegExp, text: string): RegExpExecArray | null | undefined {
  Object.assign(oracle, { pattern, text })
  try {
    return asked.runInContext(oracle, { timeout: ENGINE_MS }) as RegExpExecArray | null
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}

const budget = () => new Budget(50_000_000)

const ATOMS = [
  ...[
    'a',
    'b',
    '.',
    '^',
    '$',
    '\\b',
    '\\B',
    '[ab]',
    '[^a]',
    '\\w',
    '\\s',
    '\\.',
    '😀',
    '\\u{1F600}',
  ],
  ...['\\u0061', '\\x62', '\\p{L}', '(?:a|b)', '(a)', '(?<n1>b)', '\\ud83d\\ude00'],
]
const NULLABLE = ['(a|)', '()']
const TIMES = ['', '', '*', '+', '?', '{2}', '{1,}']

/** Sequences and choices of the atoms, repeated, in groups and without. */
function patternsOf(atoms: readonly string[], times: readonly string[]): fc.Arbitrary<string> {
  const count = fc.constantFrom(...times)
  return fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc
      .array(
        fc.tuple(
          fc.oneof(
            { maxDepth: 3 },
            fc.constantFrom(...atoms),
            tie('pattern').map((one) => `(?:${one})`),
          ),
          count,
        ),
        { maxLength: 4 },
      )
      .chain((all) =>
        fc.constantFrom('', '|').map((glue) => all.map(([one, of]) => one + of).join(glue)),
      ),
  })).pattern
}

describe('third-party patterns', () => {
  it('match as in the regular expression engine [A09]', () => {
    const pattern = patternsOf([...ATOMS, ...NULLABLE], [...TIMES, '{0,2}', '*?', '{0}'])
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '.', '😀', '\n'), { maxLength: 8 })
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
        const theirs = engine(source)
        const ours = readPattern(source)
        if (theirs === undefined) return
        expect(ours.ok, source).toBe(true)
        if (!ours.ok) return
        // The engine sees an edge within a surrogate pair.
        const pairs = source.includes('\\B') ? /\p{Cs}|[^\0-\uffff]/gu : /\0/g
        for (const one of texts.map((all) => all.join('').replace(pairs, ''))) {
          const said = answerOf(theirs, one)
          if (said !== undefined) {
            expect(ours.value.matches(one, budget()), `${source} ${one}`).toBe(said !== null)
          }
        }
      }),
      { numRuns: cases(4_000) },
    )
  })

  it('match at the same positions as in the engine, including with its flags', () => {
    const pattern = patternsOf([...ATOMS, 'A', 'ß', 'é'], TIMES)
    const signs = fc.constantFrom('a', 'b', 'A', 'É', ' ', '.', '😀', '\n')
    const text = fc.array(signs, { maxLength: 8 }).map((all) => all.join(''))
    const flags = fc.subarray(['i', 'm', 's']).map((all) => all.join(''))
    fc.assert(
      fc.property(pattern, text, flags, (source, one, flag) => {
        const theirs = engine(source, `${flag}g`)
        if (theirs === undefined || source.includes('\\B')) return
        // Of `(?:|a)?` the engine skips the empty branch, as Perl and RE2 do not.
        if (/\)\?/.test(source)) return
        const read = readPattern(source, { flags: flag })
        expect(read.ok, source).toBe(true)
        if (!read.ok) return
        for (let from = 0; from <= one.length; from += 1) {
          // The engine steps back to the start of a surrogate pair.
          if (/\p{Cs}/u.test(one[from] ?? '') && (one.codePointAt(from) ?? 0) < 0xffff) continue
          theirs.lastIndex = from
          const match = answerOf(theirs, one)
          if (match === undefined) return
          const wanted = match ? { start: match.index, end: theirs.lastIndex } : undefined
          expect(read.value.find(one, from, budget()), `${source} ${flag} ${one}`).toEqual(wanted)
        }
      }),
      { numRuns: cases(2_000) },
    )
    const lazy = readPattern('a.*?b|c{2,4}?')
    const places = [0, 5].map((from) => lazy.ok && lazy.value.find('xaabbcccc', from, budget()))
    expect(places).toEqual([
      { start: 1, end: 4 },
      { start: 5, end: 7 },
    ])
  })

  it('take time proportional to the text, or stop at their budget [A09]', () => {
    const sources = [
      '(a+)+$',
      '^(a|aa)+$',
      '(a*)*b',
      '(.*)*x',
      '(a|a|a)*b',
      '(a?){500}a{500}',
      '((a{1,20}){1,20}){1,5}b',
      '(.*a){20}b',
      '[ab]*a[ab]{200}c',
      '(\\w+\\s?)+$',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
    ]
    let x = 7
    const chance = Array.from({ length: 250_000 }, () => {
      x = (x * 1_103_515_245 + 12_345) & 0x7fffffff
      return 'ab'[(x >> 16) & 1]
    }).join('')
    const searches = [
      (automaton: Automaton, text: string) => automaton.matches(text, new Budget(2_500_000)),
      (automaton: Automaton, text: string) => automaton.find(text, 0, new Budget(2_500_000)),
    ]
    for (const source of sources) {
      for (const text of ['a'.repeat(250_000), chance]) {
        for (const search of searches) {
          measured(
            source,
            () => {
              const read = readPattern(source)
              try {
                if (read.ok) search(read.value, text)
              } catch (error) {
                expect((error as Error).name).toBe('Exhausted')
              }
            },
            INPUT_BOUND,
          )
        }
      }
    }
  })

  it('report why they cannot be used, without throwing [A09]', () => {
    const kinds: readonly [string, string][] = [
      ['(', 'invalid'],
      ['[', 'invalid'],
      ['a**', 'invalid'],
      ['\\', 'invalid'],
      [')', 'invalid'],
      ['*', 'invalid'],
      ['a{3,1}', 'invalid'],
      ['\\Z', 'invalid'],
      ['[b-a]', 'invalid'],
      ['\\p{Nonsense}', 'invalid'],
      ['(?=a)', 'unsupported'],
      ['(?<!a)', 'unsupported'],
      ['(a)\\1', 'unsupported'],
      ['a{99999}', 'unsupported'],
      ['(?:a{1000}){1000}', 'unsupported'],
      ['(?:(?:a|){1000}){1000}', 'unsupported'],
      ['(?i:a)', 'unsupported'],
      ['a'.repeat(1_001), 'unsupported'],
      [`${'('.repeat(60)}${')'.repeat(60)}`, 'unsupported'],
    ]
    for (const [source, kind] of kinds) {
      const read = readPattern(source)
      expect(read.ok ? 'ok' : read.error.kind, source.slice(0, 20)).toBe(kind)
    }
    fc.assert(
      fc.property(
        fc.string({ maxLength: 60, unit: 'binary' }),
        (source) => void readPattern(source),
      ),
    )
  })

  it('escapes from the older syntax keep their meaning', () => {
    const escapes: readonly [string, string, boolean][] = [
      ['^[\\w\\-\\_]+$', 'a-b_c', true],
      ['^\\@x$', '@x', true],
      ['^a\\-b$', 'a-b', true],
      ['{', '{', true],
    ]
    for (const [source, text, expected] of escapes) {
      const read = readPattern(source)
      expect(read.ok && read.value.matches(text, budget()), source).toBe(expected)
    }
  })
})

function engine(source: string, flags = ''): RegExp | undefined {
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    return undefined
  }
}
