import { describe, expect, it } from 'vitest'
import { recordLateResult } from '../../../src/core/late-results.ts'
import { accepts } from '../../../src/core/run/accepts.ts'
import { allotmentOf } from '../../../src/core/run/budget.ts'
import { decide } from '../../../src/core/run/decide.ts'
import type { RunFact } from '../../../src/core/run/facts.ts'
import { announceOf } from '../../../src/core/run/view.ts'
import { announced, answered, created, given, NOW, spawned, started } from '../../support/facts.ts'

const cancel: RunFact = { type: 'cancel.requested', by: 'api', reason: null }

describe('what comes too late', () => {
  it('promise 7: a start that was under way does not count after the cancel', () => {
    expect(accepts(given(created()), started())).toBe(true)
    expect(accepts(given(created(), cancel), started())).toBe(false)
  })

  it('nor does the answer that came of such a start, or its failure', () => {
    const waits = { type: 'run.waiting', on: 'retry', until: NOW, step: 0, attempt: 1 } as const
    const state = given(created(), cancel)
    expect(accepts(state, answered(0))).toBe(false)
    expect(accepts(state, waits)).toBe(false)
  })

  it('an answer does not count while its step waits for the next attempt', () => {
    const error = { code: 'model_unavailable', message: 'down' }
    const waits: RunFact = {
      type: 'run.waiting',
      on: 'retry',
      until: NOW + 60_000,
      step: 0,
      attempt: 1,
      error,
    }
    expect(accepts(given(created(), started()), answered(0))).toBe(true)
    expect(accepts(given(created(), started(), waits), answered(0))).toBe(false)
  })
})

describe('a budget that subagents hold', () => {
  const limits = { ...budget(), max_model_calls: 4 }
  const child = { ...spawned('a'), allotment: { max_tokens: null, max_model_calls: 3 } } as RunFact
  const facts = [created({ limits }), started(), answered(0, { a: 'spawn' }), child]

  it('is waited for, and who waited goes on when it has come back', () => {
    expect(decide(given(...facts), NOW)).toMatchObject([{ type: 'run.waiting', on: 'subagents' }])
    const waiting: RunFact = { type: 'run.waiting', on: 'subagents', until: null }
    const back = given(...facts, waiting, announced('a'))
    expect(decide(back, NOW)).toEqual([{ type: 'run.resumed' }])
  })

  it('I16 stays held by those who outlive the child that gave it to them', () => {
    const ended = given(...facts, {
      type: 'run.timed_out',
      error: { code: 'timeout', message: 'late' },
    } as RunFact)
    const { held } = announceOf(ended, (body) => ({ body, truncated: false }))
    expect(held).toEqual({ max_tokens: 0, max_model_calls: 3 })
    if (!held) return
    const parent = { ...limits, max_model_calls: 8 }
    const gave = { ...child, allotment: { max_tokens: null, max_model_calls: 4 } } as RunFact
    const log = [created({ limits: parent }), started(), answered(0, { a: 'spawn' }), gave]
    const usage = { input_tokens: 1, output_tokens: 1, model_calls: 1 }
    const dead = { status: 'timed_out', result: null, usage } as const
    const back = given(...log, announced('a', dead))
    const kept = given(...log, announced('a', { ...dead, held }))
    expect(allotmentOf(back).max_model_calls).toBe(6)
    expect(allotmentOf(kept).max_model_calls).toBe(3)
    expect(announceOf(kept, (body) => ({ body, truncated: false })).held).toEqual(held)
  })

  it('I16 and by those of a child whose end came after its own parent’s', () => {
    const ended = given(...facts, {
      type: 'run.timed_out',
      error: { code: 'timeout', message: 'late' },
    } as RunFact)
    const held = { max_tokens: 0, max_model_calls: 2 }
    const late = announced('a', { status: 'cancelled', result: null, held })
    if (late.type !== 'subagent.failed') throw new Error('it did not fail')
    const draft = { late_results: ended.late_results, outbox: { late: [] } }
    recordLateResult(draft, late, { at: NOW, mustTell: false, drops: true })
    const told = announceOf({ ...ended, late_results: draft.late_results }, (body) => ({
      body,
      truncated: false,
    }))
    expect(told.held).toEqual(held)
  })
})

function budget() {
  return {
    max_steps: null,
    timeout_seconds: null,
    max_children: 10,
    live_children: 4,
    max_depth: 1,
  }
}
