/** The transactional outbox: what is enqueued with a fact, and what an acknowledgement clears. */

import { describe, expect, it } from 'vitest'
import { recordLateResult } from '../../../../src/core/late-results.ts'
import {
  enqueue,
  isOutboxEmpty,
  type Outbox,
  type Outgoing,
  settle,
} from '../../../../src/core/outbox.ts'
import { isLate, mustTellLate, recordLate } from '../../../../src/core/run/decide/accepts.ts'
import { childId } from '../../../../src/core/run/decide/child.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import { draftOf } from '../../../../src/core/run/state/draft.ts'
import {
  announced,
  answered,
  completed,
  created,
  failedChild,
  NOW,
  spawned,
  started,
} from '../../../support/facts.ts'
import { givenRun } from '../../../support/given.ts'

const EMPTY: Outbox = { parent: false, session: false, webhook: [], cancel: [] }
const FULL: Outbox = {
  parent: true,
  session: true,
  webhook: [2, 4],
  cancel: ['a', 'b'],
  notice: 3,
  events: 2,
}
const webhook = (...events: readonly string[]) =>
  ({ url: 'https://example.com', events, generated: false }) as const
const run = givenRun(created(), started(), answered(0))
/** What is left in this outbox of a log of three facts. */
const left = (outbox: Outbox, ...acknowledged: readonly Outgoing[]): Outbox =>
  settle(run.with({ outbox }).state, acknowledged).outbox

describe('settling (PROTOCOL.md rule 10)', () => {
  it.each<[string, Outgoing, Partial<Outbox>]>([
    ['the parent', { to: 'parent' }, { parent: false }],
    ['the session', { to: 'session' }, { session: false }],
    ['one event of the webhook', { to: 'webhook', seq: 2 }, { webhook: [4] }],
    ['one child', { to: 'child', call: 'b' }, { cancel: ['a'] }],
    ['the endpoints, up to a fact', { to: 'endpoints', upTo: 2 }, { events: 3 }],
  ])('clears exactly %s', (_, one, expected) => {
    expect(left(FULL, one)).toEqual({ ...FULL, ...expected })
  })

  it('clears the latest notice, and no older one', () => {
    const { notice: _, ...rest } = FULL
    expect(left(FULL, { to: 'notice', seq: 3 })).toEqual(rest)
    expect(left(FULL, { to: 'notice', seq: 1 })).toEqual(FULL)
  })

  it('of an entry already acknowledged, or never owed, changes nothing', () => {
    const strange: Outgoing[] = [
      { to: 'webhook', seq: 9 },
      { to: 'child', call: 'z' },
      { to: 'late', call: 'a' },
      { to: 'endpoints', upTo: 1 },
    ]
    expect(left(FULL, ...strange)).toEqual(FULL)
    expect(left(EMPTY, { to: 'parent' }, { to: 'session' })).toEqual(EMPTY)
    expect(left(FULL)).toBe(FULL)
  })

  it('of every entry leaves the outbox empty', () => {
    const all: Outgoing[] = [
      { to: 'parent' },
      { to: 'session' },
      { to: 'webhook', seq: 2 },
      { to: 'webhook', seq: 4 },
      { to: 'child', call: 'a' },
      { to: 'child', call: 'b' },
      { to: 'notice', seq: 3 },
      { to: 'endpoints', upTo: 3 },
    ]
    expect(isOutboxEmpty(left(FULL, ...all))).toBe(true)
    expect(all.every((_, index) => !isOutboxEmpty(left(FULL, ...all.toSpliced(index, 1))))).toBe(
      true,
    )
  })
})

