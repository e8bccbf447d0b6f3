import { describe, expect, it } from 'vitest'
import { wellFormed, wellFormedIn } from '../../../src/lib/well-formed.ts'

describe('wellFormed', () => {
  it.each([
    ['a\ud83d', 'a\ufffd'],
    ['\udc00a', '\ufffda'],
    ['\udc00\ud83d', '\ufffd\ufffd'],
    ['a\ud83d\ude00é', 'a\ud83d\ude00é'],
  ])('%j becomes %j', (text, mended) => {
    expect(wellFormed(text)).toBe(mended)
  })
})

describe('wellFormedIn', () => {
  it('repairs texts and member names at every level', () => {
    const value = { 'a\ud83d': [{ b: '\udc00' }, 1, null, true], c: 'c' }
    const mended = { 'a\ufffd': [{ b: '\ufffd' }, 1, null, true], c: 'c' }
    expect(wellFormedIn(value)).toEqual(mended)
  })

  it('returns the same value when there is nothing to repair', () => {
    const value = { a: [{ b: 'x\ud83d\ude00' }, null], c: 1 }
    expect(wellFormedIn(value)).toBe(value)
  })
})
