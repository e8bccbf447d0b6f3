/**
 * What the model was asked, against the answers that logs keep (promise 3). Each question of the
 * load is asked once; again only if the host died under it, and then it was paid for in vain.
 */

import { createHash } from 'node:crypto'
import type { Event } from '../../../src/core/run/views/event.ts'
import type { Death } from './host.ts'

export interface Question {
  /** The same for the same messages. */
  readonly key: string
  /** When it arrived, ms since 1970. */
  readonly at: number
}

type Logs = ReadonlyMap<string, readonly Event[]>

/** What was sent by a process may arrive so long after its death. */
const WIRE_MS = 200
const SHOWN = 200

export const questionOf = (messages: unknown): Question => ({
  key: `${JSON.stringify(messages).slice(-SHOWN)} ${createHash('sha256')
    .update(JSON.stringify(messages))
    .digest('hex')}`,
  at: Date.now(),
})

const isKept = ({ type }: Event): boolean =>
  type === 'assistant.message' || type === 'assistant.discarded'

const keptTimes = (logs: Logs): number[] =>
  [...logs.values()].flatMap((log) =>
    log.filter(isKept).map(({ created_at }) => Date.parse(created_at)),
  )

/** By the life in which it was: the first is 0. What is sent may arrive a little after the death. */
const lifeOf = (at: number, deaths: readonly Death[], lateMs: number): number =>
  deaths.filter((death) => death.goneAt + lateMs < at).length

export function asked(
  logs: Logs,
  questions: readonly Question[],
  deaths: readonly Death[],
): string[] {
  const last = deaths.length
  const cut = [...logs.values()].filter((log) => log.some(({ type }) => type === 'run.cancelled'))
  const inLast = questions.filter(({ at }) => lifeOf(at, deaths, WIRE_MS) === last).length
  const keptInLast = keptTimes(logs).filter((at) => lifeOf(at, deaths, 0) === last).length
  const wrong = [...twice(questions, deaths), ...steps(logs)]
  const lost = inLast - keptInLast
  // Who is cancelled may have asked.
  if (lost < 0 || lost > cut.length) {
    wrong.push(
      `after the last kill ${inLast} questions, ${keptInLast} answers kept, ${cut.length} cancelled`,
    )
  }
  return wrong
}

/** Nothing is asked again unless the host died in between. */
function twice(questions: readonly Question[], deaths: readonly Death[]): string[] {
  return [...Map.groupBy(questions, ({ key }) => key)].flatMap(([key, all]) =>
    all.slice(1).flatMap(({ at }, index) => {
      const before = all[index]!.at
      const died = deaths.some((death) => before <= death.goneAt + WIRE_MS && at >= death.at)
      const since = Math.min(...deaths.map(({ goneAt }) => Math.abs(before - goneAt)))
      const what = `asked again after ${at - before} ms without a death (${since} ms away)`
      return died ? [] : [`${what}: ${key}`]
    }),
  )
}

/** Steps of a log are answered once each. */
function steps(logs: Logs): string[] {
  return [...logs].flatMap(([run, log]) => {
    const known = log
      .filter(({ type }) => type === 'assistant.message')
      .map(({ data }) => data.step)
    const numbers = new Set(known)
    if (numbers.has(undefined)) return [`${run}: an answer without a step`]
    return numbers.size === known.length ? [] : [`${run}: a step with two answers`]
  })
}

export function askedFigures(
  logs: Logs,
  questions: readonly Question[],
  deaths: readonly Death[],
): Record<string, number> {
  const kept = keptTimes(logs)
  const underWay = deaths.map(({ at }, nth) => {
    const from = deaths[nth - 1]?.at ?? 0
    const all = questions.filter((one) => one.at > from && one.at <= at).length
    return all - kept.filter((time) => time > from && time <= at).length
  })
  return {
    'model calls': questions.length,
    'answers kept': kept.length,
    'model calls paid in vain': questions.length - kept.length,
    'model calls under way at kills': underWay.reduce((sum, one) => sum + one, 0),
    'questions asked again': questions.length - new Set(questions.map(({ key }) => key)).size,
  }
}
