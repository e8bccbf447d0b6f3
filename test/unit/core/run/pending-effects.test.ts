/** The effects that are pending, in which order, under which names. */

import { describe, expect, it } from 'vitest'
import { needsCommit, pendingEffects } from '../../../../src/core/run/decide/pending-effects.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import {
  announced,
  answered,
  asking,
  begins,
  cancelRequested,
  completed,
  created,
  intended,
  limitsOf,
  messaged,
  NOW,
  parentOf,
  RESUMED,
  resulted,
  spawned,
  started,
  timedOut,
  waiting,
} from '../../../support/facts.ts'
import { givenRun } from '../../../support/given.ts'

const FULL = { parent: true, webhook: [2, 3], cancel: ['a'], notice: 4, events: 5 } as const
const IN_ORDER = ['notice 4', 'announce', 'webhook 2', 'webhook 3', 'events 5', 'cancel a']

describe('the pending work of a run', () => {
  it.each<[string, readonly RunFact[], readonly string[]]>([
    ['nothing before there is a run', [], []],
    ['its start', [created()], ['start']],
    ['no start while its turn has not come', [created(), waiting('session')], []],
    ['the first answer', [...begins], ['model 0.0']],
    ['nothing while it waits for a retry', [...begins, waiting('model', { attempt: 1 })], []],
    [
      'the next attempt, under a name of its own',
      [...begins, waiting('model', { attempt: 1 }), RESUMED],
      ['model 0.1'],
    ],
    ['nothing after the last word', [...begins, answered(0)], []],
    ['an answer to a message', [...begins, answered(0), messaged('m')], ['model 1.0']],
    ['nothing after the end', [...begins, completed()], []],
    ['nothing at the barrier', [...parentOf({}, 'a')], []],
    [
      'the answer to results',
      [...begins, answered(0, { a: 'once' }), resulted('a')],
      ['model 1.0'],
    ],
  ])('%s', (_, facts, expected) => {
    expect(givenRun(...facts).pending).toEqual(expected)
  })

  it('the last answer is requested without tools', () => {
    const facts = [created(), started({ max_steps: 1 }), answered(0, { a: 'once' }), resulted('a')]
    const { state } = givenRun(...facts)
    expect(pendingEffects(state, NOW)).toMatchObject([{ kind: 'model', last: true }])
    expect(pendingEffects(givenRun(...begins).state, NOW)).toMatchObject([{ last: false }])
  })

  it('the last answer waits for the subagents', () => {
    const calls = answered(0, { a: 'spawn' })
    const run = givenRun(created(), started({ max_steps: 1 }), calls, spawned('a'))
    expect(run.pending).toEqual([])
    expect(run.and(announced('a')).decided().pending).toEqual(['model 1.0'])
  })

  it('an answer that does not fit the schema is requested once more, after the subagents', () => {
    const wrong = { ...answered(1), schema_error: 'no' } as RunFact
    const facts = [answered(0, { a: 'spawn' }), spawned('a')]
    const run = givenRun(...begins, ...facts, wrong)
    expect(run.pending).toEqual([])
    expect(run.and(announced('a')).decided().pending).toEqual(['model 2.0'])
    const alone = givenRun(...begins, { ...wrong, step: 0 } as RunFact)
    expect(alone.pending).toEqual(['model 1.0'])
    expect(alone.and(wrong).pending).toEqual([])
  })

  it('is empty when the time is over', () => {
    const run = givenRun(created(), started({ timeout_seconds: 60 }))
    expect(run.at(60).pending).toEqual(['model 0.0'])
    expect(run.at(61).pending).toEqual([])
  })

  it('has no model call without a remaining budget', () => {
    const run = givenRun(created(limitsOf({ max_model_calls: 1 })), started())
    expect(run.pending).toEqual(['model 0.0'])
    expect(run.and(answered(0, { a: 'once' }), resulted('a')).pending).toEqual([])
  })
})

