/** The order of keys. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareKeys } from '../../../src/lib/order.ts'
import { cases } from '../../support/full.ts'

it('the order of any two texts is that of their UTF-8 bytes', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 })
  fc.assert(
    fc.property(text, text, text, (common, left, right) => {
      const [a, b] = [common + left, common + right]
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
      expect(Math.sign(compareKeys(a, b))).toBe(bytes)
    }),
    {
      numRuns: cases(500),
      examples: [
        ['', '\uff21', '🙂'],
        ['', '\ud7ff', '\u{10000}'],
        ['a', '', ''],
      ],
    },
  )
})
