/**
 * The laws of questions to the user and of the list that a run works by (rule 22a): one question at
 * a time, closed once, by the first message that came after it or by its time; the answer is the
 * result.
 */

import type { RunFact } from '../../../src/core/run/log/facts.ts'
import type { ToolCall } from '../../../src/ports/world.ts'
import type { Shadow, ShadowCall } from '../shadow/shadow.ts'
import type { Sim } from '../world/sim.ts'

/** A question, the first message after it, and how it was closed. */
export interface ShadowQuestion {
  readonly expires: number
  first: { readonly id: string; readonly text: unknown } | undefined
  outcome: 'answered' | 'expired' | undefined
}

const openIn = ({ calls }: Shadow): ShadowCall | undefined =>
  [...calls.values()].find(({ question, result }) => question && !question.outcome && !result)

export function I13_oneQuestionAtATime(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'question.asked') return undefined
  const call = shadow.calls.get(fact.call)
  if (call?.mode !== 'question' && !call?.paused) return `${fact.call} asks nothing and is asked`
  if (call.question) return `${fact.call} is asked twice`
  if (call.result || shadow.cancelledAt !== undefined)
    return `${fact.call} is asked when it is over`
  const guarded = call.guarded && call.asked?.decision !== 'approve'
  if (guarded) return `${fact.call} is asked before somebody has approved it`
  const open = openIn(shadow)
  return open && `${fact.call} is asked while ${open.id} is open`
}

export function I13_theFirstMessageAnswers(
  shadow: Shadow,
  fact: RunFact,
  at: number,
): string | undefined {
  if (fact.type !== 'question.answered') return undefined
  const question = shadow.calls.get(fact.call)?.question
  if (!question) return `${fact.call} is closed and was never asked`
  if (question.outcome) return `${fact.call} is closed twice`
  if (fact.message_id !== (question.first?.id ?? null)) {
    return `${fact.call} is answered by ${fact.message_id} and not by ${question.first?.id}`
  }
  const early = fact.outcome === 'expired' && at < question.expires
  return early ? `${fact.call} has expired before its time` : undefined
}

export function I13_theAnswerIsTheResult(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'tool.result') return undefined
  const call = shadow.calls.get(fact.call)
  if (call?.mode !== 'question') return undefined
  const { question } = call
  if (!question) return call.guarded ? undefined : `${fact.call} has a result and was never asked`
  if (!question.outcome) return `${fact.call} has a result before it is closed`
  const text = question.outcome === 'answered' ? question.first?.text : undefined
  const right = text === undefined ? fact.status === 'error' : fact.status === 'ok'
  if (right && (text === undefined || text === fact.text)) return undefined
  return `${fact.call} was ${question.outcome} with ${text}: ${JSON.stringify(fact.text)}`
}

/** Rule 22c: the result of a function comes from a program (I6 says of which call), or says that none came. */
export function I13_aFunctionHasItsResult(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'tool.result') return undefined
  const call = shadow.calls.get(fact.call)
  if (call?.mode !== 'caller') return undefined
  const text = String(fact.text)
  const brought = fact.status === 'ok' && text.startsWith('result of ')
  const expired = fact.status === 'error' && text.startsWith('expired: ')
  return brought || expired ? undefined : `${fact.call} has another's result: ${text}`
}

/** Rule 22b: a server asks once about a call that is under way, and nobody has performed it then. */
export function I13_pausedOnce(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'tool.paused') return undefined
  const call = shadow.calls.get(fact.call)
  if (call?.intent === undefined) return `${fact.call} is paused and was not begun`
  if (call.paused) return `${fact.call} is paused twice`
  return call.result || shadow.cancelledAt !== undefined
    ? `${fact.call} is paused when it is over`
    : undefined
}

/** Rule 22b: before a person or time has spoken nobody goes on with the call. */
export function I13_aPauseIsWaitedFor(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'tool.call') return undefined
  const call = shadow.calls.get(fact.call)
  const open = call?.paused === true && !call.question?.outcome
  return open ? `${fact.call} goes on before its question is closed` : undefined
}

/** Rule 22b: a paused call goes on with the answer that the log has, and with its server's state. */
export function I13_aPauseIsAnswered(
  sim: Sim,
  { id, paused, question }: ShadowCall,
  state: string,
  answers: ToolCall['answers'],
): void {
  const breach = (text: string): void => sim.law.breach('I13_aPauseIsAnswered', `${id}: ${text}`)
  // A worker that has not seen the pause yet makes the first call again.
  if (!answers) return
  if (!paused || !question?.outcome) return breach('answered before anybody has')
  if (answers.state !== state) breach(`with the state ${answers.state}`)
  const reply = answers.replies.pin
  const right =
    question.outcome === 'expired'
      ? reply?.action === 'cancel'
      : reply?.action === 'accept' && reply.content?.pin === question.first?.text
  if (!right) breach(`${JSON.stringify(reply)} for ${question.outcome} ${question.first?.text}`)
}

/** Rule 3: sent again under its key it is the same message, also when it was an answer. */
export function I11_messagesAreHeardOnce(shadow: Shadow, fact: RunFact): string | undefined {
  if (fact.type !== 'message.received') return undefined
  const before = shadow.facts.some(
    (one) => one.type === fact.type && one.message_id === fact.message_id,
  )
  return before ? `${fact.message_id} stands in the log already` : undefined
}

/** Takes in what a fact says about questions. */
export function foldQuestions(shadow: Shadow, fact: RunFact): void {
  if (fact.type === 'question.asked') {
    const question = { expires: fact.expires_at, first: undefined, outcome: undefined }
    shadow.calls.get(fact.call)!.question = question
  }
  if (fact.type === 'question.answered') {
    shadow.calls.get(fact.call)!.question!.outcome = fact.outcome
  }
  if (fact.type !== 'message.received' || fact.by === 'parent') return
  const question = openIn(shadow)?.question
  if (question) question.first ??= { id: fact.message_id, text: fact.text }
}
