/** The meaning of each fact of a run. */

import { describe, expect, it } from 'vitest'
import { apply, evolve } from '../../../../src/core/run/evolve.ts'
import type { RunFact, TerminalFact } from '../../../../src/core/run/log/facts.ts'
import { draftOf } from '../../../../src/core/run/state/draft.ts'
import { INITIAL } from '../../../../src/core/run/state/state.ts'
import {
  announced,
  answered,
  begins,
  cancelRequested,
  childResumed,
  childWaits,
  completed,
  created,
  decidedOn,
  failedChild,
  intended,
  log,
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

const ONE = { input_tokens: 1, output_tokens: 1, model_calls: 1 }
const PARENT = { run_id: 'run_above', call: 'call_above', session_id: 'ses_above' }

describe('folding', () => {
  it('a batch equals folding one by one, and leaves the previous state unchanged', () => {
    const facts = log(...parentOf({}, 'a', 'b'), announced('a'), messaged('m'))
    const before = evolve(INITIAL, facts.slice(0, 3))
    const kept = structuredClone(before)
    const single = facts.slice(3).reduce((state, fact) => evolve(state, [fact]), before)
    expect(evolve(before, facts.slice(3))).toEqual(single)
    expect(before).toEqual(kept)
  })

  it('refuses a gap in the log', () => {
    const [first] = log(created())
    expect(() => apply(draftOf(INITIAL), { ...first!, seq: 2 })).toThrow('fact 2 cannot follow 0')
  })
})

describe('the start of a run', () => {
  it('run.created: the run is queued, with the history of its session', () => {
    const turn = { ticket: 1, granted: true, history: ['segment'] }
    const { state } = givenRun(created({ turn }))
    expect(state).toMatchObject({ status: 'queued', created_at: NOW, history: ['segment'] })
  })

  it('run.started: the run is running and its clock starts', () => {
    const { state } = givenRun(...begins)
    expect(state).toMatchObject({ status: 'running', started_at: NOW + 1_000 })
    expect(state.started?.model).toBe('test/model')
  })

  it('skill.activated: opened by a person its text enters the transcript, by the model it is a result', () => {
    const skill = { type: 'skill.activated', skill: 's', file_digest: 'd', args: '' } as const
    const hand = { ...skill, by: 'user', call: null, text: 'do so' } as const
    const { state } = givenRun(...begins, hand)
    expect(state.activation).toBe('do so')
    const model = { ...skill, by: 'model', call: 'a', text: null } as const
    const later = givenRun(...begins, hand, answered(0, { a: 'repeatable' }), model)
    expect(later.state.activation).toBe('do so')
  })
})

describe('answers', () => {
  it('assistant.message: a step with its calls in order, with the arguments the model wrote', () => {
    const { state } = givenRun(...begins, answered(0, { b: 'once', a: 'spawn' }, { seen: 0 }))
    expect(state.steps).toMatchObject([{ calls: ['b', 'a'], seen: 0, finish: 'calls' }])
    const [first, second] = state.calls.values()
    expect(first).toMatchObject({ id: 'b', step: 0, index: 0, mode: 'once', arguments: '{}' })
    expect(second).toMatchObject({ id: 'a', index: 1, intent: null, result: null, child: null })
    expect(state.usage).toEqual(ONE)
  })

  it('assistant.message: resets the attempt number', () => {
    const failed = waiting('model', { step: 0, attempt: 2 })
    const tries = givenRun(...begins, failed)
    expect(tries.state.attempts).toBe(2)
    expect(tries.and(RESUMED, answered(0)).state.attempts).toBe(0)
  })

  it('assistant.discarded (PROTOCOL.md rule 23): adds its cost without adding a step', () => {
    const model = 'test/model'
    const lost = { type: 'assistant.discarded', step: 0, model, usage: ONE } as const
    const { state } = givenRun(...begins, lost, answered(0))
    expect(state.steps).toHaveLength(1)
    expect(state.usage.model_calls).toBe(2)
  })

  it('transcript.compacted: replaces earlier steps by a summary, and adds its cost', () => {
    const { state } = givenRun(...begins, answered(0), {
      type: 'transcript.compacted',
      step: 1,
      seen: 0,
      kept_from: 1,
      summary: 'short',
      model: 'test/model',
      usage: ONE,
    })
    expect(state.compacted).toEqual({ at: 1, kept_from: 1, summary: 'short' })
    expect(state.usage.model_calls).toBe(2)
  })

  it('message.received: input that the model has not seen', () => {
    const { state } = givenRun(...begins, messaged('m', 'wait'))
    expect(state.pending_input).toEqual([{ kind: 'message', id: 'm', text: 'wait', late: false }])
  })
})

describe('calls', () => {
  const asked = givenRun(...begins, answered(0, { t: 'once' }))

  it('tool.call: records the epoch that may perform it, and what a write will change', () => {
    expect(asked.and(intended('t', 'once', { epoch: 7 })).state.calls.get('t')?.intent).toBe(7)
    const write = { before: null, after: 'x' }
    const { state } = asked.and(intended('t', 'write', { write }))
    expect(state.calls.get('t')?.write).toEqual(write)
  })

  it.each([
    ['ok', false],
    ['error', true],
    ['unknown', true],
  ] as const)('tool.result: %s', (status, is_error) => {
    const { state } = asked.and(resulted('t', { status, text: 'x' }))
    expect(state.calls.get('t')?.result).toEqual({ text: 'x', is_error })
  })

  it('tool.result: appends its attachments', () => {
    const two = givenRun(...begins, answered(0, { a: 'repeatable', b: 'repeatable' }))
    const { state } = two.and(
      resulted('a', { attachments: ['one'] }),
      resulted('b', { attachments: ['two'] }),
    )
    expect(state.attachments).toEqual(['one', 'two'])
  })

  it('approval.requested and approval.decided: record what was shown, and who decided what', () => {
    const shown = {
      type: 'approval.requested',
      id: 'apr_1',
      call: 't',
      tool: 'tool',
      arguments: '{}',
      args_hash: 'hash',
      reason: 'a rule',
      expires_at: NOW + 60_000,
      path: [],
    } as const
    const waits = asked.and(shown)
    const id = { id: 'apr_1', args_hash: 'hash', expires_at: NOW + 60_000 }
    expect(waits.state.calls.get('t')?.asked).toMatchObject({ ...id, decision: null })
    const { state } = waits.and(decidedOn('t', 'apr_1', { arguments: '{"n":1}' }))
    expect(state.calls.get('t')?.asked?.decision).toMatchObject({
      decision: 'approve',
      by: 'key_1',
      arguments: '{"n":1}',
    })
  })
})

describe('subagents', () => {
  const two = givenRun(...parentOf({}, 'a', 'b'))

  it('subagent.spawned: the call has its result, the child is live with its share', () => {
    const allotment = { max_tokens: 5, max_model_calls: null }
    const child = { ...spawned('a'), allotment } as ReturnType<typeof spawned>
    const { state } = givenRun(...begins, answered(0, { a: 'spawn' }), child)
    const call = state.calls.get('a')
    expect(JSON.parse(call?.result?.text as string)).toMatchObject({ run_id: 'run_a' })
    expect(call?.child).toMatchObject({ announce: null, given_up: false, waits: null, allotment })
  })

  it('subagent.waiting and subagent.resumed: a descendant waits for a person, then no longer', () => {
    const waits = two.and(childWaits('a', 5, NOW + 9))
    expect(waits.state.calls.get('a')?.child).toMatchObject({ waits: { until: NOW + 9 }, word: 5 })
    const goesOn = waits.and(childResumed('a', 8))
    expect(goesOn.state.calls.get('a')?.child).toMatchObject({ waits: null, word: 8 })
  })

  it('subagent.announced and subagent.failed: add input, and usage to the parent', () => {
    const { state } = two.and(announced('b'), failedChild('a'))
    expect(state.pending_input).toEqual([
      { kind: 'announce', call: 'b', late: false },
      { kind: 'announce', call: 'a', late: false },
    ])
    expect(state.calls.get('a')?.child?.announce?.status).toBe('failed')
    expect(state.usage.model_calls).toBe(4)
  })

  it('barrier.released: unneeded children are missing, and the next wave starts from zero', () => {
    const release = { type: 'barrier.released', calls: ['a'], missing: ['b'] } as const
    const { state } = two.and(announced('a'), { ...release, reason: 'deadline' })
    expect(state).toMatchObject({ barrier_open: true, barrier_reason: 'deadline', cohort_from: 2 })
    expect(state.calls.get('b')?.child?.given_up).toBe(true)
    expect(state.pending_input.at(-1)).toEqual({ kind: 'missing', call: 'b', late: false })
    expect(state.outbox.cancel).toEqual(['b'])
    expect(
      two.and(announced('a'), { ...release, reason: 'joined' }, answered(2)).state,
    ).toMatchObject({ barrier_open: false })
  })

  it('a result after the release is late input, a failure is not (PROTOCOL.md rule 21)', () => {
    const release = { type: 'barrier.released', calls: [], missing: ['a', 'b'] } as const
    const released = two.and({ ...release, reason: 'deadline' })
    expect(released.and(announced('a')).state.pending_input.at(-1)).toMatchObject({ late: true })
    expect(released.and(failedChild('a')).state.pending_input).toEqual(released.state.pending_input)
  })
})

describe('a wait of a run', () => {
  const at = NOW + 5_000
  const four = givenRun(...begins, answered(0), messaged('m')).at(5)

  it.each([
    ['subagents', waiting('subagents', { until: 9 }), { on: 'subagents' }],
    ['approval', waiting('approval', { until: 9 }), { on: 'approval', since: at }],
    ['session', waiting('session'), { on: 'session' }],
    ['input', waiting('input', { until: 9 }), { on: 'input', since: at }],
    ['model', waiting('model', { until: 9, step: 1, attempt: 1 }), { on: 'model', until: 9 }],
  ] as const)('on %s', (_, fact, expected) => {
    const parked = four.and(fact)
    expect(parked.state.status).toBe('waiting')
    expect(parked.state.waiting).toEqual(expected)
    const goesOn = parked.and(RESUMED)
    expect(goesOn.state).toMatchObject({ status: 'running', waiting: null })
  })

  it('the clock stops while the run waits for a person, and runs in every other wait (PROTOCOL.md rule 22)', () => {
    const paused = (on: 'approval' | 'subagents') =>
      four.and(waiting(on)).at(105).and(RESUMED).state.paused_ms
    expect(paused('approval')).toBe(100_000)
    expect(paused('subagents')).toBe(0)
  })

  it('the deadline of the barrier is set once, however often the wait is interrupted', () => {
    const twice = four.and(waiting('subagents'), RESUMED, waiting('subagents'))
    expect(twice.state.barrier_since).toBe(at)
  })

  it('for its turn: the run is queued again, with its transcript', () => {
    const turn = { ticket: 2, granted: false, history: [] }
    const parked = givenRun(created({ turn }), waiting('session')).at(9)
    const { state } = parked.and({ type: 'run.resumed', history: ['segment'] })
    expect(state).toMatchObject({ status: 'queued', history: ['segment'], turn_at: NOW + 9_000 })
  })

  it('a parent learns that a child waits for a person, and that it no longer does', () => {
    const child = givenRun(created({ parent: PARENT }), started(), answered(0))
    const waits = child.and(waiting('approval'))
    expect(waits.state.outbox.notice).toBe(4)
    expect(waits.and(RESUMED).state.outbox.notice).toBe(5)
    expect(four.and(waiting('approval')).state.outbox.notice ?? null).toBeNull()
  })
})

describe('the clock and the end', () => {
  it('clock.stepped: restores the time that never passed', () => {
    const jump = { type: 'clock.stepped', ms: 90_000, to: NOW + 100_000 } as const
    const { state } = givenRun(...begins, jump)
    expect(state).toMatchObject({ paused_ms: 90_000, stepped_to: NOW + 100_000 })
  })

  it('cancel.requested: records the reason without ending the run', () => {
    const { state } = givenRun(...begins, cancelRequested('enough'))
    expect(state).toMatchObject({ status: 'running', cancel: { reason: 'enough' } })
  })

  const failed = { type: 'run.failed', stop_reason: 'error' } as const
  it.each<[string, RunFact, object]>([
    ['completed', completed('said'), { output: { text: 'said' }, error: null }],
    ['failed', { ...failed, error: { code: 'x', message: 'y' } }, { error: { code: 'x' } }],
    ['cancelled', { type: 'run.cancelled', stop_reason: 'cancelled', reason: null }, {}],
    ['timed_out', timedOut, { error: { code: 'timeout' }, output: null }],
  ] as const)(
    'run.%s: clears the wait, and records the time and the reason',
    (status, fact, expected) => {
      const { stop_reason } = fact as TerminalFact
      const { state } = givenRun(...begins, waiting('input'), fact)
      const over = { status, waiting: null, ended_at: NOW + 3_000, stop_reason }
      expect(state).toMatchObject({ ...over, ...expected })
    },
  )

  it('parent and session are owed the end, and the preceding notice is dropped (PROTOCOL.md rule 10)', () => {
    const turn = { ticket: 1, granted: true, history: [] }
    const child = givenRun(created({ parent: PARENT, turn }), started(), waiting('approval'))
    expect(child.and(timedOut).state.outbox).toMatchObject({
      parent: true,
      session: true,
      notice: null,
    })
    expect(givenRun(...begins, completed()).state.outbox).toMatchObject({
      parent: false,
      session: false,
    })
  })

  it('every end but a completion cancels all children, recorded or not (PROTOCOL.md rule 16)', () => {
    const [first, second, third, a, b] = parentOf({}, 'a', 'b', 'c')
    const three = givenRun(first!, second!, third!, a!, b!, announced('a'))
    expect(three.and(timedOut).state.outbox.cancel).toEqual(['b', 'c'])
    expect(three.and(completed()).state.outbox.cancel).toEqual([])
  })
})
