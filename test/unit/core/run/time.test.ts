import { describe, expect, it } from 'vitest'
import { accepts } from '../../../../src/core/run/decide/accepts.ts'
import { decide } from '../../../../src/core/run/decide/decide.ts'
import { evolve } from '../../../../src/core/run/evolve.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import { runMachine } from '../../../../src/core/run/machine.ts'
import type { RunState } from '../../../../src/core/run/state/state.ts'
import { deadline, INITIAL } from '../../../../src/core/run/state/state.ts'
import {
  announced,
  answered,
  cancelRequested,
  childResumed,
  childWaits,
  created,
  given,
  log,
  NOW,
  parentOf,
  RESUMED,
  started,
  waiting,
} from '../../../support/facts.ts'

/** Facts `at` so many ms after NOW. */
const at = (...facts: readonly (readonly [number, RunFact])[]): RunState =>
  evolve(
    INITIAL,
    facts.map(([ms, fact], index) => ({ seq: index + 1, at: NOW + ms, fact })),
  )

describe('the clock of a run', () => {
  it('starts when the run starts, not when it is queued [OC-28]', () => {
    const state = at([0, created()], [10_000, started({ timeout_seconds: 60 })])
    expect(deadline(state)).toBe(NOW + 70_000)
    expect(decide(state, NOW + 65_000)).toEqual([])
    expect(decide(state, NOW + 70_000)[0]?.type).toBe('run.timed_out')
  })

  it('never starts before the creation or the turn, nor after the fact of the start', () => {
    const began = (began_at: number, ...before: (readonly [number, RunFact])[]) =>
      at([0, created()], ...before, [5_000, started({ began_at: NOW + began_at })]).started_at! -
      NOW
    expect([began(3_000), began(-9), began(9_000)]).toEqual([3_000, 0, 5_000])
    expect(began(1_000, [0, waiting('session')], [2_000, RESUMED])).toBe(2_000)
    // As earlier versions wrote it.
    expect(at([0, created()], [5_000, started()]).started_at).toBe(NOW + 5_000)
    const state = at([0, created()], [5_000, started({ began_at: NOW, timeout_seconds: 60 })])
    expect(deadline(state)).toBe(NOW + 60_000)
  })

  it('is in the log: after a restart only the remaining time is left [OC-33]', () => {
    const state = at([0, created()], [0, started({ timeout_seconds: 60 })], [1, answered(0)])
    const parked = {
      ...state,
      status: 'waiting',
      waiting: { on: 'model', until: NOW + 90_000 },
    } as const
    expect(runMachine.wakeAt(parked, NOW + 59_000)).toBe(NOW + 60_000)
  })

  it('a success after the time is over is too late [OC-26]', () => {
    const end: RunFact = {
      type: 'run.timed_out',
      stop_reason: 'timeout',
      error: { code: 'timeout', message: 'over' },
    }
    const state = at([0, created()], [0, started()], [1_000, end])
    expect(accepts(state, answered(0))).toBe(false)
    expect(state.status).toBe('timed_out')
  })

  it('stops while a person is waited for, each time (promise 8)', () => {
    const state = at(
      [0, created()],
      [0, started({ timeout_seconds: 60 })],
      [10_000, waiting('approval')],
      [500_000, RESUMED],
      [510_000, waiting('approval')],
      [900_000, RESUMED],
    )
    expect(state.paused_ms).toBe(880_000)
    expect(deadline(state)).toBe(NOW + 60_000 + 880_000)
    const paused = at([0, created()], [0, started()], [10_000, waiting('approval')])
    expect(deadline(paused)).toBeUndefined()
    expect(decide(paused, NOW + 9_000_000_000)).toEqual([])
  })

  it('runs while subagents work, and stops while each of them waits for a person (promise 8)', () => {
    const both = [...parentOf({}, 'a', 'b'), waiting('subagents')]
    const one = given(...both, childWaits('a', 5))
    expect(decide(one, NOW + 60_000)).toEqual([])
    const all = given(...both, childWaits('a', 5), childWaits('b', 5))
    expect(decide(all, NOW + 60_000)).toEqual([RESUMED])
    const on = evolve(all, [{ seq: all.seq + 1, at: NOW + 60_000, fact: RESUMED }])
    expect(decide(on, NOW + 60_000)).toMatchObject([{ type: 'run.waiting', on: 'approval' }])
    const ended = given(...both, childWaits('a', 5), announced('b'))
    expect(decide(ended, NOW + 60_000)).toEqual([RESUMED])
  })

  it('a late or duplicate notice changes nothing', () => {
    const facts = [...parentOf({}, 'a'), waiting('subagents'), childResumed('a', 9)]
    const state = given(...facts)
    expect(accepts(state, childWaits('a', 5))).toBe(false)
    expect(accepts(state, childWaits('a', 9))).toBe(false)
    expect(accepts(state, childWaits('a', 12))).toBe(true)
    expect(accepts(given(...facts, announced('a')), childWaits('a', 12))).toBe(false)
  })

  it('the barrier’s deadline is wall time, also while a person is waited for', () => {
    const state = evolve(INITIAL, [
      ...log(...parentOf({ deadline_seconds: 30 }, 'a')),
      ...[waiting('subagents'), childWaits('a', 5), RESUMED, waiting('approval')].map(
        (fact, index) => ({ seq: 6 + index, at: NOW + 10_000 + index, fact }),
      ),
    ])
    expect(state.waiting?.on).toBe('approval')
    const [resumed, released] = decide(state, NOW + 40_000)
    expect(resumed).toEqual(RESUMED)
    expect(released).toMatchObject({ type: 'barrier.released', missing: ['a'], reason: 'deadline' })
  })
})

describe('an intent based on a read (PROTOCOL.md rule 14)', () => {
  const told: RunFact = {
    type: 'tool.call',
    call: 'w',
    tool: 'tool',
    mode: 'write',
    epoch: 1,
    write: { before: null, after: 'x' },
  }
  const asked = [created(), started(), answered(0, { w: 'write' })] as const

  it('is accepted once, and not after a cancel or a result', () => {
    expect(accepts(given(...asked), told)).toBe(true)
    expect(accepts(given(...asked, told), told)).toBe(false)
    expect(accepts(given(...asked, cancelRequested()), told)).toBe(false)
    const result = { type: 'tool.result', call: 'w', tool: 'tool', text: '' } as const
    const over: RunFact = { ...result, status: 'error', duration_ms: 0 }
    expect(accepts(given(...asked, over), told)).toBe(false)
  })

  it('the read precedes the write', () => {
    const kinds = (state: RunState) =>
      runMachine.pendingEffects(state, NOW + 5_000).map(({ kind }) => kind)
    expect(decide(given(...asked), NOW + 5_000)).toEqual([])
    expect(kinds(given(...asked))).toEqual(['prepare'])
    expect(kinds(given(...asked, told))).toEqual(['tool'])
  })
})
