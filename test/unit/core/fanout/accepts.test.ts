/** Does a late observation of a fan-out still count? */

import { describe, expect, it } from 'vitest'
import { childOf } from '../../../../src/core/fanout/child.ts'
import { draftOf } from '../../../../src/core/fanout/evolve.ts'
import type { FanoutFact } from '../../../../src/core/fanout/facts.ts'
import { isEarly, isLate, mustTellLate, recordLate } from '../../../../src/core/fanout/machine.ts'
import { taskCounts } from '../../../../src/core/fanout/state.ts'
import { LIMITS } from '../../../../src/core/limits.ts'
import { cancelRequested, NOW } from '../../../support/facts.ts'
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

const cancel = cancelRequested()
const LATER = { type: 'fanout.rewound', to: 1 } as unknown as FanoutFact
const two = givenFanout(fanoutOf(2), begun(0))

describe('acceptance of fan-out facts', () => {
  it.each<[string, boolean, typeof two, FanoutFact]>([
    ['a creation', true, givenFanout(), fanoutOf(1)],
    ['a second creation', false, two, fanoutOf(1)],
    ['anything before the creation', false, givenFanout(), begun(0)],
    ['a task that was begun', true, two, begun(1)],
    ['a task that was begun twice', false, two, begun(0)],
    ['a task that there is none of', false, two, begun(2)],
    ['a closing run that nobody asked for', false, two, begun('then')],
    ['a task by another name of its place', false, two, begun('01')],
    ['the end of a task', true, two, ended(0)],
    ['a second end', false, two.and(ended(0)), endedBadly(0)],
    ['an end before the record of its beginning', false, two, ended(1)],
    ["another's end under the name of a task", false, two, ended(0, { run_id: 'run_stranger' })],
    ['a cancel', true, two, cancel],
    ['a second cancel', false, two.and(cancel), cancel],
    ['an end after a cancel', true, two.and(cancel), ended(0)],
    ['an end after the end', false, two.and(cancel).decided(), ended(0)],
    ['a fact of a later release', true, two, LATER],
    ['a fact of a later release after the end', false, two.and(cancel).decided(), LATER],
  ])('%s: %s', (_, counts, run, fact) => {
    expect(run.accepts(fact)).toBe(counts)
  })
})

describe('acceptance of page facts', () => {
  const open = givenFanout(fanoutOf(0, { open: true, page_children: 8 }))
  const done = open.and(paged(0), sealed(1, 2), pageStarted(0), pageEnded(0))
  const dead = givenFanout(fanoutOf(0, { open: true, join: { deadline_seconds: 1 } }))

  it.each<[string, boolean, typeof two, FanoutFact]>([
    ['the next one', true, open.and(paged(0)), paged(1)],
    ['one before another', true, open.and(paged(1)), paged(0)],
    ['one that comes twice', false, open.and(paged(0)), paged(0)],
    ['one after the seal', false, open.and(paged(0), sealed(1, 2)), paged(1)],
    ['one behind the barrier', false, dead.at(9).decided(), paged(0)],
    ['one after a cancel', false, open.and(cancel), paged(0)],
    ['one of a fan-out that has all its tasks', false, two, paged(0)],
    ['one beyond the last number', false, open, paged(LIMITS.fanout_pages)],
    ['more tasks than are allowed', false, open.and(paged(0)), paged(1, LIMITS.tasks_per_fanout)],
    ['the seal', true, open.and(paged(1), paged(0)), sealed(2, 4)],
    ['a seal that names too few pages', false, open.and(paged(0), paged(1)), sealed(1, 2)],
    ['a seal while a page is missing', false, open.and(paged(0), paged(2)), sealed(2, 4)],
    ['a seal that counts other tasks', false, open.and(paged(0)), sealed(1, 3)],
    ['a second seal', false, open.and(paged(0), sealed(1, 2)), sealed(1, 2)],
    ['a page that was started twice', false, open.and(paged(0), pageStarted(0)), pageStarted(0)],
    ['the end of a page twice', false, done, pageEnded(0)],
  ])('%s: %s', (_, counts, run, fact) => {
    expect(run.accepts(fact)).toBe(counts)
  })
})

describe('an early end', () => {
  it('waits until its start is recorded (PROTOCOL.md rule 18)', () => {
    expect(isEarly(two.state, ended(1))).toBe(true)
    expect(isEarly(two.state, ended(0))).toBe(false)
    expect(isEarly(two.and(cancel).decided().state, ended(1))).toBe(false)
  })

  it('no longer waits once the barrier has opened, unless it is the closing run’s', () => {
    const policy = { closing: THEN, join: { policy: 'any' } } as const
    const behind = givenFanout(fanoutOf(2, policy), begun(0), ended(0)).decided()
    expect(isEarly(behind.state, ended(1))).toBe(false)
    expect(isEarly(behind.state, ended('then'))).toBe(true)
  })
})

describe('a late end (PROTOCOL.md rule 21)', () => {
  const over = two.and(cancel).decided()

  it('arrives after the fan-out’s own end, from a child of that name, once', () => {
    expect(isLate(two.state, ended(0))).toBe(false)
    expect(isLate(over.state, ended(0))).toBe(true)
    expect(isLate(over.state, ended(0, { run_id: 'run_stranger' }))).toBe(false)
    expect(isLate(over.state, cancel)).toBe(false)
    const draft = draftOf(over.state)
    recordLate(draft, ended(0), NOW)
    expect(isLate(draft, ended(0))).toBe(false)
  })

  it('includes one that arrives after the barrier opened and whose start was never recorded', () => {
    const join = { policy: 'any' } as const
    const behind = givenFanout(fanoutOf(3, { join, closing: THEN }), begun(0), begun(1), ended(0))
    const { state } = behind.decided()
    expect(isLate(state, ended(2))).toBe(true)
    expect(isLate(state, ended(1))).toBe(false)
  })

  it('is recorded as dropped, and delivered only to endpoints subscribed to it', () => {
    const draft = draftOf(over.state)
    recordLate(draft, ended(0), NOW)
    expect(draft.late_results.ends[0]).toEqual({ status: 'completed', dropped: true })
    expect(taskCounts(draft)).toMatchObject({ live: 0, completed: 1 })
    expect(draft.outbox.late).toBeUndefined()
    const heard = { ...over.state, subscribed: ['subagent.announced'] }
    expect(mustTellLate(heard, ended(0))).toBe(true)
    const told = draftOf(heard)
    recordLate(told, ended(0), NOW)
    expect(told.outbox.late).toMatchObject([{ call: '0' }])
  })

  it('of a page updates the task totals and is delivered to no endpoint', () => {
    const open = givenFanout(
      fanoutOf(0, { open: true }),
      paged(0),
      pageStarted(0),
      cancel,
    ).decided()
    const run_id = childOf(open.state.spec!, '0')
    const draft = draftOf({ ...open.state, subscribed: ['page.ended'] })
    recordLate(draft, pageEnded(0, { run_id }), NOW)
    expect(taskCounts(draft)).toMatchObject({ total: 2, completed: 2, live: 0 })
    expect(draft.outbox.late).toBeUndefined()
  })
})

it('tasks and pages are named by position, so a repeated start has no effect (promise 9)', () => {
  const { spec: tasks } = two.state
  const { spec: pages } = givenFanout(fanoutOf(0, { open: true })).state
  for (const spec of [tasks!, pages!]) {
    expect(childOf(spec, '0')).toBe(childOf(spec, '0'))
    expect(childOf(spec, '0')).not.toBe(childOf(spec, '1'))
  }
  expect(childOf(tasks!, '0')).not.toBe(childOf(pages!, '0'))
})
