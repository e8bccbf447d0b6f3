/** Warnings of answers: each subject once, whatever the words of a provider are. */

import { expect, it } from 'vitest'
import type { RunWarning } from '../../../../src/core/run/log/fact-parts.ts'
import { toldSoFar } from '../../../../src/core/run/log/models.ts'

it('a repeated fallback is one warning, and another pair of models is a second', () => {
  const fell = (told: readonly RunWarning[], from: string, message: string) =>
    toldSoFar(told, { model: 'b/two', tried: [{ model: from, code: 'rate_limited', message }] })
  const once = fell([], 'a/one', '429: retry in 3.2 s')
  expect(fell(once, 'a/one', '429: retry in 4.7 s')).toEqual(once)
  expect(fell(once, 'c/three', '429: retry in 4.7 s').map(({ message }) => message)).toEqual([
    'b/two answered instead of a/one: 429: retry in 3.2 s',
    'b/two answered instead of c/three: 429: retry in 4.7 s',
  ])
})
