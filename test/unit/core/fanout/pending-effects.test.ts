/** The effects of a fan-out that are pending, and when somebody must look again. */

import { describe, expect, it } from 'vitest'
import { cancelRequested } from '../../../support/facts.ts'
import { begun, ended, fanoutOf, paged, pageStarted, THEN } from '../../../support/fanout-facts.ts'
import { givenFanout } from '../../../support/given.ts'

const OUTBOX = { parent: true, webhook: [1, 2], cancel: ['0'], events: 3 } as const
const IN_ORDER = ['events 3', 'webhook 1', 'webhook 2', 'cancel 0', 'parent']
const cancel = cancelRequested()

describe('tasks', () => {
  it('start in order, up to the concurrency limit (PROTOCOL.md rule 19)', () => {
    const run = givenFanout(fanoutOf(4, { live_children: 2 }))
    expect(run.pending).toEqual(['spawn 0', 'spawn 1'])
    expect(run.and(begun(0)).pending).toEqual(['spawn 1'])
    expect(run.and(begun(0), begun(1)).pending).toEqual([])
    expect(run.and(begun(0), begun(1), ended(1)).pending).toEqual(['spawn 2'])
  })

  it('start only as far as the budget allows', () => {
    const run = givenFanout(fanoutOf(4, { limits: { max_model_calls: 3 } }))
    expect(run.pending).toHaveLength(3)
    const given = { max_tokens: null, max_model_calls: 2 }
    expect(run.and(begun(0, given)).pending).toEqual(['spawn 1'])
  })

  it('that are pages start as they arrive', () => {
    const run = givenFanout(fanoutOf(0, { open: true, live_children: 2, page_children: 8 }))
    expect(run.pending).toEqual([])
    const two = run.and(paged(4), paged(0), paged(1))
    expect(two.pending).toEqual(['spawn 0', 'spawn 1'])
    expect(two.and(pageStarted(0, 4)).pending).toEqual(['spawn 1'])
  })

  it.each([
    ['after a cancel', givenFanout(fanoutOf(2), cancel)],
    [
      'behind the barrier',
      givenFanout(fanoutOf(2, { join: { policy: 'any' } }), begun(0), ended(0)).decided(),
    ],
    ['at the deadline', givenFanout(fanoutOf(2, { join: { deadline_seconds: 9 } })).at(9)],
    ['after the end', givenFanout(fanoutOf(0)).decided().decided()],
    ['before there is a fan-out', givenFanout()],
  ])('do not start %s', (_, run) => {
    const none = { webhook: [], cancel: [] }
    expect(run.with({ outbox: none }).pending).toEqual([])
  })

  it('the closing run starts once, after the barrier opens', () => {
    const run = givenFanout(fanoutOf(1, { closing: THEN }), begun(0), ended(0))
    expect(run.pending).toEqual([])
    expect(run.decided().pending).toEqual(['close'])
    expect(run.decided().and(begun('then')).pending).toEqual([])
  })
})

describe('the outbox', () => {
  it('precedes the tasks, each entry under a unique name', () => {
    expect(givenFanout(fanoutOf(1)).with({ outbox: OUTBOX }).pending).toEqual([
      ...IN_ORDER,
      'spawn 0',
    ])
  })

  it('is the only work of a cancelled or ended fan-out', () => {
    const run = givenFanout(fanoutOf(2), cancel)
    expect(run.with({ outbox: OUTBOX }).pending).toEqual(IN_ORDER)
    expect(run.decided().with({ outbox: OUTBOX }).pending).toEqual(IN_ORDER)
  })
})

describe('the next wake time (PROTOCOL.md rule 9)', () => {
  const rests = givenFanout(fanoutOf(1), begun(0)).at(10)

  it('is within a minute, regardless of what the fan-out waits for', () => {
    expect(rests.wakesAt).toBe(70)
    expect(givenFanout(fanoutOf(1)).at(10).wakesAt).toBe(70)
  })

  it('is the deadline of its barrier', () => {
    const join = { deadline_seconds: 90 }
    expect(givenFanout(fanoutOf(1, { join }), begun(0)).at(10).wakesAt).toBe(90)
    expect(givenFanout(fanoutOf(1, { join }), begun(0)).with({ busy: 1 }).at(10).wakesAt).toBe(70)
  })

  it('is unset after the end, unless something is owed', () => {
    const over = rests.and(ended(0)).decided().decided()
    expect(over.wakesAt).toBeUndefined()
    expect(over.with({ outbox: OUTBOX }).at(10).wakesAt).toBe(70)
  })
})
