/** What follows from the facts of a fan-out. */

import { describe, expect, it } from 'vitest'
import { affordable, restOf, shareOf, slicedAs } from '../../../../src/core/fanout/budget.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { cancelRequested } from '../../../support/facts.ts'
import {
  begun,
  ended,
  endedBadly,
  fanoutOf,
  paged,
  pageEnded,
  pageStarted,
  sealed,
  THEN,
} from '../../../support/fanout-facts.ts'
import { givenFanout } from '../../../support/given.ts'

const cancel = cancelRequested('enough')

describe('a fan-out barrier', () => {
  const three = givenFanout(fanoutOf(3), begun(0), begun(1), begun(2))

  it('stays closed until every task has reported its end', () => {
    expect(three.and(ended(2), ended(0)).decides).toEqual([])
    expect(three.and(ended(2), ended(0), endedBadly(1)).decides).toEqual([
      { type: 'barrier.released', calls: ['0', '1', '2'], missing: [], reason: 'joined' },
    ])
  })

  it.each([
    ['any', 'any', 1],
    ['a quorum', { quorum: 2 }, 2],
  ] as const)('with %s, only successes satisfy it', (_, policy, needed) => {
    const run = givenFanout(fanoutOf(4, { join: { policy } }), begun(0), begun(1), begun(2))
    const failed = run.and(endedBadly(0), ...(needed === 2 ? [ended(1)] : []))
    expect(failed.decides).toEqual([])
    expect(failed.and(ended(2)).decides).toMatchObject([{ type: 'barrier.released' }])
  })

  it('opens at its deadline, in wall time from the creation, without the missing tasks', () => {
    const join = { deadline_seconds: 60 }
    const run = givenFanout(fanoutOf(2, { join }), begun(0), ended(0))
    expect(run.at(59).decides).toEqual([])
    const missing = { calls: ['0'], missing: ['1'], reason: 'deadline' }
    expect(run.at(60).decides).toEqual([{ type: 'barrier.released', ...missing }])
  })

  it('breaks on the first failed task when the join says so', () => {
    const run = givenFanout(fanoutOf(2, { join: { on_child_failure: 'fail' } }), begun(0), begun(1))
    const [end] = run.and(endedBadly(1)).decides
    expect(end).toMatchObject({ type: 'fanout.failed', error: { code: 'child_failed' } })
    expect(JSON.stringify(end)).toContain('Task 1')
  })
})

describe('a fan-out’s end', () => {
  it('follows the barrier, exactly once', () => {
    const run = givenFanout(fanoutOf(1), begun(0), ended(0)).decided()
    const children = { total: 1, completed: 1 }
    expect(run.decides).toMatchObject([{ type: 'fanout.completed', output: null, children }])
    expect(run.decided().decides).toEqual([])
  })

  it('follows the closing run and uses its output', () => {
    const run = givenFanout(fanoutOf(1, { closing: THEN }), begun(0), ended(0)).decided()
    expect(run.decides).toEqual([])
    const closing = run.and(begun('then'))
    expect(closing.decides).toEqual([])
    const said = closing.and(ended('then', { result: 'in short' }))
    expect(said.decides).toMatchObject([{ type: 'fanout.completed', output: { text: 'in short' } }])
  })

  it('is a failure when the closing run did not complete', () => {
    const run = givenFanout(fanoutOf(1, { closing: THEN }), begun(0), ended(0)).decided()
    const dead = ended('then', { status: 'timed_out', result: null })
    const [end] = run.and(begun('then'), dead).decides
    expect(end).toMatchObject({ type: 'fanout.failed', error: { code: 'closing_run_failed' } })
    expect(JSON.stringify(end)).toContain('Its status is timed_out.')
  })

  it('follows a cancel once no effect is in flight, before and after the barrier opens', () => {
    const run = givenFanout(fanoutOf(2), begun(0), cancel)
    expect(run.with({ busy: 1 }).decides).toEqual([])
    expect(run.decides).toMatchObject([{ type: 'fanout.cancelled', reason: 'enough' }])
    const behind = givenFanout(fanoutOf(1, { closing: THEN }), begun(0), ended(0)).decided()
    expect(behind.and(cancel).follows).toEqual(['fanout.cancelled'])
  })
})

describe('an open fan-out', () => {
  const open = (over: Parameters<typeof fanoutOf>[1] = {}) =>
    givenFanout(fanoutOf(0, { open: true, page_children: 8, ...over }))
  const page = [paged(0), pageStarted(0), pageEnded(0)] as const

  it('does not end before its seal', () => {
    expect(open().decides).toEqual([])
    expect(open().and(...page).decides).toEqual([])
    expect(open().and(...page, sealed(1, 2)).follows).toEqual(['barrier.released'])
  })

  it('fails when no page has arrived for a day', () => {
    const day = LIMITS.open_fanout_seconds
    const run = open().at(100).and(paged(0))
    expect(run.at(99 + day).decides).toEqual([])
    expect(run.at(100 + day).decides).toMatchObject([
      { type: 'fanout.failed', error: { code: 'not_sealed' } },
    ])
  })

  it('opens its barrier at its deadline, sealed or not', () => {
    const run = open({ join: { deadline_seconds: 60 } }).and(paged(0))
    expect(run.at(60).decides).toMatchObject([{ reason: 'deadline', missing: ['0'] }])
  })

  it('fails with the reason its page failed with', () => {
    const error = { code: 'child_failed', message: 'Task 7 did not complete' }
    const run = open({ join: { on_child_failure: 'fail' } }).and(paged(0), pageStarted(0))
    const failed = run.and(pageEnded(0, { status: 'failed', error }))
    expect(failed.decides).toMatchObject([{ type: 'fanout.failed', error }])
  })

  it('reports an exhausted budget when a page reports one', () => {
    const spent = pageEnded(0, { spent: true })
    const run = open().and(paged(0), sealed(1, 2), pageStarted(0), spent)
    expect(run.decides).toMatchObject([{ reason: 'budget', missing: [] }])
  })
})