describe('the calls of an answer', () => {
  it('a tool is called only under an intent, and once (PROTOCOL.md rule 13)', () => {
    const run = givenRun(...begins, answered(0, { a: 'once', b: 'repeatable' }))
    expect(run.pending).toEqual([])
    const both = run.decided()
    expect(pendingEffects(both.state, NOW)).toMatchObject([
      { id: 'tool a', once: true },
      { id: 'tool b', once: false },
    ])
    expect(both.and(resulted('a')).pending).toEqual(['tool b'])
  })

  it('writes are prepared sequentially (PROTOCOL.md rule 14)', () => {
    const run = givenRun(...begins, answered(0, { a: 'write', b: 'write' }))
    expect(run.pending).toEqual(['prepare a'])
    expect(run.and(intended('a', 'write')).pending).toEqual(['tool a'])
    expect(run.and(intended('a', 'write'), resulted('a')).pending).toEqual(['prepare b'])
  })

  it('children start as slots become free (PROTOCOL.md rule 19)', () => {
    const calls = answered(0, { a: 'spawn', b: 'spawn', c: 'spawn' })
    const run = givenRun(created(limitsOf({ live_children: 2 })), started(), calls)
    expect(run.pending).toEqual(['spawn a', 'spawn b'])
    expect(run.and(spawned('a')).pending).toEqual(['spawn b'])
    expect(run.and(spawned('a'), spawned('b')).pending).toEqual([])
    expect(run.and(spawned('a'), spawned('b'), announced('a')).pending).toEqual(['spawn c'])
  })

  it('a call that waits for approval is not performed', () => {
    const run = givenRun(...begins, asking(0, { a: '{}' }))
    expect(run.decided().pending).toEqual([])
  })

  it('writes are inspected before tools are called and children started', () => {
    const calls = answered(0, { s: 'spawn', t: 'repeatable', w: 'write' })
    expect(givenRun(...begins, calls, intended('t', 'repeatable')).pending).toEqual([
      'prepare w',
      'tool t',
      'spawn s',
    ])
  })
})

describe('the outbox', () => {
  it('precedes the work, each entry under a unique name', () => {
    expect(givenRun(...begins).with({ outbox: FULL }).pending).toEqual([...IN_ORDER, 'model 0.0'])
  })

  it('is the only work of a cancelled run, even while effects are in flight (promise 7)', () => {
    const run = givenRun(...begins, cancelRequested()).with({ outbox: FULL, busy: 1 })
    expect(run.pending).toEqual(IN_ORDER)
  })

  it('remains after the end, with the end for the session (PROTOCOL.md rule 10)', () => {
    const outbox = { ...FULL, session: true }
    expect(givenRun(...begins).with({ outbox }).pending).not.toContain('session')
    expect(givenRun(...begins, timedOut).with({ outbox }).pending).toContain('session')
  })

  it('remains for a run whose time is over', () => {
    const run = givenRun(created(), started({ timeout_seconds: 1 })).with({ outbox: FULL })
    expect(run.at(60).pending).toEqual(IN_ORDER)
  })
})

describe('the next wake time (PROTOCOL.md rule 9)', () => {
  it('is within a minute while anything is pending, busy, or about to follow', () => {
    expect(givenRun(...begins).at(5).wakesAt).toBe(65)
    const rests = givenRun(...parentOf({}, 'a'), waiting('subagents')).at(10)
    expect(rests.with({ busy: 1 }).wakesAt).toBe(70)
    expect(givenRun(...begins, answered(0)).at(5).wakesAt).toBe(65)
    expect(
      givenRun(...begins, timedOut)
        .with({ outbox: FULL })
        .at(5).wakesAt,
    ).toBe(65)
  })

  it('is the retry, the deadline of the barrier, or the time limit, whichever is first', () => {
    const retry = givenRun(...begins, waiting('model', { until: NOW + 30_000 }))
    expect(retry.wakesAt).toBe(30)
    const late = givenRun(...begins, waiting('model', { until: NOW + 90_000_000 }))
    expect(late.wakesAt).toBe(3_601)
    const join = givenRun(...parentOf({ deadline_seconds: 30 }, 'a'))
      .at(10)
      .decided()
    expect(join.wakesAt).toBe(40)
  })

  it('is unset after the end', () => {
    expect(givenRun(...begins, timedOut).wakesAt).toBeUndefined()
  })
})

it('work without outside effects need not wait for a commit', () => {
  const free = ['start', 'model', 'prepare'] as const
  for (const kind of free) expect(needsCommit({ kind } as never)).toBe(false)
  const bound = ['tool', 'spawn', 'announce', 'session', 'webhook', 'events', 'cancel'] as const
  for (const kind of bound) expect(needsCommit({ kind } as never)).toBe(true)
})
