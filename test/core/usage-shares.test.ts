/** Shares of usage: bounded, and together never more or less than the sum. */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/limits.ts'
import { addUsage, NO_USAGE } from '../../src/core/message.ts'
import { addShares, type UsageShares, wholeShares } from '../../src/core/usage-shares.ts'

const usage = (calls: number) => ({
  ...{ input_tokens: calls * 3, output_tokens: calls, model_calls: calls },
})
const sum = (shares: UsageShares) => shares.reduce((all, one) => addUsage(all, one.usage), NO_USAGE)

describe('shares of usage', () => {
  it('are one for each pair, in the order in which they came', () => {
    const one = { agent: 'a', model: 'm', usage: usage(1) }
    const shares = addShares([one, { agent: 'a', model: 'n', usage: usage(1) }], [one])
    expect(shares.map((share) => [share.model, share.usage.model_calls])).toEqual([
      ['m', 2],
      ['n', 1],
    ])
    expect(addShares([], [{ agent: 'a', model: 'm', usage: NO_USAGE }])).toEqual([])
  })

  it('beyond the limit are one without names, and lose nothing', () => {
    const many = Array.from({ length: 2 * LIMITS.usage_shares }, (_, at) => ({
      ...{ agent: `a${at}`, model: 'm', usage: usage(1) },
    }))
    const shares = addShares([], many)
    expect(shares).toHaveLength(LIMITS.usage_shares)
    expect(shares.at(-1)).toMatchObject({ agent: null, model: null })
    expect(sum(shares)).toEqual(usage(many.length))
  })

  it('what they do not explain is a share without names', () => {
    const whole = { ...usage(3), list_price: 0.3, cache_read_tokens: 2 }
    const known = { agent: 'a', model: 'm', usage: { ...usage(1), list_price: 0.1 } }
    const shares = wholeShares(whole, [known])
    expect(shares[1]).toEqual({
      ...{ agent: null, model: null },
      usage: { ...usage(2), list_price: 0.2, cache_read_tokens: 2 },
    })
    expect(sum(shares)).toEqual(whole)
    expect(wholeShares(known.usage, [known])).toEqual([known])
  })
})
