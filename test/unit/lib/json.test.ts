import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from '../../../src/lib/json.ts'
import { exceeds } from '../../../src/lib/shape.ts'
import { cases } from '../../support/full.ts'
import { INPUT_BOUND, measured, measuredBeyond } from '../../support/measured.ts'

const BOUNDS = { depth: 64, values: 50_000 }
const fault = (text: string, bounds = BOUNDS) => {
  const read = readJson(text, bounds)
  return read.ok ? undefined : [read.error.kind, read.error.pointer]
}

describe('third-party JSON', () => {
  it('is parsed as JSON.parse does when it has no duplicate members', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, stringUnit: 'binary' }), (text) => {
        const read = readJson(text, BOUNDS)
        expect(read.ok && JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: cases(2_000) },
    )
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'{}[]",:\\a1'), { maxLength: 12 }), (all) => {
        const text = all.join('')
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        const read = readJson(text, BOUNDS)
        if (!valid) expect(read.ok).toBe(false)
        else expect(read.ok || read.error.kind === 'duplicate', text).toBe(true)
      }),
      { numRuns: cases(5_000) },
    )
  })

  it('is refused with the first duplicate member, however that is written [J07]', () => {
    const duplicates: readonly [string, string][] = [
      ['{"a":1,"a":2}', '/a'],
      ['{"a":1,"\\u0061":2}', '/a'],
      ['{"x":[1,{"b/c":{"~":1,"~":1}}]}', '/x/1/b~1c/~0'],
      ['{"__proto__":1,"__proto__":1}', '/__proto__'],
      ['{"a":{"a":1},"b":{"a":1},"a":{}}', '/a'],
      ['[{"":1,"":2}]', '/0/'],
      ['{"a\\"":"{","a\\"":1}', '/a"'],
    ]
    for (const [text, pointer] of duplicates)
      expect(fault(text), text).toEqual(['duplicate', pointer])
    for (const text of ['{"a":":","b":"a"}', '{"1":1,"01":1}', '{"a":{"a":{"a":1}}}', '":"']) {
      expect(fault(text), text).toBeUndefined()
    }
    expect(readJson('{"a":1,"a":2}', { ...BOUNDS, duplicates: 'taken' })).toMatchObject({
      value: { a: 2 },
    })
  })

  it('is refused before parsing for depth or number of values, at exactly the limit [J05]', () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(fault(deep(64))).toBeUndefined()
    expect(fault(deep(65))).toEqual(['depth', undefined])
    expect(fault(`[${Array(50_000).fill(0)}]`)).toBeUndefined()
    expect(fault(`[${Array(50_001).fill(0)}]`)).toEqual(['values', undefined])
    measured('100,000 levels', () => fault(deep(100_000)), INPUT_BOUND)
    measured('a megabyte of quotes', () => fault('"'.repeat(1_000_000)), INPUT_BOUND)
    measured('a megabyte of backslashes', () => fault(`"${'\\'.repeat(1_000_000)}`), INPUT_BOUND)
    measured('a megabyte of escaped quotes', () => fault(`"${'\\"'.repeat(500_000)}`), INPUT_BOUND)
    const many = Array.from({ length: 49_000 }, (_, i) => `"k${i}":1`)
    measured(
      '49,000 names, the last twice',
      () => expect(fault(`{${many},"k48999":1}`)?.[0]).toBe('duplicate'),
      INPUT_BOUND,
    )
  })

  it('is searched for duplicate members in less than 3 ms for a body of 256 KB [J07]', () => {
    const rows = Array.from({ length: 2_750 }, (_, id) => ({
      id,
      name: `name ${id}`,
      kind: 'a',
      text: 'lorem ipsum dolor sit amet, consectetur',
    }))
    const text = JSON.stringify(rows)
    expect(text.length).toBeGreaterThan(240_000)
    const read = measuredBeyond(
      'members that come twice',
      () => JSON.parse(text),
      () => readJson(text, BOUNDS),
      { cpuMs: 3 },
    )
    expect(read).toEqual({ ok: true, value: rows })
  })
})

describe('the shape of a value', () => {
  it('is measured without recursion', () => {
    let deep: unknown = 1
    for (let i = 0; i < 200_000; i += 1) deep = [deep]
    expect(exceeds(deep, { depth: 100 })).toBe('depth')
    expect(exceeds(deep, {})).toBeUndefined()
    expect(exceeds({ a: ['bc', 1] }, { depth: 2, values: 4, characters: 3 })).toBeUndefined()
    expect(exceeds({ a: ['bc', 1] }, { depth: 1 })).toBe('depth')
    expect(exceeds({ a: ['bc', 1] }, { values: 3 })).toBe('values')
    expect(exceeds({ a: ['bc', 1] }, { characters: 2 })).toBe('characters')
  })
})
