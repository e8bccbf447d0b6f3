import { expect, it } from 'vitest'
import {
  readBefore,
  taint,
  type UntrustedRead,
  type UntrustedSource,
} from '../../../src/core/run/untrusted.ts'

const source: UntrustedSource = { kind: 'mcp', name: 'mcp__shop__read', run_id: 'run_1' }
const steps = (...seen: number[]) => seen.map((one) => ({ seen: one }))
const read = (before: readonly { seen: number }[], seen?: number): UntrustedRead | null => {
  const draft = { untrusted: null, steps: before }
  taint(draft, { untrusted: source }, seen)
  return draft.untrusted
}

it('a result counts for answers after it, not for those before', () => {
  const untrusted = read(steps(0, 0))
  const state = { untrusted, steps: steps(0, 0, 0) }
  expect([0, 1, 2].map((step) => readBefore(state, { step }))).toEqual([
    undefined,
    undefined,
    source,
  ])
})

it('what comes while a model is asked does not count for that answer', () => {
  // The second entry of the pending input came after the request of step 1, which had seen one.
  const untrusted = read(steps(0), 2)
  const state = { untrusted, steps: steps(0, 1, 2) }
  expect([0, 1, 2].map((step) => readBefore(state, { step }))).toEqual([
    undefined,
    undefined,
    source,
  ])
})

it('the first source stays', () => {
  const draft = { untrusted: read(steps(0)), steps: steps(0, 0) }
  taint(draft, { untrusted: { ...source, name: 'web_fetch' } })
  expect(draft.untrusted?.source).toBe(source)
  taint(draft, {})
  expect(draft.untrusted?.source).toBe(source)
})
