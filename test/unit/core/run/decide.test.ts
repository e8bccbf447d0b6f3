/** What follows from a run's facts, in each phase of its life. */

import { describe, expect, it } from 'vitest'
import {
  announced,
  answered,
  begins,
  cancelRequested,
  childResumed,
  childWaits,
  completed,
  created,
  failedChild,
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

describe('no fact follows', () => {
  it.each([
    ['before there is a run', givenRun()],
    ['before it has started', givenRun(created())],
    ['while the first answer is due', givenRun(...begins)],
    ['while its turn has not come', givenRun(created(), waiting('session'))],
    ['while a spawn is under way', givenRun(...begins, answered(0, { a: 'spawn' }))],
    ['before a write was looked at', givenRun(...begins, answered(0, { w: 'write' }))],
    ['when all calls have results', givenRun(...begins, answered(0, { a: 'once' }), resulted('a'))],
    ['PROTOCOL.md rule 10: after the end', givenRun(...begins, cancelRequested(), timedOut)],
  ])('%s', (_, run) => {
    expect(run.decides).toEqual([])
  })
})

describe('the run’s end', () => {
  it('follows an answer without calls', () => {
    const run = givenRun(...begins, answered(0, {}, { text: 'so it is' }))
    const output = { text: 'so it is', structured: null, attachments: [] }
    expect(run.decides).toEqual([{ type: 'run.completed', stop_reason: 'end_turn', output }])
  })

  it.each([
    ['length', 'max_tokens'],
    ['refusal', 'refusal'],
    ['other', 'end_turn'],
  ] as const)('an answer that finished with %s maps to its stop reason', (finish, stop_reason) => {
    const run = givenRun(...begins, { ...answered(0), finish } as ReturnType<typeof answered>)
    expect(run.decides).toMatchObject([{ type: 'run.completed', stop_reason }])
  })

  it('waits until a message has been answered', () => {
    const run = givenRun(...begins, answered(0), messaged('m'))
    expect(run.decides).toEqual([])
    expect(run.and(answered(1, {}, { seen: 1 })).follows).toEqual(['run.completed'])
  })

  it('follows a cancel once no effect is in flight (PROTOCOL.md rule 15)', () => {
    const run = givenRun(...begins, answered(0, { a: 'once' }), cancelRequested('enough'))
    expect(run.with({ busy: 1 }).decides).toEqual([])
    const end = { type: 'run.cancelled', stop_reason: 'cancelled', reason: 'enough' }
    expect(run.decides).toEqual([end])
  })

  it('follows a cancel of a run that waits for its turn, a retry, a person, or subagents', () => {
    const runs = [
      givenRun(created(), waiting('session')),
      givenRun(...begins, waiting('model', { until: NOW + 9_000 })),
      givenRun(...begins, answered(0), waiting('approval')),
      givenRun(...parentOf({}, 'a'), waiting('subagents')),
    ]
    for (const run of runs) expect(run.and(cancelRequested()).follows).toEqual(['run.cancelled'])
  })

  it('follows a time-out, regardless of open work, also while the run waits for a retry', () => {
    const short = [created(), started({ timeout_seconds: 60 })] as const
    const open = givenRun(...short, answered(0, { a: 'once' }), intended('a', 'once'))
    expect(open.at(60).decides).toEqual([])
    expect(open.at(61).follows).toEqual(['run.timed_out'])
    const retry = givenRun(...short, waiting('model', { until: NOW + 90_000 }))
    expect(retry.at(61).follows).toEqual(['run.timed_out'])
  })

  it('is a failure when a schema is required and no answer fits it', () => {
    const shaped = { output_schema: { type: 'object' }, output_schema_required: true } as const
    const wrong = { ...answered(0), schema_error: 'no' } as ReturnType<typeof answered>
    const run = givenRun(created(shaped), started(), wrong)
    expect(run.decides).toEqual([])
    const again = run.and({ ...wrong, step: 1 } as ReturnType<typeof answered>)
    expect(again.decides).toMatchObject([{ type: 'run.failed', error: { code: 'schema_unmet' } }])
  })
})

describe('tool calls', () => {
  it('each gets its intent under the epoch of this worker (PROTOCOL.md rule 13)', () => {
    const run = givenRun(...begins, answered(0, { a: 'once', b: 'repeatable' })).with({ epoch: 4 })
    expect(run.decides).toMatchObject([
      { type: 'tool.call', call: 'a', mode: 'once', epoch: 4 },
      { type: 'tool.call', call: 'b', mode: 'repeatable', epoch: 4 },
    ])
    expect(run.decided().decides).toEqual([])
  })

  it('a once call of another epoch is unknown, a repeatable one is not (PROTOCOL.md rule 13)', () => {
    const intents = [intended('a', 'once'), intended('b', 'repeatable')]
    const run = givenRun(...begins, answered(0, { a: 'once', b: 'repeatable' }), ...intents)
    expect(run.decides).toEqual([])
    const next = run.with({ epoch: 2 })
    expect(next.decides).toMatchObject([{ type: 'tool.result', call: 'a', status: 'unknown' }])
    expect(next.decided().pending).toEqual(['tool b'])
  })

  it('a refused call is answered with the reason, and has no intent', () => {
    const run = givenRun(...begins, answered(0, { a: 'refused' }))
    expect(run.decides).toMatchObject([{ type: 'tool.result', status: 'error', text: 'no' }])
    expect(run.decided().pending).toEqual(['model 1.0'])
  })

  it('a waiting run continues when all calls have results', () => {
    const run = givenRun(...begins, answered(0, { a: 'once' }), resulted('a'), waiting('input'))
    expect(run.decides).toEqual([RESUMED])
  })
})

describe('a retry', () => {
  const run = givenRun(...begins, waiting('model', { until: NOW + 30_000, step: 0, attempt: 1 }))

  it('starts at its scheduled time, and not before', () => {
    expect(run.at(29).decides).toEqual([])
    expect(run.at(30).decides).toEqual([RESUMED])
  })

  it('without a scheduled time waits for a person', () => {
    expect(givenRun(...begins, waiting('model')).at(3_000).decides).toEqual([])
  })
})

describe('the barrier', () => {
  it('closed: the parent waits until its own time is over, and records the wait once', () => {
    const run = givenRun(...parentOf({}, 'a')).at(10)
    const until = NOW + 1_000 + 3_600_000
    expect(run.decides).toEqual([{ type: 'run.waiting', on: 'subagents', until }])
    expect(run.decided().decides).toEqual([])
  })

  it('open: the waiting parent continues with all results', () => {
    const run = givenRun(...parentOf({}, 'a', 'b'), waiting('subagents'))
    expect(run.and(announced('b')).decides).toEqual([])
    expect(run.and(announced('b'), announced('a')).decides).toEqual([
      RESUMED,
      { type: 'barrier.released', calls: ['a', 'b'], missing: [], reason: 'joined' },
    ])
  })

  it('at its deadline the remaining children are missing', () => {
    const run = givenRun(...parentOf({ deadline_seconds: 30 }, 'a', 'b'))
      .at(10)
      .decided()
    expect(run.state.waiting).toEqual({ on: 'subagents' })
    const one = run.and(announced('b'))
    expect(one.at(39).decides).toEqual([])
    expect(one.at(40).decides).toMatchObject([
      RESUMED,
      { calls: ['b'], missing: ['a'], reason: 'deadline' },
    ])
  })

  it('quorum and any are satisfied by the wave’s successes, never by failures', () => {
    const quorum = givenRun(...parentOf({ policy: { quorum: 2 } }, 'a', 'b', 'c'))
    expect(quorum.and(failedChild('a'), announced('b')).follows).toEqual(['run.waiting'])
    expect(quorum.and(announced('a'), announced('b')).decides).toMatchObject([{ missing: ['c'] }])
    const any = givenRun(...parentOf({ policy: 'any' }, 'a', 'b'))
    expect(any.and(failedChild('a')).follows).toEqual(['run.waiting'])
    expect(any.and(announced('b')).decides).toMatchObject([{ calls: ['b'], missing: ['a'] }])
  })

  it('on_child_failure fail: the child’s failure is the run’s, and names the child’s label', () => {
    const run = givenRun(...parentOf({ on_child_failure: 'fail' }, 'a', 'b'))
    const [end] = run.and(failedChild('b')).decides
    expect(end).toMatchObject({ type: 'run.failed', error: { code: 'child_failed' } })
    expect(JSON.stringify(end)).toContain('The subagent b did not complete')
  })

  it('becomes a wait for a person, and changes back (PROTOCOL.md rule 22)', () => {
    const run = givenRun(...parentOf({}, 'a', 'b'), waiting('subagents'), childWaits('a', 5))
    expect(run.decides).toEqual([])
    const all = run.and(childWaits('b', 6, NOW + 50_000))
    expect(all.decides).toEqual([RESUMED])
    const until = NOW + 50_000 + 60_000
    expect(all.decided().decides).toEqual([{ type: 'run.waiting', on: 'approval', until }])
    const back = all.decided().decided().and(announced('b'))
    expect(back.decides).toEqual([])
    expect(back.and(childResumed('a', 9)).decides).toEqual([RESUMED])
  })

  it('a message is answered before the run waits for children', () => {
    const run = givenRun(...parentOf({}, 'a'), waiting('subagents'), messaged('m'))
    expect(run.decides).toEqual([RESUMED])
    expect(run.decided().pending).toEqual(['model 2.0'])
  })
})

describe('an exhausted budget', () => {
  const poor = [created(limitsOf({ max_model_calls: 1 })), started()] as const

  it('ends the run after its calls, and reports that more work was requested', () => {
    const run = givenRun(...poor, answered(0, { a: 'repeatable' }))
    expect(run.follows).toEqual(['tool.call'])
    const done = run.decided().and(resulted('a'))
    expect(done.decides).toMatchObject([{ type: 'run.completed', stop_reason: 'budget' }])
    expect(done.pending).toEqual([])
  })

  it('ends a run whose last call was waited for only after the run resumes [I1]', () => {
    const calls = answered(0, { f: 'caller' })
    const run = givenRun(...poor, calls, waiting('input'), resulted('f'))
    expect(run.decides).toEqual([RESUMED])
    const end = { type: 'run.completed', stop_reason: 'budget' }
    expect(run.decided().decides).toMatchObject([end])
  })

  it('does not apply when the answer was final', () => {
    const run = givenRun(...poor, answered(0))
    expect(run.decides).toMatchObject([{ type: 'run.completed', stop_reason: 'end_turn' }])
  })

  it('of zero ends the run before the first call', () => {
    const run = givenRun(created(limitsOf({ max_tokens: 0 })), started())
    expect(run.decides).toMatchObject([{ type: 'run.completed', stop_reason: 'budget' }])
  })

  it('ends the run after the barrier too', () => {
    const [, ...rest] = parentOf({}, 'a')
    const run = givenRun(created(limitsOf({ max_model_calls: 3 })), ...rest, announced('a'))
    expect(run.follows).toEqual(['barrier.released'])
    expect(run.decided().decides).toMatchObject([{ stop_reason: 'budget' }])
  })
})

describe('the step limit', () => {
  const calls = [answered(0, { a: 'once' }), resulted('a')] as const

  it('one call without tools follows the last step, and then the end', () => {
    const run = givenRun(created(), started({ max_steps: 1 }), ...calls)
    expect(run.decides).toEqual([])
    expect(run.pending).toEqual(['model 1.0'])
    const last = run.and(answered(1))
    expect(last.decides).toMatchObject([{ type: 'run.completed', stop_reason: 'max_steps' }])
  })

  it('a message after the last step is not answered', () => {
    const run = givenRun(created(), started({ max_steps: 1 }), ...calls, answered(1), messaged('m'))
    expect(run.follows).toEqual(['run.completed'])
  })
})

it('a decision that was already made is not made again (PROTOCOL.md rule 5)', () => {
  const runs = [
    givenRun(...begins, answered(0)),
    givenRun(...begins, answered(0, { a: 'refused', b: 'once' })),
    givenRun(...parentOf({ policy: 'any' }, 'a', 'b'), announced('a')),
    givenRun(...begins, cancelRequested()),
    givenRun(...begins, answered(0, { a: 'spawn' }), spawned('a'), answered(1)),
    givenRun(...begins, completed()),
  ]
  for (const run of runs) expect(run.decided().decides).toEqual([])
})
