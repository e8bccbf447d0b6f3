import { createContext, Script } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Budget } from '../../src/lib/budget.ts'
import { readPattern } from '../../src/lib/pattern.ts'
import { cases, fullOr } from '../support/full.ts'
import { INPUT_BOUND, measured } from '../support/measured.ts'
import { minutes } from '../support/patience.ts'

const oracle = createContext({ pattern: /x/, text: '' })
const asked = new Script('pattern.test(text)')

/** None of the cases of the gate takes the engine long; of random ones some would take hours. */
const ENGINE_MS = fullOr(500, minutes(1))

/** What the engine says; undefined when it goes back again and again, as ours never does. */
function answerOf(pattern: RegExp, text: string): boolean | undefined {
  Object.assign(oracle, { pattern, text })
  try {
    return asked.runInContext(oracle, { timeout: ENGINE_MS }) as boolean
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}

const budget = () => new Budget(50_000_000)

describe('patterns of strangers', () => {
  it('A09 mean what the engine means by them', () => {
    const atom = fc.constantFrom(
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
      ...[
        '\\u0061',
        '\\x62',
        '\\p{L}',
        '(?:a|b)',
        '(a)',
        '(?<n1>b)',
        '(a|)',
        '()',
        '\\ud83d\\ude00',
      ],
    )
    const times = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?', '{0}')
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc
        .array(
          fc.tuple(
            fc.oneof(
              { maxDepth: 3 },
              atom,
              tie('pattern').map((one) => `(?:${one})`),
            ),
            times,
          ),
          { maxLength: 4 },
        )
        .chain((all) =>
          fc.constantFrom('', '|').map((glue) => all.map(([one, count]) => one + count).join(glue)),
        ),
    }))
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
            expect(ours.value.matches(one, budget()), `${source} ${one}`).toBe(said)
          }
        }
      }),
      { numRuns: cases(4_000) },
    )
  })

  it('A09 take time in proportion to the text, or end at their budget', () => {
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
    for (const source of sources) {
      for (const text of ['a'.repeat(250_000), chance]) {
        measured(
          source,
          () => {
            const read = readPattern(source)
            try {
              if (read.ok) read.value.matches(text, new Budget(2_500_000))
            } catch (error) {
              expect((error as Error).name).toBe('Exhausted')
            }
          },
          INPUT_BOUND,
        )
      }
    }
  })

  it('A09 say why they cannot be used, and nothing is thrown', () => {
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

  it('escapes that only the older syntax takes are read as they are meant', () => {
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

function engine(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'u')
  } catch {
    return undefined
  }
}
