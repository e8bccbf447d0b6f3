import { describe, expect, it } from 'vitest'
import { accepts } from '../../../../src/core/run/decide/accepts.ts'
import { decide } from '../../../../src/core/run/decide/decide.ts'
import { pendingEffects } from '../../../../src/core/run/decide/pending-effects.ts'
import { evolve } from '../../../../src/core/run/evolve.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import type { RunState } from '../../../../src/core/run/state/state.ts'
import {
  announced,
  answered,
  created,
  failedChild,
  given,
  NOW,
  parentOf,
  started,
} from '../../../support/facts.ts'

type Announced = Extract<RunFact, { type: 'subagent.announced' }>

const types = (state: RunState, now = NOW): string[] => decide(state, now).map(({ type }) => type)

describe('the barrier', () => {
  it('a resting parent waits for its children [MC-06]', () => {
    const state = given(...parentOf({}, 'a', 'b', 'c'))
    expect(decide(state, NOW)).toMatchObject([{ type: 'run.waiting', on: 'subagents' }])
    expect(pendingEffects(state, NOW)).toEqual([])
  })

  it('is released by the last child, in call order regardless of arrival order', () => {
    const state = given(
      ...parentOf({}, 'a', 'b', 'c'),
      announced('c'),
      announced('a'),
      announced('b'),
    )
    expect(decide(state, NOW)).toMatchObject([
      { type: 'barrier.released', calls: ['a', 'b', 'c'], missing: [], reason: 'joined' },
    ])
  })

  it('ignores announces of another run’s children; its own are handled [X-11]', () => {
    const waits = given(...parentOf({}, 'a', 'b'), announced('a'))
    const foreign = announced('stranger')
    expect(accepts(waits, foreign)).toBe(false)
    // Nor under the name of one of our own calls.
    const disguised = { ...announced('b'), announce: (foreign as Announced).announce } as RunFact
    expect(accepts(waits, disguised)).toBe(false)
    expect(accepts(waits, announced('b'))).toBe(true)
    const served = given(...parentOf({}, 'a', 'b'), announced('a'), announced('b'))
    expect(decide(served, NOW)).toMatchObject([{ calls: ['a', 'b'], missing: [] }])
  })

  it('is absent without children [X-10]', () => {
    const state = given(created(), started(), answered(0))
    expect(types(state)).toEqual(['run.completed'])
  })

  it('children that all ended before the parent rested cause one more call', () => {
    const [first, second, third, ...rest] = parentOf({}, 'a')
    const spawned = rest[0]!
    const state = given(
      first!,
      second!,
      third!,
      spawned,
      announced('a'),
      answered(1, {}, { seen: 1 }),
    )
    expect(types(state)).toEqual(['run.completed'])
    const unseen = given(
      first!,
      second!,
      third!,
      spawned,
      announced('a'),
      answered(1, {}, { seen: 0 }),
    )
    expect(types(unseen)).toEqual(['barrier.released'])
  })

  it('any: the first success releases it, and the remaining children are cancelled [X-08]', () => {
    const state = given(...parentOf({ policy: 'any' }, 'a', 'b', 'c'), announced('b'))
    const [release] = decide(state, NOW)
    expect(release).toMatchObject({ type: 'barrier.released', calls: ['b'], missing: ['a', 'c'] })
    const after = evolve(state, [{ seq: state.seq + 1, at: NOW + 9_000, fact: release! }])
    expect(after.outbox.cancel).toEqual(['a', 'c'])
    expect(pendingEffects(after, NOW).map(({ kind }) => kind)).toEqual([
      'cancel',
      'cancel',
      'model',
    ])
  })

  it('any with cancel_rest false leaves the others running [X-08]', () => {
    const join = { policy: 'any', cancel_rest: false } as const
    const state = given(...parentOf(join, 'a', 'b'), announced('a'))
    const [release] = decide(state, NOW)
    const after = evolve(state, [{ seq: state.seq + 1, at: NOW + 9_000, fact: release! }])
    expect(after.outbox.cancel).toEqual([])
  })

  it('a quorum is reached by successes only [X-09]', () => {
    const join = { policy: { quorum: 2 } } as const
    const one = given(...parentOf(join, 'a', 'b', 'c'), announced('a'), failedChild('b'))
    expect(types(one)).toEqual(['run.waiting'])
    const two = given(...parentOf(join, 'a', 'b', 'c'), announced('a'), announced('c'))
    expect(decide(two, NOW)).toMatchObject([{ calls: ['a', 'c'], missing: ['b'] }])
  })

  it('a quorum that can no longer be met is released when all have ended', () => {
    const join = { policy: { quorum: 2 } } as const
    const state = given(...parentOf(join, 'a', 'b'), announced('a'), failedChild('b'))
    expect(decide(state, NOW)).toMatchObject([{ calls: ['a', 'b'], missing: [] }])
  })

  it('at the shared deadline the remaining children are timed out [X-07]', () => {
    const facts = parentOf({ deadline_seconds: 10 }, 'a', 'b', 'c')
    const resting = given(...facts)
    const [waiting] = decide(resting, NOW)
    const since = NOW + facts.length * 1_000
    const state = evolve(resting, [{ seq: resting.seq + 1, at: since, fact: waiting! }])
    const later = evolve(state, [{ seq: state.seq + 1, at: since, fact: announced('a') }])
    expect(types(later, since + 9_999)).toEqual([])
    expect(decide(later, since + 10_000)).toMatchObject([
      { type: 'run.resumed' },
      { type: 'barrier.released', calls: ['a'], missing: ['b', 'c'], reason: 'deadline' },
    ])
  })

  it('a failed child does not fail its parent, unless the join says so [MC-08]', () => {
    const lenient = given(...parentOf({}, 'a', 'b'), failedChild('a'), announced('b'))
    expect(types(lenient)).toEqual(['barrier.released'])
    const strict = given(...parentOf({ on_child_failure: 'fail' }, 'a', 'b'), failedChild('a'))
    expect(decide(strict, NOW)).toMatchObject([
      { type: 'run.failed', error: { code: 'child_failed' } },
    ])
  })

  it('an abandoned child that fails later is not reported again; a late result is [X-13]', () => {
    const state = given(...parentOf({ policy: 'any' }, 'a', 'b', 'c'), announced('a'))
    const [release] = decide(state, NOW)
    const at = NOW + 60_000
    const after = evolve(state, [{ seq: state.seq + 1, at, fact: release! }])
    const failed = evolve(after, [{ seq: after.seq + 1, at, fact: failedChild('b') }])
    expect(failed.pending_input).toHaveLength(after.pending_input.length)
    const late = evolve(failed, [{ seq: failed.seq + 1, at, fact: announced('c') }])
    expect(late.pending_input.at(-1)).toEqual({ kind: 'announce', call: 'c', late: true })
    const answer = answered(2, {}, { seen: after.pending_input.length })
    const done = evolve(late, [{ seq: late.seq + 1, at, fact: answer }])
    expect(types(done)).toEqual(['run.completed'])
  })

  it('a second wave of children has a separate barrier', () => {
    const first = given(...parentOf({ policy: 'any' }, 'a', 'b'), announced('a'), failedChild('b'))
    const [release] = decide(first, NOW)
    const at = NOW + 60_000
    const facts = [release!, answered(2, { c: 'spawn', d: 'spawn' }, { seen: 2 })]
    const spawn = (call: string) => parentOf({}, call)[3]!
    const all = [...facts, spawn('c'), spawn('d'), answered(3, {}, { seen: 2 })]
    const state = evolve(
      first,
      all.map((fact, index) => ({ seq: first.seq + 1 + index, at, fact })),
    )
    expect(types(state, at)).toEqual(['run.waiting'])
  })
})

