/**
 * Decides whether an observation that arrived late can still become a fact. The function is pure,
 * so that a lost race can be tested without a store.
 */

import { recordLateResult } from '../../late-results.ts'
import type { Body } from '../../message.ts'
import { isSubscribed } from '../../webhook/subscriptions.ts'
import { askedOf } from '../human-input/pause.ts'
import { answerIn } from '../human-input/question.ts'
import type { ApprovalDecided } from '../log/approval-facts.ts'
import type {
  OutageFact,
  RunFact,
  RunResumed,
  RunWaiting,
  SubagentAnnounced,
  SubagentFailed,
} from '../log/facts.ts'
import type { ToolPaused } from '../log/question-facts.ts'
import { mayCompact, mayFlush, owesFlush } from '../prompt/compaction.ts'
import { countsStep } from '../state/clock.ts'
import type { Draft } from '../state/draft.ts'
import type { Call, RunState } from '../state/state.ts'
import { currentCalls, isTerminal } from '../state/state.ts'
import { childId } from './child.ts'

export function accepts(state: RunState, fact: RunFact): boolean {
  if (fact.type === 'run.created') return state.spec === null
  if (state.spec === null || isTerminal(state)) return false
  switch (fact.type) {
    case 'run.started':
      return state.started === null && state.cancel === null
    case 'assistant.message':
      // The run may have been cancelled before its start was recorded.
      if (state.started === null) return false
      // A step with a recorded failed attempt waits for the next attempt; otherwise the first
      // result counts.
      if (fact.step !== state.steps.length || state.status === 'waiting') return false
      // An answer that arrives while earlier calls have no results no longer matches the
      // transcript.
      return currentCalls(state).every(hasResult)
    case 'memory.noted':
      return isDue(state, fact) && mayFlush(state)
    case 'memory.flushed':
      return fact.step === state.steps.length && owesFlush(state)
    case 'transcript.compacted':
      return isDue(state, fact) && mayCompact(state)
    case 'message.received':
      return state.cancel === null && !hasMessage(state, fact.message_id)
    case 'subagent.spawned':
    case 'tool.result': {
      const call = state.calls.get(fact.call)
      // The result of a spawn call with a subagent is not observed, but derived from the subagent's
      // end.
      return call !== undefined && call.result === null && call.child === null
    }
    case 'todos.updated':
      return state.calls.get(fact.call)?.result === null
    case 'skill.activated':
      return fact.call === null
        ? state.started !== null && state.steps.length === 0 && state.activation === null
        : state.calls.get(fact.call)?.result === null
    case 'approval.decided':
      return decides(state, fact)
    case 'tool.paused':
      return pausesOnce(state, fact)
    case 'subagent.waiting':
    case 'subagent.resumed': {
      const child = state.calls.get(fact.call)?.child
      return child != null && child.announce === null && fact.word > child.word
    }
    case 'subagent.announced':
    case 'subagent.failed': {
      const child = state.calls.get(fact.call)?.child
      return child != null && child.announce === null && child.run_id === fact.announce.run_id
    }
    case 'tool.call': {
      const call = state.calls.get(fact.call)
      return call?.intent === null && call.result === null && state.cancel === null
    }
    case 'run.waiting':
      return parks(state, fact)
    case 'run.resumed':
      return resumes(state, fact)
    case 'budget.reached':
      return state.status !== 'waiting' && fact.step === state.steps.length
    case 'model.unavailable':
    case 'model.recovered':
      return isDueOutage(state, fact)
    case 'run.failed':
      return fact.step === undefined || fact.step === state.steps.length
    case 'assistant.discarded':
      return state.started !== null
    case 'clock.stepped':
      return countsStep(state, fact)
    case 'cancel.requested':
      return state.cancel === null
    // A pass derives these facts from the preceding state, and a poisoned run receives its end from
    // outside.
    case 'approval.requested':
    case 'question.asked':
    case 'question.answered':
    case 'barrier.released':
    case 'run.completed':
    case 'run.cancelled':
    case 'run.timed_out':
      return true
    // Mail from a later release is kept in the log, where the later release reads it.
    default:
      fact satisfies never
      return true
  }
}

function parks(state: RunState, fact: RunWaiting): boolean {
  // No recorded fact has resumed the run, so this attempt outlived the run's time.
  if (state.status === 'waiting') return false
  if (fact.on !== 'model') return true
  if (state.started === null || fact.step !== state.steps.length) return false
  return fact.attempt === state.attempts + 1
}

function resumes({ waiting, cancel }: RunState, { by, history }: RunResumed): boolean {
  if (by) return waiting?.on === 'model' && cancel === null
  return history === undefined || waiting?.on === 'session'
}

function isDueOutage(state: RunState, { type, step }: OutageFact): boolean {
  // Facts that accompany this one count only if this one is accepted.
  if (state.status === 'waiting' || step !== state.steps.length) return false
  return state.outage?.isReported === (type === 'model.recovered')
}

function decides(state: RunState, fact: ApprovalDecided): boolean {
  const call = state.calls.get(fact.call)
  if (call?.result !== null || state.cancel !== null) return false
  const approval = askedOf(call)
  return approval?.id === fact.id && approval.decision === null
}

/**
 * Accepts a pause once. Two workers may have made the same repeatable call; the first worker's
 * questions count.
 */
function pausesOnce(state: RunState, fact: ToolPaused): boolean {
  const call = state.calls.get(fact.call)
  if (call?.result !== null || call.intent === null || state.cancel !== null) return false
  return fact.round === (call.pauses?.length ?? 0) + 1
}

/**
 * Whether a child ended after its run had ended and could no longer accept facts (PROTOCOL.md rule
 * 10).
 */
export function isLate(state: RunState, fact: RunFact): fact is SubagentAnnounced | SubagentFailed {
  if (fact.type !== 'subagent.announced' && fact.type !== 'subagent.failed') return false
  const call = state.calls.get(fact.call)
  if (!state.spec || state.ended_at === null || call?.mode !== 'spawn') return false
  // A rejected spawn call has no child, even if a tombstone was created.
  if (call.child === null && call.result !== null) return false
  if (call.child?.announce != null || state.late_results.ends[call.id] !== undefined) return false
  return fact.announce.run_id === childId(state.spec, call)
}

/**
 * Whether a late result must be reported. The session receives it regardless of external
 * notifications (PROTOCOL.md rule 21).
 */
export const mustTellLate = (state: RunState, fact: RunFact): boolean =>
  isLate(state, fact) && (fact.announce.status === 'completed' || isSubscribed(state, fact))

export function recordLate(draft: Draft, fact: RunFact, at: number): void {
  if (isLate(draft, fact))
    recordLateResult(draft, fact, { at, mustTell: mustTellLate(draft, fact), drops: false })
}

/** Whether the fact belongs to the step that is due. */
const isDue = (state: RunState, { step }: { readonly step: number }): boolean =>
  step === state.steps.length && state.status !== 'waiting' && currentCalls(state).every(hasResult)

const hasResult = (call: Call): boolean => call.result !== null

const hasMessage = (state: RunState, id: string): boolean => messageOf(state, id) !== undefined

/** Returns the received message with the given ID: a message to the model, or an answer. */
export function messageOf(state: RunState, id: string): { readonly text: Body } | undefined {
  for (const entry of state.pending_input) {
    if (entry.kind === 'message' && entry.id === id) return entry
  }
  for (const call of state.calls.values()) {
    const answer = answerIn(call, id)
    if (answer) return answer
  }
  return undefined
}