describe('endpoints', () => {
  const hears = (...types: readonly string[]) =>
    givenRun().with({ subscribed: types }).and(created(), started(), answered(0), completed())

  it('receive facts from the first one they subscribe to; later facts do not move that start', () => {
    expect(hears('run.started', 'run.completed').state.outbox.events).toBe(2)
    expect(hears('run.failed').state.outbox.events ?? null).toBeNull()
  })

  it('settle up to a fact: later facts remain, and the furthest acknowledgment wins', () => {
    const told = (...upTo: readonly number[]) =>
      left({ ...EMPTY, events: 1 }, ...upTo.map((seq) => ({ to: 'endpoints', upTo: seq }) as const))
    expect(told(2).events).toBe(3)
    expect(told(1, 2).events).toBe(3)
    expect('events' in told(3)).toBe(false)
  })

  it('receive no end of a run below another one', () => {
    const parent = { run_id: 'run_above', call: 'c', session_id: null }
    const below = givenRun().with({ subscribed: ['run.completed'] })
    const { outbox } = below.and(created({ parent }), started(), completed()).state
    expect(outbox.events ?? null).toBeNull()
  })
})

describe('enqueuing', () => {
  it('the webhook of a run is owed each event it subscribes to', () => {
    const { state } = givenRun(
      created({ webhook: webhook('run.started', 'run.completed') }),
      started(),
      answered(0),
      completed(),
    )
    expect(state.outbox.webhook).toEqual([2, 4])
  })

  it('a session that waits for the end is notified, with nothing else', () => {
    expect(enqueue(run.state, [{ to: 'session' }]).outbox).toEqual({ ...EMPTY, session: true })
    expect(enqueue(run.state, [])).toBe(run.state)
  })
})

describe('an end after the run’s end (PROTOCOL.md rule 21)', () => {
  const [, ...rest] = [created(), started(), answered(0, { a: 'spawn', b: 'spawn' })]
  const ID = childId({ id: 'run_parent' }, { step: 0, index: 0 })
  const child = { ...spawned('a'), run_id: ID } as RunFact
  const over = givenRun(created(), ...rest, child, completed())
  const late = announced('a', { run_id: ID }) as Extract<RunFact, { type: 'subagent.announced' }>

  it('is not accepted as a fact, and is not late before the end', () => {
    expect(over.accepts(late)).toBe(false)
    expect(isLate(over.state, late)).toBe(true)
    expect(isLate(givenRun(created(), ...rest, child).state, late)).toBe(false)
  })

  it('from an unknown run, or one already recorded, is not late', () => {
    expect(isLate(over.state, announced('a', { run_id: 'run_other' }))).toBe(false)
    const heard = givenRun(created(), ...rest, child, late, completed())
    expect(isLate(heard.state, late)).toBe(false)
    const draft = draftOf(over.state)
    recordLate(draft, late, NOW)
    expect(isLate(draft, late)).toBe(false)
  })

  it('a success is owed to the session; a failure only to subscribed endpoints', () => {
    const failed = { ...failedChild('a') } as Extract<RunFact, { type: 'subagent.failed' }>
    const fails = { ...failed, announce: { ...failed.announce, run_id: ID } }
    expect(mustTellLate(over.state, late)).toBe(true)
    expect(mustTellLate(over.state, fails)).toBe(false)
    expect(mustTellLate({ ...over.state, subscribed: ['subagent.failed'] }, fails)).toBe(true)
  })

  it('stays in the outbox until delivered, and adds its usage once', () => {
    const draft = draftOf(over.state)
    recordLate(draft, late, NOW)
    recordLate(draft, late, NOW)
    expect(draft.outbox.late).toMatchObject([{ call: 'a', at: NOW }])
    expect(draft.late_results).toMatchObject({ usage: { model_calls: 1 } })
    const told = settle(draft, [{ to: 'late', call: 'a' }])
    expect('late' in told.outbox).toBe(false)
    expect(told.late_results.ends.a).toEqual({ status: 'completed' })
  })

  it('without a destination is recorded as dropped', () => {
    const draft = draftOf(over.state)
    recordLate(draft, late, NOW)
    const told = settle(draft, [{ to: 'late', call: 'a', dropped: true }])
    expect(told.late_results.ends.a).toEqual({ status: 'completed', dropped: true })
    const at = { at: NOW, mustTell: false, drops: true }
    const alone = draftOf(over.state)
    recordLateResult(alone, late, at)
    expect(alone.late_results.ends.a?.dropped).toBe(true)
    expect(alone.outbox).toEqual(over.state.outbox)
  })
})
