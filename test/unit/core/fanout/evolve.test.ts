/** The meaning of each fact of a fan-out. */

import { describe, expect, it } from 'vitest'
import { heldAtEnd } from '../../../../src/core/fanout/budget.ts'
import { evolve } from '../../../../src/core/fanout/evolve.ts'
import type { FanoutFact } from '../../../../src/core/fanout/facts.ts'
import { INITIAL_FANOUT, taskCounts } from '../../../../src/core/fanout/state.ts'
import { cancelRequested, NOW } from '../../../support/facts.ts'
import {
  begun,
  ended,
  endedBadly,
  FANOUT,
  fanoutOf,
  paged,
  pageEnded,
  pageStarted,
  sealed,
  THEN,
} from '../../../support/fanout-facts.ts'
import { givenFanout } from '../../../support/given.ts'

const counts = { total: 0, queued: 0, live: 0, completed: 0, failed: 0, cancelled: 0, timed_out: 0 }
const over = { children: counts, usage: { input_tokens: 0, output_tokens: 0, model_calls: 0 } }
const completed: FanoutFact = { type: 'fanout.completed', output: null, ...over }
const cancelled: FanoutFact = { type: 'fanout.cancelled', reason: null, ...over }
const released = (
  missing: readonly string[],
  reason: 'joined' | 'deadline' | 'budget' = 'joined',
): FanoutFact => ({ type: 'barrier.released', calls: [], missing, reason })

describe('folding', () => {
  it('a batch leaves the previous state unchanged', () => {
    const before = givenFanout(fanoutOf(2), begun(0)).state
    const kept = structuredClone(before)
    evolve(before, [{ seq: 3, at: NOW, fact: ended(0) }])
    expect(before).toEqual(kept)
  })

  it('refuses a gap in the log', () => {
    const fact = fanoutOf(1)
    expect(() => evolve(INITIAL_FANOUT, [{ seq: 2, at: NOW, fact }])).toThrow(
      'fact 2 cannot follow 0',
    )
  })
})

describe('tasks', () => {
  const three = givenFanout(fanoutOf(3))

  it('fanout.created: no task has started', () => {
    expect(three.state).toMatchObject({ status: 'running', created_at: NOW })
    expect(taskCounts(three.state)).toEqual({ ...counts, total: 3, queued: 3 })
  })

  it('subagent.spawned: the task is live and has its share', () => {
    const { state } = three.and(begun(1, { max_tokens: 5, max_model_calls: null }))
    expect(state.tasks[1]).toMatchObject({ announce: null, allotment: { max_tokens: 5 } })
    expect(taskCounts(state)).toMatchObject({ queued: 2, live: 1 })
  })

  it('subagent.announced and subagent.failed: records how the task ended and what it used', () => {
    const { state } = three.and(begun(0), begun(1), ended(1), endedBadly(0))
    expect(taskCounts(state)).toMatchObject({ queued: 1, live: 0, completed: 1, failed: 1 })
    expect(state.usage.model_calls).toBe(2)
  })

  it('the closing run is not a task', () => {
    const run = givenFanout(fanoutOf(1, { closing: THEN }), begun(0), ended(0), released([]))
    const { state } = run.and(begun('then'), ended('then'))
    expect(state.closing.announce?.status).toBe('completed')
    expect(taskCounts(state)).toMatchObject({ total: 1, completed: 1 })
  })
})

describe('pages', () => {
  const open = givenFanout(fanoutOf(0, { open: true, page_children: 8 }))

  it('fanout.extended: adds a page and allows another day for the next one', () => {
    const two = open.at(60).and(paged(1, 5), paged(0, 3))
    expect(two.state.tasks.map(({ page }) => page?.page)).toEqual([1, 0])
    expect(two.state.extended_at).toBe(NOW + 61_000)
    expect(taskCounts(two.state)).toMatchObject({ total: 8, queued: 8 })
  })

  it('fanout.sealed: no more pages follow', () => {
    expect(open.and(paged(0), sealed(1, 2)).state.sealed).toBe(true)
  })

  it('page.started and page.ended: its tasks are live first, then have the totals it reports', () => {
    const lives = open.and(paged(0, 2), pageStarted(0))
    expect(taskCounts(lives.state)).toMatchObject({ total: 2, live: 2 })
    const children = { ...counts, total: 2, completed: 1, failed: 1 }
    const { state } = lives.and(pageEnded(0, { children }))
    expect(taskCounts(state)).toEqual(children)
    expect(state.usage.model_calls).toBe(1)
  })
})

