import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFully } from '../../../../src/core/config/yaml/parse.ts'
import { simpleHead } from '../../../../src/core/config/yaml/simple-head.ts'
import { cases } from '../../../support/full.ts'

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
  '—',
  '→',
  '1.0.2',
]
const value = fc
  .array(fc.constantFrom(...PIECES, ...more), { maxLength: 8 })
  .map((all) => all.join(''))
const line = fc
  .tuple(fc.constantFrom('name', 'description', 'x-1', 'a_b'), value)
  .map(([key, text]) => `${key}: ${text}`)
/** Lists, maps and folded texts, right and nearly right. */
const words = fc
  .array(
    fc.constantFrom('a', 'Read', ' ', 'x y', '"', '"q"', "'", '1', ':', '#', '-', '[', ',', '> '),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((all) => all.join(''))
const key = fc.constantFrom('tools', 'metadata', 'a_b')
const nested = fc
  .tuple(
    key,
    fc.constantFrom('', ' ', ' |', ' >', ' >-', ' |-'),
    fc.constantFrom('  ', '    ', '', ' '),
    fc.array(
      fc
        .tuple(fc.constantFrom('- ', 'k: ', 'm: ', '', '  '), words)
        .map(([start, text]) => start + text),
      { maxLength: 3 },
    ),
  )
  .map(([name, sign, indent, items]) =>
    [`${name}:${sign}`, ...items.map((item) => indent + item)].join('\n'),
  )
const flow = fc
  .tuple(key, fc.array(words, { maxLength: 3 }))
  .map(([name, items]) => `${name}: [${items.join(', ')}]`)

describe('simpleHead', () => {
  it('reads the same as the full parser in everything that it reads', () => {
    let read = 0
    fc.assert(
      fc.property(fc.array(fc.oneof(line, nested, flow), { maxLength: 4 }), (lines) => {
        const text = `\n${lines.join('\n')}`
        const simple = simpleHead(text, 1)
        if (simple === undefined) return
        read += 1
        const full = parseFully(text, 1)
        expect(full.ok && [...full.head]).toEqual([...simple])
      }),
      { numRuns: cases(12_000) },
    )
    expect(read).toBeGreaterThan(cases(12_000) / 120)
  })

  it('reads the common head, and leaves the rest to the parser', () => {
    expect([...(simpleHead('\nname: a-b\ndescription: "Use it: now"\n', 1) ?? [])]).toEqual([
      ['name', { value: 'a-b', line: 2, text: 'a-b', plain: true }],
      ['description', { value: 'Use it: now', line: 3, text: 'Use it: now', plain: false }],
    ])
    const rich =
      'tools: [Read, Grep]\nmetadata:\n  version: "1"\n  tags: [a, b]\ntext: >-\n  b\n  c\n'
    const read = simpleHead(rich, 1)
    expect([read?.get('tools')?.value, read?.get('text')?.value]).toEqual([['Read', 'Grep'], 'b c'])
    expect({ ...(read?.get('metadata')?.value as object) }).toEqual({
      version: '1',
      tags: ['a', 'b'],
    })
    for (const text of [
      'a: x: y',
      'a: x #c',
      'a: true',
      'a: x:',
      'a: [b: c]',
      'a: [true]',
      'a: {b: c}',
      'a:',
      'a: |',
      'a:\n  b: c\n    d: e',
      'a:\n  b: 1.0',
      'a: >\n  b\n\n  c',
      'a: x\na: y',
    ]) {
      expect([text, simpleHead(text, 1)]).toEqual([text, undefined])
    }
  })
})
