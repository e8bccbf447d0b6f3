/**
 * Subagents of a conversation: states, metrics, and requests of their descendants that need a
 * person.
 */

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

/** Returns the state of a run to display; a run that waits for a person has the state `asks`. */
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

/** Returns the pending approvals of a run and its descendants, in log order. */
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

/** Returns the open questions of a run and its descendants. */
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

/** Returns the ancestors of a run, the root first. */
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
  /** Duration of the subagent's run in milliseconds, if the run has ended. */
  readonly time: number | undefined
  /** Start time of the subagent's run in RFC 3339 format, if the run is live. */
  readonly since: string | undefined
  readonly tokens: number
  /** Cost of the subagent's run in US dollars. */
  readonly cost: number | undefined
}

/**
 * Returns the metrics of a subagent: from its end event if it has ended, otherwise from its log.
 */
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
