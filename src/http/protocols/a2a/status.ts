/** Derives a task's states from its run's log: one state for each fact that changes the state. */

import type { ApprovalRequested } from '../../../core/run/log/approval-facts.ts'
import type { LoggedFact, RunFact } from '../../../core/run/log/facts.ts'
import { isTerminalFact } from '../../../core/run/log/facts.ts'
import type { Question } from '../../../core/run/log/question-facts.ts'
import type { RunWaiting } from '../../../core/run/log/waiting-facts.ts'
import { type EndedState, ending } from '../../../core/run/views/task-state.ts'
import { iso } from '../../../lib/time.ts'
import { questionText } from '../../turn/question.ts'

type TaskState = 'SUBMITTED' | 'WORKING' | 'INPUT_REQUIRED' | 'AUTH_REQUIRED' | EndedState

export interface Status {
  readonly seq: number
  readonly at: number
  readonly state: TaskState
  /** Text that describes the state to users. */
  readonly text?: string
}

const ENDED: readonly TaskState[] = ['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED']
export const hasEnded = ({ state }: Status): boolean => ENDED.includes(state)
/** Reports whether the task continues only after an external action. */
export const isInterrupted = ({ state }: Status): boolean =>
  state === 'INPUT_REQUIRED' || state === 'AUTH_REQUIRED'

/** Returns the task's states in log order; every run has at least one state. */
export function statusesOf(facts: readonly LoggedFact<RunFact>[]): Status[] {
  const statuses: Status[] = []
  const questions = new Map<string, readonly Question[]>()
  const approvals = new Map<string, ApprovalRequested>()
  for (const { seq, at, fact } of facts) {
    const turn = (state: TaskState, text?: string): void => {
      const previous = statuses.at(-1)
      if (previous?.state === state && previous.text === text) return
      statuses.push({ seq, at, state, ...(text === undefined ? {} : { text }) })
    }
    if (fact.type === 'run.created') turn('SUBMITTED')
    if (fact.type === 'question.asked') questions.set(fact.call, fact.questions)
    if (fact.type === 'question.answered') questions.delete(fact.call)
    if (fact.type === 'approval.requested') approvals.set(fact.id, fact)
    if (fact.type === 'approval.decided') approvals.delete(fact.id)
    if (fact.type === 'run.started' || fact.type === 'run.resumed') turn('WORKING')
    if (fact.type === 'run.waiting' && fact.on === 'input')
      turn('INPUT_REQUIRED', askedIn([...questions.values()].flat()))
    if (fact.type === 'run.waiting' && fact.on === 'approval')
      turn('AUTH_REQUIRED', approvalsIn([...approvals.values()]))
    if (fact.type === 'run.waiting' && fact.on === 'function') turn('WORKING', FOR_FUNCTION)
    if (fact.type === 'run.waiting' && fact.on === 'model') turn('WORKING', outageIn(fact))
    if (isTerminalFact(fact)) turn(...ending(fact))
  }
  return statuses
}

const FOR_FUNCTION = 'The run is waiting for a function result from the program that started it.'

const outageIn = ({ error, gives_up_at }: RunWaiting): string => {
  const end = gives_up_at === undefined ? '' : ` until ${iso(gives_up_at)}`
  return `The model is unavailable; the run retries${end}. ${error?.message ?? ''}`.trim()
}

const askedIn = (questions: readonly Question[]): string =>
  questions.length === 0
    ? 'A subagent or a caller tool is waiting for an answer.'
    : questions.map(questionText).join('\n\n')

const approvalsIn = (approvals: readonly ApprovalRequested[]): string =>
  approvals.length === 0
    ? 'A subagent is waiting for approval; see GET /v1/approvals.'
    : approvals
        .map(
          ({ id, tool, reason }) =>
            `${tool} requires approval; decide with POST /v1/approvals/${id}/decision ` +
            `(${reason}).`,
        )
        .join('\n')
