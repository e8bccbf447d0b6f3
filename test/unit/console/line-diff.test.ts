/** Differences of texts: pairs of lines, marked words, folds, and texts without common lines. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  diffTexts,
  type Line,
  type LinePair,
} from '../../../src/console/text/line-diff.ts'

const textOf = (line: Line | undefined): string | undefined =>
  line?.pieces.map(({ text }) => text).join('')
const marked = (line: Line | undefined): string | undefined =>
  line?.pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')
const shown = ({ isSame, left, right }: LinePair): string =>
  isSame ? `  ${textOf(left)}` : `- ${marked(left) ?? ''} + ${marked(right) ?? ''}`
const diff = (left: string, right: string): string[] => diffTexts(left, right).pairs.map(shown)

describe('the difference of two texts', () => {
  it('has equal, removed, and added lines, with the words that differ', () => {
    const left = 'You answer tickets.\nAsk before you promise money.\nBe brief.'
    const right = 'You answer tickets.\nAsk before you promise more than 100 EUR.\nBe brief.\nSign.'
    expect(diff(left, right)).toEqual([
      '  You answer tickets.',
      '- Ask before you promise [money]. + Ask before you promise [more than 100 EUR].',
      '  Be brief.',
      '-  + Sign.',
    ])
  })

  it('marks no single words in lines with little in common', () => {
    expect(diff('one two three', 'un deux trois')).toEqual(['- one two three + un deux trois'])
    expect(diff('One is open, I think.', 'Two are open, I think.')).toEqual([
      '- [One is] open, I think. + [Two are] open, I think.',
    ])
    expect(diff('退款需要审批。', '退款需要人工审批。')).toEqual([
      '- 退款需要审批。 + 退款需要[人工]审批。',
    ])
  })

  it('shows an empty text, and a line break at the end', () => {
    expect([diff('', ''), diff('', 'a'), diff('a', 'a\n')]).toEqual([
      [],
      ['-  + a'],
      ['  a', '-  + '],
    ])
  })

  it('numbers the lines and returns both texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'a b c', 'a b d', ''), { maxLength: 12 })
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [left, right] = [one.join('\n'), other.join('\n')]
        const { pairs } = diffTexts(left, right)
        for (const [side, whole] of [
          ['left', left],
          ['right', right],
        ] as const) {
          const lines = pairs.flatMap((pair) => pair[side] ?? [])
          expect(lines.map(textOf).join('\n')).toBe(whole)
          expect(lines.map(({ number }) => number)).toEqual(lines.map((_, at) => at + 1))
        }
        expect(pairs.every(({ isSame }) => isSame)).toBe(left === right)
        expect(blocksOf(pairs).flatMap((block) => block.pairs)).toEqual(pairs)
      }),
    )
  })

  it('ends for large texts without common lines, and says so', () => {
    const many = (name: string): string =>
      Array.from({ length: 5_000 }, (_, at) => `${name} ${at}`).join('\n')
    const { pairs, isCoarse } = diffTexts(many('x'), many('y'))
    expect([pairs.length, isCoarse]).toEqual([5_000, true])
    expect(diffTexts('x '.repeat(50_000), 'y '.repeat(50_000)).pairs).toHaveLength(1)
  })

  it('folds equal lines far from a change', () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
    const { pairs } = diffTexts(lines.join('\n'), lines.with(15, 'other').join('\n'))
    const blocks = blocksOf(pairs).map(({ isFolded, pairs }) => [isFolded, pairs.length])
    expect(blocks).toEqual([
      [true, 12],
      [false, 7],
      [true, 11],
    ])
    const near = diffTexts(lines.slice(0, 9).join('\n'), lines.slice(0, 9).with(4, 'x').join('\n'))
    expect(blocksOf(near.pairs).some(({ isFolded }) => isFolded)).toBe(false)
  })
})
