/**
 * Derives facts from a run's state without I/O: intents, rejections, the barrier, and the end.
 * After a conflict, derived facts are discarded, and derived again from the new state (PROTOCOL.md
 * rule 5).
 */

import { assert } from '../../../lib/assert.ts'
import { MAY_HAVE_HAPPENED } from '../../tools/unknown-outcome.ts'
import {
  allWait,
  followApprovals,
  isDecided,
  mayProceed,
  personUntil,
  rejection,
} from '../human-input/approval.ts'
import { isSettled, pauseOf } from '../human-input/pause.ts'
import {
  awaitsPerson,
  followCallers,
  followQuestions,
  isClosed,
  questionResult,
  waitKind,
} from '../human-input/question.ts'
import type { RunFact } from '../log/facts.ts'
import { owesFlush } from '../prompt/compaction.ts'
import { isRepairWanted, repairDue, schemaErrorOf, unmet } from '../prompt/structured-output.ts'
import { finalText } from '../prompt/transcript.ts'
import {
  allOpenWait,
  brokenBy,
  endedCall,
  joinDeadline,
  onlyHeld,
  releaseOf,
} from '../prompt/waiting-spawns.ts'
import { barrier, unreadMessages } from '../state/barrier.ts'
import { expired } from '../state/begin.ts'
import { exhausted } from '../state/budget.ts'
import type { Call, RunState } from '../state/state.ts'
import { currentCalls, deadline, isHeld, isStopped, isTerminal, lastStep } from '../state/state.ts'
import { isLooping } from './looping.ts'
import { isQueued } from './turns.ts'

export function decide(state: RunState, now: number): readonly RunFact[] {
  if (state.spec === null || isTerminal(state)) return []
  if (state.cancel) return state.busy > 0 ? [] : [cancelled(state)]
  const late = expired(state, now)
  if (late) return [late]
  const end = deadline(state)
  if (end !== undefined && now >= end) return [timedOut(state)]
  const { waiting } = state
  if (waiting?.on === 'session') return []
  if (waiting?.on === 'model') {
    return waiting.until !== null && now >= waiting.until ? [{ type: 'run.resumed' }] : []
  }
  const step = lastStep(state)
  if (step === undefined || state.barrier_open) return exhausted(state) ? atEnd(state) : []
  const calls = currentCalls(state)
  const isDue = (call: Call) => isDecided(call) || isClosed(call)
  if (isParked(state) && calls.some((call) => isDue(call) && !isQueued(calls, call)))
    return [{ type: 'run.resumed' }]
  const followed = [
    ...followApprovals(state, calls, now),
    ...followQuestions(state, calls, now),
    ...followCallers(state, calls, now),
    ...calls.flatMap((call) => (isQueued(calls, call) ? [] : followCall(state, call))),
  ]
  if (followed.length > 0) return followed
  const open = openCalls(calls)
  if (open.length > 0 && !open.every(awaitsPerson) && !onlyHeld(open)) return []
  const brokenCall = brokenBy(state, calls)
  if (brokenCall) return [childFailed(brokenCall)]
  if (open.length > 0) return withinStep(state, calls, now)
  // The run has stopped waiting within this step; it may wait again later in the step.
  if (isParked(state) && state.joining_since !== null) return [{ type: 'run.resumed' }]
  const over = exhausted(state)
  // Subagents have returned their budget slices, so the budget allows another model call.
  const goesOn = calls.length > 0 && !isLastCall(state) && !over
  if (goesOn) return state.status === 'waiting' ? [{ type: 'run.resumed' }] : []
  return atRest(state, now, over || (calls.length === 0 && !repairDue(state)))
}

/** Whether the next model call is the last one, which is made without tools. */
export const isLastCall = (state: RunState): boolean =>
  isLooping(state) || (state.started !== null && state.steps.length >= state.started.max_steps)

/**
 * Whether a message arrived after the last answer while steps and budget remain, so that the model
 * must answer it.
 */
export const mustAnswer = (state: RunState): boolean =>
  unreadMessages(state) && !spent(state) && !exhausted(state)

/** Whether the last call, which is made without tools, has also been made. */
const spent = (state: RunState): boolean =>
  state.started !== null && state.steps.length > state.started.max_steps

function followCall(state: RunState, call: Call): RunFact[] {
  if (call.result !== null) return []
  if (call.mode === 'question' && isClosed(call)) return [questionResult(call)]
  if (call.child !== null) return endedCall(state, call)
  if (call.mode === 'refused') {
    return [failedCall(call, 'error', call.refusal ?? 'The call was denied.')]
  }
  const pause = pauseOf(call)
  if (pause && call.intent === null) return isSettled(pause) ? [intent(state, call)] : []
  if (!pause && !mayProceed(call)) {
    const decision = call.asked?.decision
    return decision ? [failedCall(call, 'error', rejection(decision))] : []
  }
  // The content that a write changes must be read before the intent is recorded.
  if (PREPARED.has(call.mode)) return []
  if (call.intent === null) return [intent(state, call)]
  if (call.mode === 'once' && call.intent !== state.epoch) {
    return [failedCall(call, 'unknown', UNKNOWN)]
  }
  return []
}

/** Modes of calls that require preparation, or that are performed elsewhere. */
const PREPARED: ReadonlySet<Call['mode']> = new Set(['spawn', 'write', 'question', 'caller'])