describe('the end of a run', () => {
  it('cancels every child named by a call, recorded or not', () => {
    const [first, second, third, a] = parentOf({}, 'a', 'b')
    const state = given(first!, second!, third!, a!, {
      type: 'run.cancelled',
      stop_reason: 'cancelled',
      reason: null,
    })
    expect(state.outbox.cancel).toEqual(['a', 'b'])
  })

  it('max_steps ends with one last call without tools, after the children', () => {
    const calls = { a: 'spawn', t: 'repeatable' } as const
    const facts = [
      created(),
      started({ max_steps: 1 }),
      answered(0, calls),
      parentOf({}, 'a')[3]!,
      {
        type: 'tool.result',
        call: 't',
        tool: 'tool',
        status: 'ok',
        text: '',
        duration_ms: 0,
      } as const,
    ]
    const waiting = given(...facts)
    expect(types(waiting)).toEqual(['run.waiting'])
    const joined = given(...facts, announced('a'))
    const [release] = decide(joined, NOW)
    const open = evolve(joined, [{ seq: joined.seq + 1, at: NOW + 9_000, fact: release! }])
    expect(pendingEffects(open, NOW)).toMatchObject([{ kind: 'model', step: 1, last: true }])
    const done = evolve(open, [
      { seq: open.seq + 1, at: NOW + 9_000, fact: answered(1, {}, { seen: 1 }) },
    ])
    expect(decide(done, NOW)).toMatchObject([{ type: 'run.completed', stop_reason: 'max_steps' }])
  })

  it('its time runs from its start and never restarts once it is over', () => {
    const state = given(created(), started({ timeout_seconds: 60 }))
    expect(types(state, NOW + 60_000)).toEqual([])
    expect(types(state, NOW + 61_000)).toEqual(['run.timed_out'])
  })
})

describe('once calls', () => {
  it('of a dead worker end as unknown, and are not owed again', () => {
    const call = { type: 'tool.call', call: 't', tool: 'tool', mode: 'once', epoch: 1 } as const
    const facts = [created(), started(), answered(0, { t: 'once' }), call] as const
    const mine = given(...facts)
    expect(pendingEffects(mine, NOW)).toMatchObject([{ kind: 'tool', call: 't', once: true }])
    const next = { ...given(...facts), epoch: 2 }
    expect(decide(next, NOW)).toMatchObject([{ type: 'tool.result', status: 'unknown' }])
  })

  it('that are repeatable are performed again', () => {
    const call = {
      type: 'tool.call',
      call: 't',
      tool: 'tool',
      mode: 'repeatable',
      epoch: 1,
    } as const
    const state = {
      ...given(created(), started(), answered(0, { t: 'repeatable' }), call),
      epoch: 2,
    }
    expect(decide(state, NOW)).toEqual([])
    expect(pendingEffects(state, NOW)).toMatchObject([{ kind: 'tool', call: 't', once: false }])
  })
})
