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
  it('of a batch leaves the state before as it was', () => {
    const before = givenFanout(fanoutOf(2), begun(0)).state
    const kept = structuredClone(before)
    evolve(before, [{ seq: 3, at: NOW, fact: ended(0) }])
    expect(before).toEqual(kept)
  })

  it('refuses a gap in the log', () => {
    const fact = fanoutOf(1)
    expect(() => evolve(INITIAL_FANOUT, [{ seq: 2, at: NOW, fact }])).toThrow('fact 2 cannot follow 0')
  })
})

describe('tasks', () => {
  const three = givenFanout(fanoutOf(3))

  it('fanout.created: none of them is begun', () => {
    expect(three.state).toMatchObject({ status: 'running', created_at: NOW })
    expect(taskCounts(three.state)).toEqual({ ...counts, total: 3, queued: 3 })
  })

  it('subagent.spawned: one lives, with its share', () => {
    const { state } = three.and(begun(1, { max_tokens: 5, max_model_calls: null }))
    expect(state.tasks[1]).toMatchObject({ announce: null, allotment: { max_tokens: 5 } })
    expect(taskCounts(state)).toMatchObject({ queued: 2, live: 1 })
  })

  it('subagent.announced and subagent.failed: how it ended, and what it used', () => {
    const { state } = three.and(begun(0), begun(1), ended(1), endedBadly(0))
    expect(taskCounts(state)).toMatchObject({ queued: 1, live: 0, completed: 1, failed: 1 })
    expect(state.usage.model_calls).toBe(2)
  })

  it('the closing run is no task', () => {
    const run = givenFanout(fanoutOf(1, { closing: THEN }), begun(0), ended(0), released([]))
    const { state } = run.and(begun('then'), ended('then'))
    expect(state.closing.announce?.status).toBe('completed')
    expect(taskCounts(state)).toMatchObject({ total: 1, completed: 1 })
  })
})

describe('pages', () => {
  const open = givenFanout(fanoutOf(0, { open: true, page_children: 8 }))

  it('fanout.extended: one more, which gives the next one another day', () => {
    const two = open.at(60).and(paged(1, 5), paged(0, 3))
    expect(two.state.tasks.map(({ page }) => page?.page)).toEqual([1, 0])
    expect(two.state.extended_at).toBe(NOW + 61_000)
    expect(taskCounts(two.state)).toMatchObject({ total: 8, queued: 8 })
  })

  it('fanout.sealed: no more follow', () => {
    expect(open.and(paged(0), sealed(1, 2)).state.sealed).toBe(true)
  })

  it('page.started and page.ended: its tasks count as live, then as it says', () => {
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

  it('barrier.released: those who live are cancelled, and who may be begun at this moment', () => {
    const { state } = three.and(ended(0), released(['1', '2']))
    expect(state.released).toEqual({ missing: ['1', '2'], reason: 'joined' })
    expect(state.outbox.cancel).toEqual(['1', '2'])
    expect(taskCounts(state)).toMatchObject({ live: 1, cancelled: 1 })
  })

  it('who is let live is let live, but nobody is begun any more', () => {
    const join = { cancel_rest: false }
    const run = givenFanout(fanoutOf(3, { live_children: 2, join }), begun(0), begun(1), ended(0))
    expect(run.and(released(['1', '2'])).state.outbox.cancel).toEqual(['2'])
  })
})

describe('the end', () => {
  it('cancel.requested: the reason, and no end yet', () => {
    const { state } = givenFanout(fanoutOf(1), cancelRequested('enough'))
    expect(state).toMatchObject({ status: 'running', cancel: { reason: 'enough' } })
  })

  it('protocol rule 16: cancels who lives or may be begun, and nobody beyond', () => {
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

  it('of a page is owed to the whole', () => {
    const parent = { run_id: FANOUT, call: '0', page: 0 }
    expect(givenFanout(fanoutOf(1, { parent }), completed).state.outbox.parent).toBe(true)
    expect(givenFanout(fanoutOf(1), completed).state.outbox.parent).toBeUndefined()
  })

  it('is told to endpoints and the own webhook, and of a page to nobody', () => {
    const parent = { run_id: FANOUT, call: '0', page: 0 }
    const heard = givenFanout().with({ subscribed: ['fanout.completed'] })
    expect(heard.and(fanoutOf(1), completed).state.outbox.events).toBe(2)
    expect(heard.and(fanoutOf(1, { parent }), completed).state.outbox.events).toBeUndefined()
    const url = 'https://example.com'
    const webhook = { url, events: ['fanout.completed'], generated: false }
    expect(givenFanout(fanoutOf(1, { webhook }), completed).state.outbox.webhook).toEqual([2])
  })

  it('holds what those may still spend who outlive it', () => {
    const share = { max_tokens: 5, max_model_calls: 2 }
    const run = givenFanout(fanoutOf(2), begun(0, share), begun(1, share))
    const held = { max_tokens: 3, max_model_calls: 1 }
    const { state } = run.and(ended(0, { held }))
    expect(heldAtEnd(state)).toEqual({ held: { max_tokens: 8, max_model_calls: 3 } })
    expect(heldAtEnd(run.and(ended(0), ended(1)).state)).toEqual({})
  })
})