const intent = ({ epoch }: RunState, { id, tool, mode }: Call): RunFact => {
  assert(mode === 'once' || mode === 'repeatable', `mode must be once or repeatable, not ${mode}`)
  return { type: 'tool.call', call: id, tool, mode, epoch }
}

const UNKNOWN =
  'The outcome of this call is unknown: its worker stopped before reporting it. The ' +
  `call was not retried. ${MAY_HAVE_HAPPENED}`

function failedCall(call: Call, status: 'error' | 'unknown', text: string): RunFact {
  return { type: 'tool.result', call: call.id, tool: call.tool, status, text, duration_ms: 0 }
}

/**
 * Returns the next facts if the model has answered and no call is open: the barrier, then the end.
 */
function atRest(state: RunState, now: number, hasAnswered: boolean): RunFact[] {
  if (hasAnswered && mustAnswer(state))
    return state.status === 'waiting' ? [{ type: 'run.resumed' }] : []
  const view = barrier(state, now)
  switch (view.kind) {
    case 'clear':
      // The last awaited result arrived; both the next model call and an end follow a resumption.
      if (state.status === 'waiting') return [{ type: 'run.resumed' }]
      return hasAnswered ? atEnd(state) : []
    case 'closed':
      return closed(state, now, view.until)
    case 'released':
    case 'deadline': {
      const reason = view.kind === 'deadline' ? 'deadline' : 'joined'
      const { calls, missing } = view
      const release: RunFact = { type: 'barrier.released', calls, missing, reason }
      return state.status === 'waiting' ? [{ type: 'run.resumed' }, release] : [release]
    }
    case 'failed':
      return [childFailed(view.call)]
  }
}

function childFailed({ child }: Call): RunFact {
  const name = child?.label ?? child?.agent ?? 'a subagent'
  const message = `The subagent ${name} did not complete, and the join policy fails the run.`
  return { type: 'run.failed', stop_reason: 'error', error: { code: 'child_failed', message } }
}

/**
 * Returns the open calls of an answer, except calls blocked by an earlier call of the same answer.
 */
const openCalls = (calls: readonly Call[]): Call[] =>
  calls.filter((call) => call.result === null && !isQueued(calls, call))

const isParked = ({ waiting }: RunState): boolean =>
  waiting?.on === 'subagents' || isStopped(waiting)

/**
 * Returns the next facts if the rest of the step waits for people, or for subagents whose ends are
 * results of the step.
 */
function withinStep(state: RunState, calls: readonly Call[], now: number): RunFact[] {
  const open = openCalls(calls)
  const release = open.some(isHeld) ? releaseOf(state, calls, now) : undefined
  if (release) return state.status === 'waiting' ? [{ type: 'run.resumed' }, release] : [release]
  return closed(state, now, joinDeadline(state), allOpenWait(open))
}

/** Stops the run's clock while all pending work waits for people or a model. */
function closed(
  state: RunState,
  now: number,
  deadline: number | null,
  stops = allWait(state),
): RunFact[] {
  const on = stops ? waitKind(state) : 'subagents'
  if (state.waiting?.on === on && isStopped(state.waiting) === stops) return []
  if (state.status === 'waiting') return [{ type: 'run.resumed' }]
  const until = stops ? personUntil(state, now) : barrierUntil(state, now, deadline)
  return [
    { type: 'run.waiting', on, until, ...(stops && on === 'subagents' ? { stopped: true } : {}) },
  ]
}

function barrierUntil(state: RunState, now: number, until: number | null): number | null {
  const seconds = state.spec?.join.deadline_seconds ?? null
  return until ?? (seconds === null ? (deadline(state) ?? null) : now + seconds * 1000)
}

/** Returns the fact that the run has ended; failed memory writes are retried once before it. */
const atEnd = (state: RunState): RunFact[] => (owesFlush(state) ? [] : [completed(state)])

function completed(state: RunState): RunFact {
  const error = unmet(state)
  if (error) return { type: 'run.failed', stop_reason: 'error', error }
  const step = lastStep(state)
  const schema_error = schemaErrorOf(state)
  const isRefused = step?.finish === 'refusal'
  // The budget ran out before the run's work was complete.
  const began = step === undefined || step.calls.length > 0 || state.barrier_open
  const wantsMore = began || unreadMessages(state) || isRepairWanted(state)
  const cut = wantsMore && exhausted(state)
  const normalEnd = spent(state) ? 'max_steps' : 'end_turn'
  const isCut = step?.finish === 'length'
  const ended = isCut ? (step.is_bounded ? 'budget' : 'max_tokens') : normalEnd
  return {
    type: 'run.completed',
    stop_reason: isRefused ? 'refusal' : cut ? 'budget' : ended,
    output: {
      text: finalText(state),
      structured: step?.structured ?? null,
      attachments: state.attachments,
      ...(schema_error === undefined ? {} : { schema_error }),
    },
  }
}

const cancelled = (state: RunState): RunFact => ({
  type: 'run.cancelled',
  stop_reason: 'cancelled',
  reason: state.cancel?.reason ?? null,
})

function timedOut(state: RunState): RunFact {
  const seconds = state.started?.timeout_seconds
  const message = `The run exceeded ${seconds} seconds of running time.`
  return { type: 'run.timed_out', stop_reason: 'timeout', error: { code: 'timeout', message } }
}
