/** What an answer of the model rests on: whoever asked under other circumstances is not heard. */

import { expect, it } from 'vitest'
import { promptFingerprint } from '../../../../src/core/run/prompt/transcript.ts'
import { answered, created, given, started } from '../../../support/facts.ts'

it('an answer depends on the start, because another start may have pinned other tools', () => {
  const one = given(created(), started({ pin: 'a'.repeat(64) }))
  const same = given(created(), started({ pin: 'a'.repeat(64) }))
  const other = given(created(), started({ pin: 'b'.repeat(64) }))
  expect(promptFingerprint(one, 0)).toBe(promptFingerprint(same, 0))
  expect(promptFingerprint(one, 0)).not.toBe(promptFingerprint(other, 0))
  expect(promptFingerprint(one, 0)).not.toBe(promptFingerprint(given(created()), 0))
})

it('an answer depends on the answers before it', () => {
  const before = given(created(), started())
  const after = given(created(), started(), answered(0))
  expect(promptFingerprint(before, 0)).not.toBe(promptFingerprint(after, 0))
})
