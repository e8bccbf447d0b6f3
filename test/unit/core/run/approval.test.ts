/** Asking a person about a call (PROTOCOL.md rule 29). */

import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../../src/core/limits.ts'
import {
  argsHash,
  askingRun,
  effectiveArguments,
  mayProceed,
  rejection,
} from '../../../../src/core/run/human-input/approval.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import {
  announced,
  answered,
  asking,
  cancelRequested,
  childWaits,
  created,
  decidedOn,
  intended,
  NOW,
  parentOf,
  RESUMED,
  resulted,
  started,
  waiting,
} from '../../../support/facts.ts'
import { givenRun } from '../../../support/given.ts'

/** As ids are: what is asked is found by its name. */
const ID = `run_${'a'.repeat(26)}`
const DAY = LIMITS.approval_seconds_default
const run = (calls: Readonly<Record<string, string>>, over: Parameters<typeof created>[0] = {}) =>
  givenRun(created({ id: ID, ...over }), started(), asking(0, calls)).at(10)
const asked = run({ a: '{"n":1}' }).decided().at(10)
const idOf = (one: typeof asked, call = 'a'): string => one.state.calls.get(call)!.asked!.id
const settings = { expires_seconds: 60, on_expiry: 'deny', unattended: false } as const

describe('a call that requires approval', () => {
  it('is shown with its final arguments, the deciding rule, and the expiry', () => {
    const hash = argsHash('{"n":1}')
    expect(run({ a: '{"n":1}' }).decides).toMatchObject([
      {
        type: 'approval.requested',
        call: 'a',
        arguments: '{"n":1}',
        args_hash: hash,
        reason: 'a rule',
        expires_at: NOW + (10 + DAY) * 1_000,
        path: [{ run_id: ID, agent: 'general' }],
      },
    ])
    expect(hash).not.toBe(argsHash('{"n":2}'))
  })

  it('has an approval ID that names the requesting run and differs for each call', () => {
    const two = run({ a: '{}', b: '{}' }).decided()
    expect(askingRun(idOf(two))).toBe(ID)
    expect(idOf(two, 'a')).not.toBe(idOf(two, 'b'))
  })

  it('is not performed, and parks the run with the clock stopped', () => {
    expect(asked.pending).toEqual([])
    const until = NOW + (10 + DAY) * 1_000
    expect(asked.decides).toEqual([{ type: 'run.waiting', on: 'approval', until }])
    const parked = asked.decided()
    expect(parked.state.waiting).toEqual({ on: 'approval', since: NOW + 10_000 })
    expect(parked.at(DAY).decides).toEqual([])
  })

  it('does not park the run while another call is open', () => {
    const [first, second, answer] = [created({ id: ID }), started(), asking(0, { a: '{}' })]
    if (answer.type !== 'assistant.message') throw new Error('no answer')
    const open = { id: 'b', tool: 'tool', mode: 'once' } as const
    const both = givenRun(first, second, { ...answer, calls: [...answer.calls, open] })
    expect(both.follows).toEqual(['approval.requested', 'tool.call'])
    const asks = both.decided()
    expect(asks.decides).toEqual([])
    expect(asks.and(resulted('b')).follows).toEqual(['run.waiting'])
  })

  it('waits for a slot when too many are shown, and follows as they are decided', () => {
    const most = LIMITS.open_approvals_per_run
    const many = Object.fromEntries(Array.from({ length: most + 1 }, (_, at) => [`c${at}`, '{}']))
    const full = run(many).decided()
    expect(full.state.calls.get(`c${most}`)?.asked).toBeNull()
    const decided = full.and(decidedOn('c0', idOf(full, 'c0')))
    expect(decided.follows).toEqual(['approval.requested', 'tool.call'])
  })
})

