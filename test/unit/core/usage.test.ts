import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../src/core/limits.ts'
import { addUsage } from '../../../src/core/message.ts'
import { listPrice } from '../../../src/core/run/state/budget.ts'
import { believedUsage } from '../../../src/core/usage.ts'

const sizes = { input: () => 3_000, output: () => 30 }
const ESTIMATE = { input_tokens: 1_000, output_tokens: 10, model_calls: 1, estimated: true }

const doubled = (usage: { input_tokens: number; output_tokens: number; model_calls: number }) => ({
  input_tokens: 2 * usage.input_tokens,
  output_tokens: 2 * usage.output_tokens,
  model_calls: 2 * usage.model_calls,
})
const pick = (usage: { cache_read_tokens: number; reasoning_tokens: number }) => ({
  cache_read_tokens: usage.cache_read_tokens,
  reasoning_tokens: usage.reasoning_tokens,
})

describe('usage reported by a provider', () => {
  it('is accepted when plausible', () => {
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
    'is estimated from the bytes, and marked, when it reports %j',
    (said) => {
      expect(believedUsage({ input: said, output: said }, sizes)).toEqual(ESTIMATE)
      expect(believedUsage({ input: 5, output: said }, sizes)).toEqual({
        ...ESTIMATE,
        input_tokens: 5,
      })
    },
  )

  const TOTALS = { input: 1_000, output: 100 }
  const COUNTED = { input_tokens: 1_000, output_tokens: 100, model_calls: 1 }

  it('cached and reasoning shares are recorded as reported', () => {
    const shares = { cacheRead: 600, cacheWrite: 300, reasoning: 70 }
    expect(believedUsage({ ...TOTALS, ...shares }, sizes)).toEqual({
      ...COUNTED,
      cache_read_tokens: 600,
      cache_write_tokens: 300,
      reasoning_tokens: 70,
    })
    const none = { cacheRead: 0, cacheWrite: undefined, reasoning: null }
    expect(believedUsage({ ...TOTALS, ...none }, sizes)).toEqual(COUNTED)
  })

  it.each([
    { cacheRead: 1_001 },
    { cacheWrite: -1 },
    { cacheRead: 600, cacheWrite: 401 },
    { cacheRead: Number.NaN },
    { reasoning: 101 },
    { reasoning: '7' },
    { reasoning: 1e308 },
  ])('an implausible share is left out, and the omission is marked: %j', (shares) => {
    const marked = { ...COUNTED, estimated: true }
    expect(believedUsage({ ...TOTALS, ...shares }, sizes)).toEqual(marked)
  })

  it('a share is never accepted without an accepted total', () => {
    const said = { input: -1, output: -1, cacheRead: 5, reasoning: 5 }
    expect(believedUsage(said, sizes)).toEqual(ESTIMATE)
  })

  it('each share is charged once, at its own price if there is one', () => {
    const usage = { ...COUNTED, cache_read_tokens: 600, cache_write_tokens: 300 }
    const price = { input_per_million: 10, output_per_million: 50 }
    const cost = (more: object) => listPrice({ ...price, ...more }, usage).list_price! * 1e6
    const output = 100 * 50
    expect(cost({})).toBeCloseTo(1_000 * 10 + output, 6)
    const read = { cache_read_per_million: 1 }
    const write = { cache_write_per_million: 12.5 }
    expect(cost(read)).toBeCloseTo(400 * 10 + 600 * 1 + output, 6)
    expect(cost(write)).toBeCloseTo(700 * 10 + 300 * 12.5 + output, 6)
    expect(cost({ ...read, ...write })).toBeCloseTo(100 * 10 + 600 + 300 * 12.5 + output, 6)
    expect(cost({ cache_read_per_million: 0 })).toBeCloseTo(400 * 10 + output, 6)
    expect(listPrice(undefined, usage)).toEqual({})
  })

  it('shares are added up with the totals', () => {
    const one = { ...COUNTED, cache_read_tokens: 600, reasoning_tokens: 70 }
    expect(addUsage(one, COUNTED)).toEqual({ ...doubled(COUNTED), ...pick(one) })
    expect(addUsage(addUsage(one, COUNTED), { ...COUNTED, cache_write_tokens: 3 })).toMatchObject({
      cache_read_tokens: 600,
      cache_write_tokens: 3,
      reasoning_tokens: 70,
    })
  })

  it('a sum is an estimate when one of its parts is', () => {
    const known = { input_tokens: 1, output_tokens: 1, model_calls: 1 }
    expect(addUsage(known, known)).not.toHaveProperty('estimated')
    expect(addUsage(known, { ...known, estimated: true }).estimated).toBe(true)
  })
})
