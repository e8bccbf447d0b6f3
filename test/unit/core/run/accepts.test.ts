import { describe, expect, it } from 'vitest'
import { recordLateResult } from '../../../../src/core/late-results.ts'
import { accepts } from '../../../../src/core/run/decide/accepts.ts'
import { decide } from '../../../../src/core/run/decide/decide.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import { allotmentOf } from '../../../../src/core/run/state/budget.ts'
import { announceOf } from '../../../../src/core/run/views/view.ts'
import {
  announced,
  answered,
  cancelRequested,
  childWaits,
  completed,
  created,
  failedChild,
  given,
  intended,
  messaged,
  NOW,
  parentOf,
  RESUMED,
  resulted,
  spawned,
  started,
  waiting,
} from '../../../support/facts.ts'
import { givenRun } from '../../../support/given.ts'

const cancel = cancelRequested()

describe('late facts', () => {
  it('a start in flight is rejected after the cancel (promise 7)', () => {
    expect(accepts(given(created()), started())).toBe(true)
    expect(accepts(given(created(), cancel), started())).toBe(false)
  })

  it('the answer to such a start, or its failure, is rejected too', () => {
    const waits = { type: 'run.waiting', on: 'model', until: NOW, step: 0, attempt: 1 } as const
    const state = given(created(), cancel)
    expect(accepts(state, answered(0))).toBe(false)
    expect(accepts(state, waits)).toBe(false)
  })

  it('an answer is rejected while its step waits for the next attempt', () => {
    const error = { code: 'model_unavailable', message: 'down' }
    const waits: RunFact = {
      type: 'run.waiting',
      on: 'model',
      until: NOW + 60_000,
      step: 0,
      attempt: 1,
      error,
    }
    expect(accepts(given(created(), started()), answered(0))).toBe(true)
    expect(accepts(given(created(), started(), waits), answered(0))).toBe(false)
  })
})

describe('a fact from a newer release', () => {
  const later = { type: 'run.rewound', to: 1 } as unknown as RunFact

  it('is accepted by a live run, so the newer release finds it in the log', () => {
    expect(accepts(given(created()), later)).toBe(true)
    expect(accepts(given(created(), started(), cancel), later)).toBe(true)
  })

  it('is rejected before the first fact and after the last', () => {
    expect(accepts(given(), later)).toBe(false)
    const [ended] = decide(given(created(), cancel), NOW)
    expect(ended?.type).toBe('run.cancelled')
    expect(accepts(given(created(), cancel, ended!), later)).toBe(false)
  })
})

