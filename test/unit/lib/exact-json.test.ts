import { describe, expect, it } from 'vitest'
import {
  parseWithRaw,
  parseWithTexts,
  roundedNumbers,
  withDigits,
} from '../../../src/lib/exact-json.ts'

const LONG = '12345678901234567891'

describe('numbers that a double cannot hold', () => {
  it.each([LONG, `-${LONG}`, '9007199254740993', '1e400', '0.12345678901234567890123', '1.5e309'])(
    '%s keeps its digits',
    (number) => {
      expect(parseWithTexts(`{"a":[${number}]}`)).toEqual({ a: [number] })
      expect(JSON.stringify(parseWithRaw(`{"a":[${number}]}`))).toBe(`{"a":[${number}]}`)
      const places = roundedNumbers(`{"a/b":[1,${number}]}`)
      expect([...places]).toEqual([['#/a~1b/1', number]])
      const value = { 'a/b': [1, Number(number)] }
      expect(JSON.stringify(withDigits(value, places))).toBe(`{"a/b":[1,${number}]}`)
    },
  )

  it.each(['0', '-0', '1e3', '1.50', '9007199254740991', '0.30000000000000004', '1E-7', '1e21'])(
    '%s is not such a number',
    (number) => {
      expect(parseWithTexts(`[${number},1234567890123456]`)).toEqual([
        Number(number),
        1234567890123456,
      ])
      expect(roundedNumbers(`[${number}]`).size).toBe(0)
    },
  )

  it('remain text inside texts', () => {
    expect(parseWithTexts(`{"a":"${LONG}"}`)).toEqual({ a: LONG })
  })
})
