/** Calls in whose middle an MCP server asks a person (PROTOCOL.md rule 22b). */

import { describe, expect, it } from 'vitest'
import { repliesIn } from '../../../../src/core/run/human-input/reply.ts'
import type { RunFact } from '../../../../src/core/run/log/facts.ts'
import { runMachine } from '../../../../src/core/run/machine.ts'
import { answered, created, intended, messaged, NOW, started } from '../../../support/facts.ts'
import { givenRun } from '../../../support/given.ts'

const FORM = {
  type: 'object',
  properties: { pin: { type: 'string' }, tries: { type: 'integer' } },
  required: ['pin'],
}
const REQUESTS = [{ key: 'q', message: 'Which PIN?', form: FORM }]
const paused = (round = 1): RunFact => ({
  type: 'tool.paused',
  call: 'a',
  tool: 'tool',
  server: 'bank',
  round,
  on: 'input',
  requests: REQUESTS,
  duration_ms: 1,
})
const begun = () =>
  givenRun(created(), started(), answered(0, { a: 'once' }), intended('a', 'once')).at(10)

describe('a paused call', () => {
  it('asks its question, and is due when the question expires', () => {
    const asked = begun().and(paused()).decided()
    const question = asked.state.calls.get('a')!.pauses![0]!.question!
    const parked = asked.decided()
    expect(parked.state.waiting).toMatchObject({ on: 'input' })
    expect(runMachine.wakeAt(parked.state, NOW)).toBe(question.expires_at)
  })

  it('continues under a new intent when answered, and not before', () => {
    const parked = begun().and(paused()).decided().decided()
    expect(parked.decides).toEqual([])
    const heard = parked.and(messaged('m1', '{"pin":"1"}')).decided().decided()
    expect(heard.decides.map(({ type }) => type)).toEqual(['tool.call'])
  })

  it('is limited per round, and only while in flight', () => {
    const once = begun().and(paused())
    expect(runMachine.accepts(begun().state, paused())).toBe(true)
    expect(runMachine.accepts(begun().state, paused(2))).toBe(false)
    expect(runMachine.accepts(once.state, paused())).toBe(false)
    expect(runMachine.accepts(once.state, paused(2))).toBe(false)
    const again = once.and(intended('a', 'once'))
    expect(runMachine.accepts(again.state, paused(2))).toBe(true)
    expect(runMachine.accepts(again.state, paused())).toBe(false)
  })
})

describe('an answer to a form', () => {
  it.each([
    ['{"pin":"12","tries":3}', { action: 'accept', content: { pin: '12', tries: 3 } }],
    ['pin: 12\ntries: 3', { action: 'accept', content: { pin: '12', tries: 3 } }],
    ['pin: 12', { action: 'accept', content: { pin: '12' } }],
    ['{"action":"decline"}', { action: 'decline' }],
    ['{"action":"cancel"}', { action: 'cancel' }],
  ])('%s is accepted', (text, reply) => {
    expect(repliesIn(REQUESTS, text)).toEqual({ q: reply })
  })

  it.each(['12', 'tries: 3', 'pin: 1\ntries: x', '{"pin":"1","__proto__":{}}', '{"pin":1}', ''])(
    '%j is rejected with a sentence that explains what is wrong',
    (text) => {
      expect(repliesIn(REQUESTS, text)).toBeTypeOf('string')
    },
  )
})
