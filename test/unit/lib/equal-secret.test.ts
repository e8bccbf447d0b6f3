/** The comparison of secrets, whose work must not depend on what is compared. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { equalSecret } from '../../../src/lib/bytes.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

describe('equalSecret', () => {
  it('reads every character of both texts, wherever they differ [H25]', () => {
    const hash = '0123456789abcdef'.repeat(4)
    const changed = (at: number): string => `${hash.slice(0, at)}x${hash.slice(at + 1)}`
    const readings = [hash, changed(0), changed(31), changed(63), 'x'.repeat(64)].map((text) => {
      const reads = vi.spyOn(String.prototype, 'charCodeAt')
      const isEqual = equalSecret(text, hash)
      const count = reads.mock.calls.length
      reads.mockRestore()
      return [isEqual, count]
    })
    const different = [false, 128]
    expect(readings).toEqual([[true, 128], different, different, different, different])
  })
})
