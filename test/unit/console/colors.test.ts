/** The tokens of color: the contrast of each pair that stands in the pages, by the formula of WCAG 2. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const FILE = join(import.meta.dirname, '../../../src/console/style/console.css')
const css = readFileSync(FILE, 'utf8')

function tokensOf(selector: string): ReadonlyMap<string, string> {
  const from = css.indexOf(`${selector} {`)
  const block = css.slice(from, css.indexOf('}', from))
  const pairs = [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)]
  return new Map(pairs.map(([, name = '', value = '']) => [name, value]))
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.212_6 * red + 0.715_2 * green + 0.072_2 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const STATES = ['queued', 'running', 'waiting', 'asks', 'done', 'failed', 'late', 'unknown']
const DIFFS = ['added', 'added-word', 'removed', 'removed-word']
const GROUNDS = ['canvas', 'subtle', 'sunken', 'raised', 'selected']
/** Foreground, background, and the least contrast. */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...GROUNDS.flatMap((ground) =>
    ['text', 'text-2', 'text-3'].map((text) => [text, ground, 4.5] as const),
  ),
  ...STATES.flatMap((state) => [
    [state, 'canvas', 4.5] as const,
    [state, 'selected', 4.5] as const,
    [state, `${state}-tint`, 4.5] as const,
  ]),
  ...DIFFS.map((ground) => ['text', ground, 4.5] as const),
  ...['added', 'removed'].map((ground) => ['text-2', ground, 4.5] as const),
  ['accent', 'canvas', 4.5],
  ['on-accent', 'accent', 4.5],
  ['control', 'canvas', 3],
]

describe.each([':root', '[data-theme="dark"]'])('the colors of %s', (selector) => {
  it('have the contrast that text and controls need', () => {
    const tokens = tokensOf(selector)
    const low = PAIRS.flatMap(([front, back, least]) => {
      const value = contrast(tokens.get(front) ?? '', tokens.get(back) ?? '')
      return value >= least ? [] : [`${front} on ${back}: ${value.toFixed(2)}`]
    })
    expect(low).toEqual([])
  })
})
