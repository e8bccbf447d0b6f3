/** Budgets: what is given below, held there, and given back (PROTOCOL.md rule 23). */

import { describe, expect, it } from 'vitest'
import { recordLateResult } from '../../../../src/core/late-results.ts'
import type { Usage } from '../../../../src/core/message.ts'
import type { Budget } from '../../../../src/core/run/log/fact-parts.ts'
import type { Announce, RunFact } from '../../../../src/core/run/log/facts.ts'
import {
  allotmentOf,
  allotted,
  exhausted,
  heldAtEnd,
  isNothing,
  listPrice,
} from '../../../../src/core/run/state/budget.ts'
import { announced, answered, created, limitsOf, spawned, started } from '../../../support/facts.ts'
import { type Given, givenRun } from '../../../support/given.ts'

type Run = Given<ReturnType<typeof givenRun>['state'], RunFact>
const usage = (input: number, output: number, calls: number): Usage => {
  return { input_tokens: input, output_tokens: output, model_calls: calls }
}
/** It has answered with two spawns and has used 10 tokens and one call. */
function parent(limits: Budget): Run {
  const answer = { ...answered(0, { a: 'spawn', b: 'spawn' }), usage: usage(6, 4, 1) } as RunFact
  return givenRun(created(limitsOf(limits)), started(), answer)
}
const child = (call: string, allotment: Budget): RunFact =>
  ({ ...spawned(call), allotment }) as RunFact
const given = { max_tokens: 30, max_model_calls: 3 }

describe('a budget share', () => {
  it('is equal for each spawn of the step and for the parent itself', () => {
    const { state } = parent({ max_tokens: 100, max_model_calls: 10 })
    expect(allotmentOf(state)).toEqual({ max_tokens: 30, max_model_calls: 3 })
  })

  it('is the same for the second spawn: a reserved share is not given twice', () => {
    const run = parent({ max_tokens: 100, max_model_calls: 10 }).and(child('a', given))
    expect(allotmentOf(run.state)).toEqual({ max_tokens: 30, max_model_calls: 3 })
  })

  it('is empty for an empty budget; a budget of two gives one', () => {
    expect(allotmentOf(parent({}).state)).toEqual({ max_tokens: null, max_model_calls: null })
    const { state } = parent({ max_tokens: 100 })
    expect(allotmentOf(state)).toEqual({ max_tokens: 30, max_model_calls: null })
  })

  it('is never negative, and zero allows no call', () => {
    const poor = allotmentOf(parent({ max_tokens: 5, max_model_calls: 9 }).state)
    expect(poor).toEqual({ max_tokens: 0, max_model_calls: 0 })
    expect(isNothing(poor)).toBe(true)
    expect(isNothing({ max_tokens: null, max_model_calls: null })).toBe(false)
  })

  it('without a limit is not written to the log', () => {
    expect(allotted({ max_tokens: null, max_model_calls: null })).toEqual({})
    const some = { max_tokens: 1, max_model_calls: null }
    expect(allotted({ max_tokens: 1 })).toEqual({ allotment: some })
  })
})

describe('a budget in dollars', () => {
  const paid = (dollars: number): Usage => ({ ...usage(6, 4, 1), list_price: dollars })
  const run = (limits: Budget, dollars: number) => {
    const answer = { ...answered(0, { a: 'spawn', b: 'spawn' }), usage: paid(dollars) } as RunFact
    return givenRun(created(limitsOf(limits)), started(), answer)
  }

  it('is shared, spent, and returned like tokens', () => {
    const before = run({ max_cost_usd: 1 }, 0.1)
    const { state } = before
    const share = { max_tokens: null, max_model_calls: null, max_cost_usd: 0.3 }
    expect(allotmentOf(state)).toEqual(share)
    expect(exhausted(state)).toBe(false)
    const both = before.and(child('a', { max_cost_usd: 0.45 }), child('b', { max_cost_usd: 0.45 }))
    expect(exhausted(both.state)).toBe(true)
    expect(heldAtEnd(both.state).held).toMatchObject({ max_cost_usd: 0.9 })
    expect(exhausted(both.and(announced('a', { usage: paid(0.2) })).state)).toBe(false)
  })

  it('ends the run when exhausted, and a share of zero is not a share', () => {
    expect(exhausted(run({ max_cost_usd: 0.1 }, 0.1).state)).toBe(true)
    expect(isNothing(allotmentOf(run({ max_cost_usd: 0.1 }, 0.1).state))).toBe(true)
  })

  it('appears in the log only when such a budget is set', () => {
    expect(allotted({ max_cost_usd: 0.5 })).toEqual({
      allotment: { max_tokens: null, max_model_calls: null, max_cost_usd: 0.5 },
    })
    expect(allotmentOf(parent({ max_tokens: 100 }).state)).not.toHaveProperty('max_cost_usd')
  })
})

