/**
 * Question to the user: a call that is not executed. Its result is the first later message from any
 * sender, or its expiry. Only one question is open at a time, so that each message answers a
 * definite question (PROTOCOL.md rule 22a).
 */

import { LIMITS } from '../../limits.ts'
import type { RunFact } from '../log/facts.ts'
import type { Call, RunState } from '../state/state.ts'
import { currentCalls, isLive, isStopped } from '../state/state.ts'
import { awaitsDecision, callerWait, mayProceed, pathOf } from './approval.ts'
import { pauseOf, questionOf, questionsOf } from './pause.ts'

/** Whether the call is an open question that waits only for an answer or its expiry. */
const awaitsAnswer = (call: Call): boolean => awaitsCaller(call) || awaitsUser(call)

const awaitsUser = (call: Call): boolean =>
  (pauseOf(call)?.on === 'input' || call.mode === 'question') &&
  call.result === null &&
  (questionOf(call)?.outcome ?? null) === null

/** Whether the run's caller performs the call and has not sent its result yet. */
export const awaitsCaller = (call: Call): boolean => call.mode === 'caller' && call.result === null

/** Whether the call waits for a person's decision or answer, or for its expiry. */
export const awaitsPerson = (call: Call): boolean => awaitsDecision(call) || awaitsAnswer(call)

/**
 * Returns the kind of wait when only people and the caller's functions are pending: an approval
 * first, then a question, then a function.
 */
export function waitKind(state: RunState): 'approval' | 'input' | 'function' | 'subagents' {
  let hasPerson = false
  let caller = false
  for (const call of state.calls.values()) {
    if (awaitsDecision(call)) return 'approval'
    const waits = isLive(call) ? call.child?.waits : null
    if (waits && waits.on === undefined) return 'approval'
    hasPerson ||= waits?.on === 'input' || awaitsUser(call)
    caller ||= awaitsCaller(call)
  }
  if (hasPerson) return 'input'
  return caller ? 'function' : 'subagents'
}

/** Returns the question call that the next message answers. */
export const openQuestion = (state: RunState): Call | undefined =>
  currentCalls(state).find((call) => {
    const question = questionOf(call)
    return call.result === null && question?.outcome === null && !question.answer
  })

/** Whether a question is closed but its result is not yet in the log. */
export const isClosed = (call: Call): boolean =>
  call.result === null && (questionOf(call)?.outcome ?? null) !== null

/** Returns the call that the message has answered. */
export function answeredBy(state: RunState, messageId: string): Call | undefined {
  for (const call of state.calls.values()) if (answerIn(call, messageId)) return call
  return undefined
}

/**
 * Returns the answer with this message ID, given to the call's own question or to one asked during
 * the call.
 */
export const answerIn = (call: Call, messageId: string) =>
  [call, ...(call.pauses ?? [])]
    .map(({ question }) => question?.answer)
    .find((answer) => answer?.message_id === messageId)

/**
 * Returns facts that close answered and expired questions, and that ask the next question if none
 * is open.
 */
export function followQuestions(state: RunState, calls: readonly Call[], now: number): RunFact[] {
  const waiting = calls.filter((call) => awaitsUser(call) && mayProceed(call))
  const closed = waiting.flatMap((call) => closing(call, now))
  if (closed.length > 0) return closed
  const [next] = waiting
  if (next === undefined || waiting.some((call) => questionOf(call) !== null)) return []
  return [questionAsked(state, next, now)]
}

/**
 * Returns results for the caller's calls that timed out, measured from when the run started to
 * wait.
 */
export function followCallers(state: RunState, calls: readonly Call[], now: number): RunFact[] {
  const { waiting } = state
  if (!isStopped(waiting) || now < waiting.since + callerWait(state)) return []
  return calls
    .filter((call) => awaitsCaller(call) && mayProceed(call))
    .map(({ id, tool }) => {
      const result = { type: 'tool.result', call: id, tool, duration_ms: 0 } as const
      return { ...result, status: 'error', text: UNPERFORMED }
    })
}

const UNPERFORMED =
  'expired: the program that provides this function did not answer in time. It may or ' +
  'may not have run. Continue without the result, and state your assumptions at the ' +
  'end.'

function closing(call: Call, now: number): RunFact[] {
  const question = questionOf(call)
  if (question === null) return []
  const of = { type: 'question.answered', call: call.id } as const
  const { answer, expires_at } = question
  if (answer) return [{ ...of, outcome: 'answered', message_id: answer.message_id }]
  return now >= expires_at ? [{ ...of, outcome: 'expired', message_id: null }] : []
}

function questionAsked(state: RunState, call: Call, now: number): RunFact {
  const usual = state.spec?.approvals?.expires_seconds ?? LIMITS.approval_seconds_default
  return {
    type: 'question.asked',
    call: call.id,
    questions: questionsOf(call),
    expires_at: now + (call.expires_in_seconds ?? usual) * 1_000,
    path: pathOf(state),
  }
}

/** Returns the tool result of a closed question. */
export function questionResult({ id, tool, question }: Call): RunFact {
  const answer = question?.outcome === 'answered' ? question.answer : null
  const result = { type: 'tool.result', call: id, tool, duration_ms: 0 } as const
  return answer
    ? { ...result, status: 'ok', text: answer.text }
    : { ...result, status: 'error', text: UNANSWERED }
}

const UNANSWERED =
  'expired: no answer arrived in time. Continue without it, and state your assumptions ' +
  'at the end.'
