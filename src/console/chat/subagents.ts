/** Subagents of a conversation: their states, their numbers, and what below them needs a person. */

import type { State } from '../kit/status.tsx'
import {
  type Call,
  costOf,
  endsRun,
  type Question,
  type RunView,
  statusOf,
  type Tree,
} from '../log/shape.ts'

/** A run that waits for a person is in the state `asks`. */
export function stateOfRun(view: RunView): State {
  const { waiting_on } = view
  const needsPerson = waiting_on === 'approval' || waiting_on === 'input'
  const status = statusOf(view)
  return status === 'waiting' && needsPerson ? 'asks' : status
}

export function stateOfCall(call: Call, view: RunView): State {
  const { status } = call
  if (endsRun(view.status) && (status === 'pending' || status === 'running' || status === 'asks'))
    return 'cancelled'
  switch (status) {
    case 'pending':
      return 'queued'
    case 'ok':
      return 'completed'
    case 'error':
      return 'failed'
    case 'refused':
      return 'cancelled'
    default:
      return status
  }
}

/** Approvals that wait in a run or below it, in the order of the log. */
export function pendingIn(tree: Tree, run: string): readonly string[] {
  const view = tree.runs[run]
  if (!view || endsRun(view.status)) return []
  return view.items.flatMap((item) => {
    if (item.kind !== 'call') return []
    const callApprovals = item.status === 'asks' && item.approval ? [item.approval.id] : []
    return [...callApprovals, ...(item.child ? pendingIn(tree, item.child.run_id) : [])]
  })
}

interface OpenQuestion {
  readonly run: string
  readonly question: Question
}

/** Questions that wait for an answer in a run or below it. */
export function questionsIn(tree: Tree, run: string): readonly OpenQuestion[] {
  const view = tree.runs[run]
  if (!view || endsRun(view.status)) return []
  return view.items.flatMap((item) => {
    if (item.kind !== 'call') return []
    const { question, child } = item
    const openQuestions = question && question.outcome === undefined ? [{ run, question }] : []
    return [...openQuestions, ...(child ? questionsIn(tree, child.run_id) : [])]
  })
}

/** The runs above a run, the root first. */
export function ancestorsOf(tree: Tree, run: string): readonly RunView[] {
  const parents: RunView[] = []
  for (let id = run; ; ) {
    const parent = Object.values(tree.runs).find(({ items }) =>
      items.some((item) => item.kind === 'call' && item.child?.run_id === id),
    )
    if (!parent || parents.includes(parent)) return parents
    parents.unshift(parent)
    id = parent.id
  }
}

export interface Numbers {
  readonly state: State
  readonly steps: number
  /** Milliseconds, of a run that has ended. */
  readonly time: number | undefined
  /** RFC 3339, of a live run. */
  readonly since: string | undefined
  readonly tokens: number
  /** US dollars. */
  readonly cost: number | undefined
}

/** As the end was announced; before that, as the log of the subagent has them. */
export function numbersOf(call: Call, parent: RunView, view: RunView | undefined): Numbers {
  const { announce, waits } = call.child ?? {}
  if (announce) {
    const { status, steps, usage, duration_ms: time } = announce
    const tokens = usage.input_tokens + usage.output_tokens
    const state = status as State
    return { state, steps, time, since: undefined, tokens, cost: usage.list_price }
  }
  const callState = stateOfCall(call, parent)
  const usage = view?.usage
  return {
    state: view
      ? stateOfRun(view)
      : waits
        ? 'waiting'
        : callState === 'running'
          ? 'queued'
          : callState,
    steps: view?.steps ?? 0,
    time: undefined,
    since: endsRun(parent.status) ? undefined : (view?.started_at ?? call.since),
    tokens: (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
    cost: usage && costOf(usage, view?.price),
  }
}