describe('the budget of a fan-out (PROTOCOL.md rule 23)', () => {
  const limits = { max_tokens: 100, max_model_calls: 10 }
  const calls = { max_model_calls: 10 }
  const four = givenFanout(fanoutOf(4, { limits, live_children: 2 }))

  it('is shared by all children that may be live at once', () => {
    const rich = givenFanout(fanoutOf(4, { limits: { max_tokens: 200_000 }, live_children: 2 }))
    expect(shareOf(rich.state)).toEqual({ max_tokens: 100_000, max_model_calls: null })
    expect([affordable(rich.state), slicedAs(rich.state)]).toEqual([2, { slice: {} }])
    expect(shareOf(givenFanout(fanoutOf(4)).state)).toEqual({})
    expect(slicedAs(givenFanout(fanoutOf(4, { limits: calls })).state)).toEqual({})
  })

  it('goes entirely to the first child when it is small, and the others wait', () => {
    expect(shareOf(four.state)).toEqual({ max_tokens: 100, max_model_calls: 5 })
    expect([affordable(four.state), slicedAs(four.state)]).toEqual([1, { slice: { sole: true } }])
    const usage = { input_tokens: 10, output_tokens: 10, model_calls: 1 }
    const whole = begun(0, { max_tokens: 100, max_model_calls: 5 })
    const one = four.and(whole)
    expect(affordable(one.state)).toBe(0)
    // The next ones get what that one has used, and a quarter more.
    const { state } = one.and(ended(0, { usage }))
    expect(shareOf(state)).toEqual({ max_tokens: 40, max_model_calls: 4 })
    const more = four.and(whole, ended(0, { usage: { ...usage, input_tokens: 30 } }))
    expect(shareOf(more.state).max_tokens).toBe(50)
    expect(affordable(more.state)).toBe(1)
  })

  it('is exhausted when no more is left than was already too little for a call', () => {
    const none = { input_tokens: 0, output_tokens: 0, model_calls: 0 }
    const usage = { ...none, input_tokens: 90, model_calls: 1 }
    const two = four.and(begun(0, { max_tokens: 100, max_model_calls: 5 }), ended(0, { usage }))
    const small = two.and(begun(1, { max_tokens: 10, max_model_calls: 5 }))
    const { state } = small.and(ended(1, { usage: none, stop_reason: 'budget' }))
    expect(affordable(state)).toBe(0)
    expect(affordable(small.and(ended(1, { usage: none })).state)).toBe(1)
  })

  it('gives a larger share after one that was too little for a call', () => {
    const none = { input_tokens: 0, output_tokens: 0, model_calls: 0 }
    const usage = { ...none, input_tokens: 4, model_calls: 1 }
    const one = four.and(begun(0, { max_tokens: 100, max_model_calls: 5 }), ended(0, { usage }))
    const small = one.and(begun(1, { max_tokens: 20, max_model_calls: 5 }))
    const { state } = small.and(ended(1, { usage: none, stop_reason: 'budget' }))
    expect(shareOf(state).max_tokens).toBe(50)
  })

  it('of an open fan-out is shared as if the maximum number of live children had arrived', () => {
    const open = givenFanout(fanoutOf(0, { open: true, live_children: 4, limits }), paged(0))
    expect(shareOf(open.state)).toEqual({ max_tokens: 100, max_model_calls: 2 })
    expect(shareOf(open.and(sealed(1, 2)).state)).toEqual({ max_tokens: 100, max_model_calls: 10 })
  })

  it('is reserved while a task is live, and returns minus its usage and what outlives it', () => {
    const share = { max_tokens: 50, max_model_calls: 5 }
    const both = four.and(begun(0, share), begun(1, share))
    expect(affordable(both.state)).toBe(0)
    const usage = { input_tokens: 10, output_tokens: 10, model_calls: 2 }
    const back = both.and(ended(0, { usage }))
    expect(restOf(back.state)).toEqual({ max_tokens: 30, max_model_calls: 3 })
    const held = { max_tokens: 20, max_model_calls: 1 }
    const less = both.and(ended(0, { usage, held }))
    expect(restOf(less.state)).toEqual({ max_tokens: 10, max_model_calls: 2 })
  })

  it('opens the barrier once exhausted, when no live child could return a share', () => {
    const share = { max_tokens: 50, max_model_calls: 5 }
    const usage = { input_tokens: 25, output_tokens: 25, model_calls: 5 }
    const run = four.and(begun(0, share), begun(1, share), ended(0, { usage }))
    expect(run.decides).toEqual([])
    const spent = run.and(ended(1, { usage }))
    expect(spent.with({ busy: 1 }).decides).toEqual([])
    const missing = { calls: ['0', '1'], missing: ['2', '3'], reason: 'budget' }
    expect(spent.decides).toEqual([{ type: 'barrier.released', ...missing }])
  })
})
