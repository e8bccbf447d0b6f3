/** A bounded number of seeds of each parser; `node test/hostile/fuzz/main.ts --parsers` tries more. */

import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu.ts'
import { cases, isMeasuring } from '../../support/full.ts'
import { caseOf, HELD_MS, PARSERS, shown, type TimeCheck, tried } from './parsers.ts'

const SEEDS = cases(400)
/** Without `MEASURE=1` no text takes too long: one that does not end meets the limit of its test. */
const TIME_CHECK: TimeCheck = { heldMs: HELD_MS, timeOf: isMeasuring ? cpuMs : noTime }

function noTime(act: () => void): number {
  act()
  return 0
}
/** A day a set of its own: the seeds are printed with what is red. */
const FIRST = 1 + SEEDS * Math.floor(Number(process.env.FUZZ_SEED ?? 0))

describe('parsers under fuzz', () => {
  for (const parser of PARSERS) {
    it(`${parser.name} throws only documented errors and never blocks the thread [J05 M15 T08 A09]`, () => {
      const reds = []
      for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
        const red = tried(parser, seed, TIME_CHECK)
        if (red) reds.push(shown(red))
      }
      expect(reds.join('\n')).toBe('')
    })
  }

  it('the same seed produces the same text, and other seeds produce others', () => {
    const texts = PARSERS.flatMap((parser) =>
      Array.from({ length: 50 }, (_, seed) => {
        expect(caseOf(parser, seed)).toBe(caseOf(parser, seed))
        return caseOf(parser, seed)
      }),
    )
    expect(new Set(texts).size).toBeGreaterThan(texts.length / 2)
  })

  it('a parser that throws or is slow is found', () => {
    const throws = (text: string) => {
      if (text.includes('-')) throw new TypeError('planted')
    }
    let took = 0
    const holds = (text: string) => {
      if (text.length > 200) took += HELD_MS
    }
    const timeOf: TimeCheck['timeOf'] = (act) => {
      const before = took
      act()
      return took - before
    }
    const finds = (read: (text: string) => void, word: string): boolean => {
      const planted = { name: 'planted', seeds: ['a'], words: ['a'], read }
      for (let seed = 0; seed < 400; seed += 1)
        if (tried(planted, seed, { heldMs: HELD_MS, timeOf })?.why.includes(word)) return true
      return false
    }
    expect(finds(throws, 'planted')).toBe(true)
    expect(finds(holds, 'held the thread')).toBe(true)
  })
})
