import { describe, expect, it } from 'vitest'
import { tightened } from '../../../src/lib/loose-json.ts'

describe('almost valid JSON', () => {
  it.each([
    ['{"a":"x\ny\tz"}', { a: 'x\ny\tz' }],
    ['{"a":"x\u0000\u001b[0m\f"}', { a: 'x\u0000\u001b[0m\f' }],
    ['{"a":[1,2,],}', { a: [1, 2] }],
    ['{"a":{"b":1,\n},\n}', { a: { b: 1 } }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['```\n{"a":1}```', { a: 1 }],
    ['{}{"a":1}', { a: 1 }],
    ['{"a":1} {"a":1}', { a: 1 }],
    ['{"a":1}</tool_call>', { a: 1 }],
    ['{"a":1}<|im_end|>\n', { a: 1 }],
    ['{"a":",]}"  ,}', { a: ',]}' }],
  ])('%j is read as intended', (text, meant) => {
    expect(JSON.parse(tightened(text)!)).toEqual(meant)
  })

  it.each([
    ...[
      '',
      '{',
      '{"a":1',
      '{"a":"x',
      '[1]',
      'null',
      '{"a":1}{"a":2}',
      '{"a":1} and more',
      '{"a":1}',
    ],
    ...['x{"a":1}', '{"a":1}}', '```json\n```'],
  ])('%j is not repaired', (text) => {
    expect(tightened(text)).toBeUndefined()
  })

  it('is repaired in time linear in the text', () => {
    const text = `{"a":"${'\\"'.repeat(100_000)}",${'[{'.repeat(50_000)}`
    expect(tightened(text)).toBeUndefined()
    expect(tightened('{}'.repeat(50_000))).toBeUndefined()
    expect(tightened('{}{}')).toBe('{}')
    expect(tightened(`\`\`\`json\n{"a":[1,${'\n'.repeat(100_000)}`)).toBeUndefined()
  })
})
