import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simpleHead } from '../../../src/core/config/simple-head.ts'
import { parseFully } from '../../../src/core/config/yaml.ts'

const PIECES = ['a', 'B', ' ', ':', '#', '"', "'", ',', '[', ']', '{', '}', '-', '&', '*', '!', '|']
const more = [
  '>',
  '%',
  '@',
  '`',
  '\\',
  '\t',
  '\n',
  '\r',
  '0',
  '1',
  '.',
  '~',
  'null',
  'true',
  'é',
  '…',
]
const value = fc
  .array(fc.constantFrom(...PIECES, ...more), { maxLength: 8 })
  .map((all) => all.join(''))
const line = fc
  .tuple(fc.constantFrom('name', 'description', 'x-1', 'a_b'), value)
  .map(([key, text]) => `${key}: ${text}`)

describe('simpleHead', () => {
  it('whatever it reads, the full parser reads the same', () => {
    let read = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const text = `\n${lines.join('\n')}`
        const simple = simpleHead(text, 1)
        if (simple === undefined) return
        read += 1
        const full = parseFully(text, 1)
        expect(full.ok && [...full.head]).toEqual([...simple])
      }),
      { numRuns: 3_000 },
    )
    expect(read).toBeGreaterThan(100)
  })

  it('reads the common head, and leaves the rest to the parser', () => {
    expect([...(simpleHead('\nname: a-b\ndescription: "Use it: now"\n', 1) ?? [])]).toEqual([
      ['name', { value: 'a-b', line: 2, text: 'a-b', plain: true }],
      ['description', { value: 'Use it: now', line: 3, text: 'Use it: now', plain: false }],
    ])
    for (const text of [
      'a: x: y',
      'a: x #c',
      'a: true',
      'a: x:',
      'a: [b]',
      'a:',
      'a: |',
      'a: x\na: y',
    ]) {
      expect([text, simpleHead(text, 1)]).toEqual([text, undefined])
    }
  })
})