describe('acceptance of run facts', () => {
  const runs = givenRun(created(), started())
  const calls = runs.and(answered(0, { t: 'once', s: 'spawn' }))
  const child = calls.and(resulted('t'), spawned('s'))
  const rests = givenRun(...parentOf({}, 'a'), waiting('subagents'))
  const retry = (step: number, attempt: number) => waiting('model', { step, attempt })
  const hand = { type: 'skill.activated', skill: 's', file_digest: 'd', args: '' } as const
  const byUser: RunFact = { ...hand, by: 'user', call: null, text: 'do so' }
  const byModel: RunFact = { ...hand, by: 'model', call: 't', text: null }
  const turn: RunFact = { type: 'run.resumed', history: [] }
  const jump: RunFact = { type: 'clock.stepped', ms: 90_000, to: NOW + 100_000 }
  const usage = { input_tokens: 1, output_tokens: 1, model_calls: 1 }
  const lost: RunFact = { type: 'assistant.discarded', step: 0, model: 'm', usage }
  const error = { code: 'x', message: 'y' }
  const failed = (step: number): RunFact => ({
    type: 'run.failed',
    stop_reason: 'error',
    error,
    step,
  })

  it.each<[string, boolean, typeof runs, RunFact]>([
    ['a creation', true, givenRun(), created()],
    ['a second creation', false, runs, created()],
    ['anything before the creation', false, givenRun(), started()],
    ['a start', true, givenRun(created()), started()],
    ['a second start', false, runs, started()],
    ['the first answer', true, runs, answered(0)],
    ['a second answer to a step', false, runs.and(answered(0)), answered(0)],
    ['an answer to a later step', false, runs, answered(1)],
    ['an answer before the start', false, givenRun(created()), answered(0)],
    ['an answer while a call is open', false, calls, answered(1)],
    ['an answer to results', true, child, answered(1)],
    ['an answer that was paid for', true, runs.and(answered(0)), lost],
    ['a result', true, calls, resulted('t')],
    ['a second result of one call', false, calls.and(resulted('t')), resulted('t')],
    ['a result of no call', false, calls, resulted('x')],
    ['an intent', true, calls, intended('t', 'once')],
    ['a second intent', false, calls.and(intended('t', 'once')), intended('t', 'once')],
    [
      'PROTOCOL.md rule 15: an intent after a cancel',
      false,
      calls.and(cancel),
      intended('t', 'once'),
    ],
    ['a result after a cancel', true, calls.and(cancel), resulted('t')],
    ['a child', true, calls, spawned('s')],
    ['a child that was begun twice', false, child, spawned('s')],
    ['a child after its refusal', false, calls.and(resulted('s')), spawned('s')],
    ['an end', true, child, announced('s')],
    ['a second end', false, child.and(announced('s')), failedChild('s')],
    ['an end under another name', false, child, announced('s', { run_id: 'run_x' })],
    ['an end before the record of its beginning', false, calls, announced('s')],
    ['that it waits for a person', true, child, childWaits('s', 3)],
    ['a message', true, runs, messaged('m')],
    [
      'PROTOCOL.md rule 3: a message that comes twice',
      false,
      runs.and(messaged('m')),
      messaged('m'),
    ],
    ['a message after a cancel', false, runs.and(cancel), messaged('m')],
    ['a skill by hand', true, runs, byUser],
    ['a skill by hand, twice', false, runs.and(byUser), byUser],
    ['a skill by a call that is open', true, calls, byModel],
    ['a skill by a call that is over', false, child, byModel],
    ['a retry', true, runs, retry(0, 1)],
    ['the same attempt again', false, runs.and(retry(0, 1), RESUMED), retry(0, 1)],
    ['the next attempt of one that has not resumed', false, runs.and(retry(0, 1)), retry(0, 2)],
    ['a retry of another step', false, runs, retry(1, 1)],
    ['a waiting', true, child, waiting('subagents')],
    ['a waiting while it waits', false, rests, waiting('approval')],
    ['its turn', true, givenRun(created(), waiting('session')), turn],
    ['its turn, twice', false, givenRun(created(), waiting('session'), turn), turn],
    ['a failure of the step that is due', true, runs, failed(0)],
    ['a failure of a step that was answered', false, runs.and(answered(0)), failed(0)],
    ['a jump of the clock', true, runs, jump],
    ['a jump that was counted', false, runs.and(jump), jump],
    ['a jump before the start', false, givenRun(created()), jump],
    ['a cancel', true, runs, cancel],
    ['a second cancel', false, runs.and(cancel), cancel],
    ['PROTOCOL.md rule 10: a cancel after the end', false, runs.and(completed()), cancel],
    ['PROTOCOL.md rule 10: an end after the end', false, child.and(completed()), announced('s')],
  ])('%s: %s', (_, counts, run, fact) => {
    expect(run.accepts(fact)).toBe(counts)
  })
})

describe('a budget reserved by subagents', () => {
  const limits = { ...budget(), max_model_calls: 4 }
  const child = { ...spawned('a'), allotment: { max_tokens: null, max_model_calls: 3 } } as RunFact
  const facts = [created({ limits }), started(), answered(0, { a: 'spawn' }), child]

  it('delays the run, which continues once the budget has returned', () => {
    expect(decide(given(...facts), NOW)).toMatchObject([{ type: 'run.waiting', on: 'subagents' }])
    const waiting: RunFact = { type: 'run.waiting', on: 'subagents', until: null }
    const back = given(...facts, waiting, announced('a'))
    expect(decide(back, NOW)).toEqual([{ type: 'run.resumed' }])
  })

  it('stays reserved by descendants that outlive the child that granted it [I16]', () => {
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

  it('also stays reserved below a child whose end arrived after its parent’s [I16]', () => {
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