describe('budget exhaustion', () => {
  it.each([
    ['tokens', { max_tokens: 11 }, { max_tokens: 10 }],
    ['calls', { max_model_calls: 2 }, { max_model_calls: 1 }],
  ])('applies to %s', (_, enough, used) => {
    expect(exhausted(parent(enough).state)).toBe(false)
    expect(exhausted(parent(used).state)).toBe(true)
  })

  it('is not checked for a run that has not started', () => {
    expect(exhausted(givenRun(created(limitsOf({ max_tokens: 0 }))).state)).toBe(false)
  })

  it('a child’s unused share returns with its end', () => {
    const run = parent({ max_model_calls: 4 }).and(child('a', { max_model_calls: 3 }))
    expect(exhausted(run.state)).toBe(true)
    const back = run.and(announced('a', { usage: usage(0, 0, 2) }))
    expect(exhausted(back.state)).toBe(false)
    expect(exhausted(back.and(child('b', { max_model_calls: 1 })).state)).toBe(true)
  })

  it('the share of descendants that outlive a child does not return with its end', () => {
    const run = parent({ max_model_calls: 4 }).and(child('a', { max_model_calls: 3 }))
    const kept: Partial<Announce> = { usage: usage(0, 0, 1), held: { max_model_calls: 2 } }
    expect(exhausted(run.and(announced('a', kept)).state)).toBe(true)
    const { held: _, ...all } = kept
    expect(exhausted(run.and(announced('a', all)).state)).toBe(false)
  })
})

describe('the budget reserved at the end', () => {
  it('is what live children reserve, and zero without live children', () => {
    const run = parent({}).and(child('a', given), child('b', given))
    expect(heldAtEnd(run.state)).toEqual({ held: { max_tokens: 60, max_model_calls: 6 } })
    expect(heldAtEnd(run.and(announced('a'), announced('b')).state)).toEqual({})
  })

  it('includes what outlives ended children, also when a child’s end arrived after the run’s', () => {
    const run = parent({}).and(child('a', given), child('b', given))
    const held = { max_tokens: 7, max_model_calls: 1 }
    const one = run.and(announced('a', { held })).state
    expect(heldAtEnd(one)).toEqual({ held: { max_tokens: 37, max_model_calls: 4 } })
    const late = announced('b', { held })
    if (late.type !== 'subagent.announced') throw new Error('it failed')
    const draft = { late_results: one.late_results, outbox: {} }
    recordLateResult(draft, late, { at: 0, mustTell: false, drops: false })
    const after = { ...one, late_results: draft.late_results }
    expect(heldAtEnd(after)).toEqual({ held: { max_tokens: 14, max_model_calls: 2 } })
  })
})

describe('the list price', () => {
  const price = { input_per_million: 2, output_per_million: 10 }

  it('is zero without a price list', () => {
    expect(listPrice(undefined, usage(1, 1, 1))).toEqual({})
  })

  it('of cached input has a separate rate when the list has one', () => {
    const used = { ...usage(1_000_000, 100_000, 1), cache_read_tokens: 400_000 }
    expect(listPrice(price, used)).toEqual({ list_price: 3 })
    const cheaper = { ...price, cache_read_per_million: 0.5 }
    expect(listPrice(cheaper, used)).toEqual({ list_price: 2.4 })
  })
})
