/** Texts that nearly are what a parser expects: valid ones, bent by a seed. */

import { chance } from '../../support/chance.ts'

const MAX = 70_000
const ODD = [
  '\0',
  '\n',
  '\r\n',
  '\t',
  ' ',
  '"',
  "'",
  '\\',
  '/',
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  ':',
  ',',
  '.',
  '=',
  '#',
  '*',
  '?',
  '&',
  '!',
  '|',
  '>',
  '-',
  '---',
  '...',
  '${',
  '{{',
  '}}',
  '**',
  '__proto__',
  'constructor',
  '\u200b',
  '\u202e',
  '\ud800',
  '😀',
  'é',
  '0',
  '-1',
  '1e400',
  '9'.repeat(30),
  'null',
  'true',
]

/** The same seed and seeds give the same text. */
export function bent(seeds: readonly string[], words: readonly string[], seed: number): string {
  const next = chance(seed)
  const below = (count: number): number => Math.floor(next() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  let text = pick(seeds)
  for (let left = below(6); left > 0; left -= 1) {
    const at = below(text.length + 1)
    const to = Math.min(text.length, at + below(12))
    const piece = next() < 0.5 ? pick(ODD) : pick(words)
    const times = next() < 0.15 ? 1 + below(20_000 / Math.max(1, piece.length)) : 1 + below(3)
    const change = [
      () => text.slice(0, at) + piece.repeat(times) + text.slice(at),
      () => text.slice(0, at) + text.slice(to),
      () => text.slice(0, at) + text.slice(at, to).repeat(times) + text.slice(to),
      () => text.slice(0, at) + pick(seeds) + text.slice(at),
      () => text.slice(0, at),
      () => text.slice(0, at) + String.fromCharCode(below(0x10000)) + text.slice(to),
    ]
    text = pick(change)().slice(0, MAX)
  }
  return text
}