describe('the barrier', () => {
  const three = givenFanout(fanoutOf(3, { live_children: 2 }), begun(0), begun(1))

  it('barrier.released: cancels live tasks and those that may be starting', () => {
    const { state } = three.and(ended(0), released(['1', '2']))
    expect(state.released).toEqual({ missing: ['1', '2'], reason: 'joined' })
    expect(state.outbox.cancel).toEqual(['1', '2'])
    expect(taskCounts(state)).toMatchObject({ live: 1, cancelled: 1 })
  })

  it('without cancel_rest, live tasks continue, but no further task starts', () => {
    const join = { cancel_rest: false }
    const run = givenFanout(fanoutOf(3, { live_children: 2, join }), begun(0), begun(1), ended(0))
    expect(run.and(released(['1', '2'])).state.outbox.cancel).toEqual(['2'])
  })
})

describe('the end', () => {
  it('cancel.requested: records the reason without ending the fan-out', () => {
    const { state } = givenFanout(fanoutOf(1), cancelRequested('enough'))
    expect(state).toMatchObject({ status: 'running', cancel: { reason: 'enough' } })
  })

  it('cancels live tasks and those that may be starting, and no others (PROTOCOL.md rule 16)', () => {
    const run = givenFanout(fanoutOf(9, { live_children: 2 }), begun(0), begun(1), ended(0))
    expect(run.and(cancelled).state.outbox.cancel).toEqual(['1', '2'])
  })

  it('cancels the closing run, recorded or not, once the barrier is open', () => {
    const run = givenFanout(fanoutOf(1, { closing: THEN }), begun(0), ended(0))
    expect(run.and(cancelled).state.outbox.cancel).toEqual([])
    expect(run.and(released([]), cancelled).state.outbox.cancel).toEqual(['then'])
  })

  it.each<[string, FanoutFact, object]>([
    ['completed', completed, { output: null }],
    ['cancelled', cancelled, {}],
    [
      'failed',
      { type: 'fanout.failed', error: { code: 'x', message: 'y' }, ...over },
      { error: { code: 'x' } },
    ],
  ])('fanout.%s', (status, fact, expected) => {
    const { state } = givenFanout(fanoutOf(1), fact)
    expect(state).toMatchObject({ status, ended_at: NOW + 1_000, ...expected })
  })

  it('the end of a page is owed to the fan-out', () => {
    const parent = { run_id: FANOUT, call: '0', page: 0 }
    expect(givenFanout(fanoutOf(1, { parent }), completed).state.outbox.parent).toBe(true)
    expect(givenFanout(fanoutOf(1), completed).state.outbox.parent).toBeUndefined()
  })

  it('is owed to endpoints and the fan-out’s webhook; a page’s end is owed to neither', () => {
    const parent = { run_id: FANOUT, call: '0', page: 0 }
    const heard = givenFanout().with({ subscribed: ['fanout.completed'] })
    expect(heard.and(fanoutOf(1), completed).state.outbox.events).toBe(2)
    expect(heard.and(fanoutOf(1, { parent }), completed).state.outbox.events).toBeUndefined()
    const url = 'https://example.com'
    const webhook = { url, events: ['fanout.completed'], generated: false }
    expect(givenFanout(fanoutOf(1, { webhook }), completed).state.outbox.webhook).toEqual([2])
  })

  it('reserves what surviving tasks may still spend', () => {
    const share = { max_tokens: 5, max_model_calls: 2 }
    const run = givenFanout(fanoutOf(2), begun(0, share), begun(1, share))
    const held = { max_tokens: 3, max_model_calls: 1 }
    const { state } = run.and(ended(0, { held }))
    expect(heldAtEnd(state)).toEqual({ held: { max_tokens: 8, max_model_calls: 3 } })
    expect(heldAtEnd(run.and(ended(0), ended(1)).state)).toEqual({})
  })
})
