/** Folds facts about people into a run's state: requests to people, and their responses. */

import type {
  ApprovalDecided,
  ApprovalRequested,
  SubagentResumed,
  SubagentWaiting,
} from '../log/approval-facts.ts'
import type { MessageReceived } from '../log/facts.ts'
import type { QuestionAnswered, QuestionAsked, ToolPaused } from '../log/question-facts.ts'
import { change, type Draft } from '../state/draft.ts'
import { pausedBy, withAsked, withQuestion } from './pause.ts'
import { openQuestion } from './question.ts'

type PersonFact =
  | ToolPaused
  | ApprovalRequested
  | ApprovalDecided
  | QuestionAsked
  | QuestionAnswered
  | SubagentWaiting
  | SubagentResumed

export function applyPersonFact(draft: Draft, fact: PersonFact, at: number): void {
  switch (fact.type) {
    case 'tool.paused':
      return pausedBy(draft, fact)
    case 'approval.requested':
      return applyApprovalRequested(draft, fact, at)
    case 'approval.decided':
      return decided(draft, fact, at)
    case 'question.asked':
      return questioned(draft, fact, at)
    case 'question.answered':
      return change(draft, fact.call, (call) =>
        withQuestion(call, (open) => open && { ...open, outcome: fact.outcome }),
      )
    default:
      return word(draft, fact)
  }
}

function questioned(draft: Draft, { call, expires_at }: QuestionAsked, asked_at: number): void {
  const question = { asked_at, expires_at, answer: null, outcome: null }
  change(draft, call, (of) => withQuestion(of, () => question))
}

/**
 * Folds a received message. The first message after a question, in log order, answers the question.
 */
export function received(draft: Draft, fact: MessageReceived): void {
  const { message_id, text } = fact
  const open = fact.by === 'parent' ? undefined : openQuestion(draft)
  if (!open) {
    draft.pending_input.push({ kind: 'message', id: message_id, text, late: false })
    return
  }
  change(draft, open.id, (call) =>
    withQuestion(call, (question) => question && { ...question, answer: { message_id, text } }),
  )
}

function applyApprovalRequested(draft: Draft, fact: ApprovalRequested, at: number): void {
  const { id, args_hash, expires_at } = fact
  const approval = { id, args_hash, requested_at: at, expires_at, decision: null }
  change(draft, fact.call, (call) => withAsked(call, () => approval))
}

function decided(draft: Draft, fact: ApprovalDecided, at: number): void {
  const { decision, by, reason, arguments: changed = null } = fact
  const outcome = { decision, by, reason, at, arguments: changed }
  change(draft, fact.call, (call) =>
    withAsked(call, (open) => open && { ...open, decision: outcome }),
  )
}

const waitsOf = ({ until, on }: SubagentWaiting) => (on ? { until, on } : { until })

function word(draft: Draft, fact: SubagentWaiting | SubagentResumed): void {
  const waits = fact.type === 'subagent.waiting' ? waitsOf(fact) : null
  change(draft, fact.call, (call) => ({
    ...call,
    child: call.child && { ...call.child, waits, word: fact.word },
  }))
}
