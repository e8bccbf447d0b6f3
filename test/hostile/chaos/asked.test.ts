/** The laws of `node test/hostile/chaos/main.ts` about model calls: each has a story that breaks it. */

import { expect, it } from 'vitest'
import type { Event } from '../../../src/core/run/views/event.ts'
import { asked, askedFigures, questionOf } from './asked.ts'
import { standstills } from './recovery.ts'

const event = (seq: number, type: string, at: number, data: object = {}): Event =>
  ({ seq, type, created_at: new Date(at).toISOString(), data }) as unknown as Event
const answer = (seq: number, at: number, step: number) =>
  event(seq, 'assistant.message', at, { step })
const question = (text: string, at: number) => ({ ...questionOf([{ content: text }]), at })
const death = (at: number) => ({ at, goneAt: at + 10, answersAt: at + 900 })

const log = [event(1, 'run.started', 1_000), answer(2, 5_000, 0), event(3, 'run.completed', 5_001)]
const logs = new Map([['run_1', log]])

it('a model call that died with the host may be repeated, and its cost is reported as paid in vain', () => {
  const questions = [question('one', 1_500), question('one', 4_000)]
  expect(asked(logs, questions, [death(2_000)])).toEqual([])
  expect(askedFigures(logs, questions, [death(2_000)])).toMatchObject({
    'model calls paid in vain': 1,
    'model calls under way at kills': 1,
    'questions asked again': 1,
  })
})

it('a model call that is repeated while the host lives breaks the law', () => {
  const questions = [question('one', 1_500), question('one', 4_000), question('one', 4_500)]
  expect(asked(logs, questions, [death(2_000)])).toMatchObject([
    expect.stringContaining('asked again after 500 ms without a death'),
    expect.stringContaining('2 questions, 1 answers kept'),
  ])
})

it('an answer without a model call breaks the law, and so do two answers for one step', () => {
  expect(asked(logs, [question('one', 1_500)], [death(2_000)])).toHaveLength(1)
  const twice = new Map([['run_1', [...log.slice(0, 2), answer(3, 5_500, 0)]]])
  const questions = [question('one', 4_000), question('two', 4_500)]
  expect(asked(twice, questions, [death(2_000)])).toEqual(['run_1: a step with two answers'])
})

it('only a run that was at work when the host died is at a standstill', () => {
  const waits = [event(1, 'run.waiting', 1_000), event(2, 'run.completed', 9_000)]
  const all = new Map([...logs, ['run_2', waits]])
  expect(standstills(all, [death(2_000)])).toEqual([{ ms: 3_000, deaths: 1 }])
  const deaths = [death(2_000), death(3_000)]
  expect(standstills(all, deaths)).toEqual([{ ms: 3_000, deaths: 2 }])
})
