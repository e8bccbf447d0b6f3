import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { addUsage } from '../../src/core/message.ts'
import { believedUsage } from '../../src/core/usage.ts'

const sizes = { input: () => 3_000, output: () => 30 }
const ESTIMATE = { input_tokens: 1_000, output_tokens: 10, model_calls: 1, estimated: true }

describe('what a provider says it has used', () => {
  it('is believed when it can be true', () => {
    const usage = { input_tokens: 7, output_tokens: LIMITS.usage_tokens, model_calls: 1 }
    expect(believedUsage({ input: 7, output: LIMITS.usage_tokens }, sizes)).toEqual(usage)
    const silent = { input: () => 9, output: () => 0 }
    expect(believedUsage({ input: 3, output: 0 }, silent)).toEqual({
      ...usage,
      input_tokens: 3,
      output_tokens: 0,
    })
  })

  const absurd = [-1, -1e9, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 2 ** 53, 0]
  it.each([...absurd, '7', null, undefined, {}, [7], true, LIMITS.usage_tokens + 1])(
    'is estimated from the bytes, and marked, when it says %j',
    (said) => {
      expect(believedUsage({ input: said, output: said }, sizes)).toEqual(ESTIMATE)
      expect(believedUsage({ input: 5, output: said }, sizes)).toEqual({
        ...ESTIMATE,
        input_tokens: 5,
      })
    },
  )

  it('a sum is an estimate when a part of it is', () => {
    const known = { input_tokens: 1, output_tokens: 1, model_calls: 1 }
    expect(addUsage(known, known)).not.toHaveProperty('estimated')
    expect(addUsage(known, { ...known, estimated: true }).estimated).toBe(true)
  })
})