describe('a decision', () => {
  const id = idOf(asked)

  it('applies once: the first decision wins', () => {
    expect(asked.accepts(decidedOn('a', id))).toBe(true)
    const approved = asked.and(decidedOn('a', id))
    expect(approved.accepts(decidedOn('a', id, { decision: 'deny' }))).toBe(false)
  })

  it.each<[string, typeof asked, RunFact]>([
    ['about another call', asked, decidedOn('b', id)],
    ['about what was never shown', asked, decidedOn('a', 'apr_other')],
    ['before it was shown', run({ a: '{}' }), decidedOn('a', id)],
    ['after the result', asked.and(resulted('a')), decidedOn('a', id)],
    ['after a cancel', asked.and(cancelRequested()), decidedOn('a', id)],
  ])('%s is rejected', (_, one, fact) => {
    expect(one.accepts(fact)).toBe(false)
  })

  it('about other arguments is rejected: each step requests approval under a different ID', () => {
    const facts = [created({ id: ID }), started(), asking(0, { a: '{"n":1}' })]
    const first = givenRun(...facts).decided()
    const done = first.and(decidedOn('a', idOf(first)), resulted('a'))
    const again = done.and(asking(1, { b: '{"n":2}' })).decided()
    expect(idOf(again, 'b')).not.toBe(idOf(first))
    expect(again.accepts(decidedOn('b', idOf(first)))).toBe(false)
    expect(again.pending).toEqual([])
  })

  it('approve: the run continues and the call is performed', () => {
    const parked = asked.decided().and(decidedOn('a', id))
    expect(parked.decides).toEqual([RESUMED])
    const goesOn = parked.decided()
    expect(goesOn.follows).toEqual(['tool.call'])
    expect(goesOn.decided().pending).toEqual(['tool a'])
  })

  it('approve with changed arguments: these are performed, and the log keeps the model’s', () => {
    const changed = asked.and(decidedOn('a', id, { arguments: '{"n":9}' }))
    const call = changed.state.calls.get('a')!
    expect(mayProceed(call)).toBe(true)
    expect(effectiveArguments(call)).toBe('{"n":9}')
    expect(call.arguments).toBe('{"n":1}')
    expect(effectiveArguments(asked.state.calls.get('a')!)).toBe('{"n":1}')
  })

  it('deny: the model receives the reason, and nothing is performed', () => {
    const denied = asked.and(decidedOn('a', id, { decision: 'deny', reason: ' too much ' }))
    const text = 'Tool execution rejected by user: too much'
    expect(denied.decides).toMatchObject([{ type: 'tool.result', status: 'error', text }])
    expect(denied.pending).toEqual([])
    expect(rejection({ reason: null })).toBe('Tool execution rejected by user')
  })

  it('an approved call started by a worker that died is unknown (PROTOCOL.md rule 13)', () => {
    const begun = asked.and(decidedOn('a', id), intended('a', 'once')).with({ epoch: 2 })
    expect(begun.decides).toMatchObject([{ type: 'tool.result', status: 'unknown' }])
  })
})

describe('expiry', () => {
  const shown = (on_expiry: 'deny' | 'approve') =>
    run({ a: '{}' }, { approvals: { ...settings, on_expiry } })
      .decided()
      .at(10)
      .decided()

  it.each([
    ['deny', 'expired'],
    ['approve', 'approve'],
  ] as const)(
    '%s: applies at its moment and not before, without a person',
    (on_expiry, decision) => {
      const parked = shown(on_expiry)
      expect(parked.wakesAt).toBe(70)
      expect(parked.at(69).decides).toEqual([])
      expect(parked.at(70).decides).toMatchObject([
        { type: 'approval.decided', decision, by: null },
      ])
    },
  )

  it('is not an approval: the model learns that no decision was made', () => {
    const over = shown('deny').at(70).decided().decided()
    expect(over.decides).toMatchObject([{ type: 'tool.result', status: 'error' }])
    expect(JSON.stringify(over.decides)).toContain('it expired without a decision')
  })
})

describe('subagents that wait for a person', () => {
  const both = givenRun(...parentOf({}, 'a', 'b'), waiting('subagents'))

  it('stop the clock once every live subagent waits (PROTOCOL.md rule 22)', () => {
    const one = both.and(childWaits('a', 5, NOW + 60_000))
    expect(one.decides).toEqual([])
    expect(one.and(announced('b')).decides).toEqual([RESUMED])
    expect(one.and(childWaits('b', 5)).decided().follows).toEqual(['run.waiting'])
  })

  it('the parent is checked a minute after the earliest expiry', () => {
    const all = both.and(childWaits('a', 5, NOW + 90_000), childWaits('b', 5, NOW + 60_000))
    const until = NOW + 60_000 + 60_000
    expect(all.decided().decides).toEqual([{ type: 'run.waiting', on: 'approval', until }])
  })

  it('do not stop the clock of a parent with pending work', () => {
    const work = both.and(childWaits('a', 5), childWaits('b', 5), answered(2, { t: 'once' }))
    expect(work.follows).toEqual(['tool.call'])
  })
})
