/**
 * Folds facts into the state of a fan-out. Each batch of facts is applied to a single copy of the
 * state.
 */

import { assert } from '../../lib/assert.ts'
import { addUsage } from '../message.ts'
import type {
  LoggedFact,
  SubagentAnnounced,
  SubagentFailed,
  SubagentSpawned,
} from '../run/log/facts.ts'
import { enqueueEvents } from '../webhook/subscriptions.ts'
import type { FanoutFact, PageEnded, PageStarted, TerminalFanoutFact } from './facts.ts'
import { isTerminalFanoutFact } from './facts.ts'
import type { FanoutState, Task } from './state.ts'
import { CLOSING, NOT_CREATED, taskOf } from './state.ts'

/**
 * Mutable fan-out state used while a batch of facts is applied: the same fields, with a copied task
 * list.
 */
export type FanoutDraft = { -readonly [K in keyof FanoutState]: FanoutState[K] } & { tasks: Task[] }

export function evolve(state: FanoutState, facts: readonly LoggedFact<FanoutFact>[]): FanoutState {
  if (facts.length === 0) return state
  const draft = draftOf(state)
  for (const entry of facts) apply(draft, entry)
  return draft
}

export const draftOf = (state: FanoutState): FanoutDraft => ({ ...state, tasks: [...state.tasks] })

export function apply(draft: FanoutDraft, { seq, at, fact }: LoggedFact<FanoutFact>): void {
  assert(seq === draft.seq + 1, `fact ${seq} cannot follow ${draft.seq}`)
  draft.seq = seq
  applyFact(draft, fact, at)
  draft.outbox = enqueueEvents(draft, seq, fact)
  if (isTerminalFanoutFact(fact)) ended(draft, fact, at)
}

function applyFact(draft: FanoutDraft, fact: FanoutFact, at: number): void {
  switch (fact.type) {
    case 'fanout.created':
      draft.spec = fact.fanout
      draft.created_at = at
      draft.extended_at = at
      draft.tasks = Array<Task>(fact.fanout.count).fill(NOT_CREATED)
      return
    case 'fanout.extended': {
      const { page, count, tasks, request } = fact
      draft.tasks = [...draft.tasks, { ...NOT_CREATED, page: { page, count, tasks, request } }]
      draft.extended_at = at
      return
    }
    case 'fanout.sealed':
      draft.sealed = true
      return
    case 'subagent.spawned':
    case 'page.started':
      return spawned(draft, fact)
    case 'subagent.announced':
    case 'subagent.failed':
    case 'page.ended':
      return announced(draft, fact)
    case 'barrier.released':
      draft.released = { missing: fact.missing, reason: fact.reason }
      return enqueue(draft, perhapsCreated(draft, unwanted(draft, fact.missing)))
    case 'cancel.requested':
      draft.cancel = { reason: fact.reason }
      return
    case 'fanout.completed':
    case 'fanout.failed':
    case 'fanout.cancelled':
      return
    default:
      fact satisfies never
  }
}

function spawned(
  draft: FanoutDraft,
  { call, run_id, allotment }: SubagentSpawned | PageStarted,
): void {
  const allotted = allotment ? { allotment } : {}
  put(draft, call, { ...taskOf(draft, call), run_id, announce: null, ...allotted })
}

function announced(
  draft: FanoutDraft,
  { call, announce }: SubagentAnnounced | SubagentFailed | PageEnded,
): void {
  const task = taskOf(draft, call)
  assert(task, `task ${call} not found`)
  put(draft, call, { ...task, announce })
  draft.usage = addUsage(draft.usage, announce.usage)
}

function put(draft: FanoutDraft, call: string, task: Task): void {
  if (call === CLOSING) draft.closing = task
  else draft.tasks[Number(call)] = task
}

function ended(draft: FanoutDraft, fact: TerminalFanoutFact, at: number): void {
  draft.status = fact.type.slice('fanout.'.length) as FanoutState['status']
  draft.ended_at = at
  if (draft.spec?.parent) draft.outbox = { ...draft.outbox, parent: true }
  if (draft.spec?.trace?.exported) draft.outbox = { ...draft.outbox, trace: true }
  if (fact.type === 'fanout.completed') return void (draft.output = fact.output)
  if (fact.type === 'fanout.failed') draft.error = fact.error
  enqueue(draft, perhapsCreated(draft, allChildren(draft)))
}

const allChildren = (state: FanoutState): string[] => {
  const tasks = [...state.tasks.keys()].map(String)
  return state.released && state.spec?.closing ? [...tasks, CLOSING] : tasks
}

/**
 * Returns those of the named children that are active or that a worker may currently be creating.
 * Tasks are created in order, at most `live_children` ahead of the ended ones. Any later task was
 * never created and needs no tombstone (PROTOCOL.md rule 16).
 */
function perhapsCreated(state: FanoutState, calls: readonly string[]): string[] {
  const ended = state.tasks.filter(({ announce }) => announce !== null).length
  const reach = ended + (state.spec?.live_children ?? 0)
  return calls.filter((call) => {
    const task = taskOf(state, call)
    if (!task || task.announce !== null) return false
    return task.run_id !== null || call === CLOSING || Number(call) < reach
  })
}

/**
 * Returns the children that must not start. Live children continue, but a child whose creation is
 * not recorded never starts.
 */
const unwanted = (state: FanoutState, missing: readonly string[]): readonly string[] =>
  state.spec?.join.cancel_rest
    ? missing
    : missing.filter((call) => taskOf(state, call)?.run_id === null)

function enqueue(draft: FanoutDraft, cancel: readonly string[]): void {
  const all = new Set([...draft.outbox.cancel, ...cancel])
  draft.outbox = { ...draft.outbox, cancel: [...all] }
}
