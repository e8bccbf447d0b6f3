/**
 * State machine of a fan-out. It creates tasks as slots become free and receives their ends as
 * mail. It opens the barrier by the same rules as a run, and then starts the closing run or ends.
 */

import { recordLateResult } from '../late-results.ts'
import type { Machine } from '../machine.ts'
import { attachedIn } from '../run/log/attachments.ts'
import type {
  Announce,
  LoggedFact,
  RunError,
  SubagentAnnounced,
  SubagentFailed,
} from '../run/log/facts.ts'
import { RECHECK_MS } from '../run/machine.ts'
import { breaksJoin, meetsJoin } from '../run/state/barrier.ts'
import { isSubscribed } from '../webhook/subscriptions.ts'
import { affordable } from './budget.ts'
import { childOf } from './child.ts'
import { evolve, type FanoutDraft } from './evolve.ts'
import type { FanoutFact, PageEnd, PageEnded } from './facts.ts'
import { mayExtend, maySeal } from './open.ts'
import type { FanoutState } from './state.ts'
import {
  CLOSING,
  fanoutDeadline,
  INITIAL_FANOUT,
  isLiveTask,
  nextEnd,
  room,
  sealBy,
  taskCounts,
  taskOf,
} from './state.ts'

/**
 * Effects of a fan-out. All of them have external consequences, so none runs while facts are
 * uncommitted.
 */
export type FanoutEffect =
  | { readonly kind: 'spawn'; readonly id: string; readonly index: number }
  /** Notifies the open fan-out that this page has ended. */
  | { readonly kind: 'parent'; readonly id: string }
  /** Exports the trace span of the ended fan-out. */
  | { readonly kind: 'trace'; readonly id: string }
  /** Creates the closing run of the fan-out. */
  | { readonly kind: 'close'; readonly id: string }
  | { readonly kind: 'webhook'; readonly id: string; readonly seq: number }
  /** Sends the log's events, starting at `seq`, to the tenant's endpoints. */
  | { readonly kind: 'events'; readonly id: string; readonly seq: number }
  | { readonly kind: 'cancel'; readonly id: string; readonly call: string }
  /** Reports a task that ended after its fan-out. */
  | { readonly kind: 'late'; readonly id: string; readonly call: string }

function decide(state: FanoutState, now: number): readonly FanoutFact[] {
  const { spec, cancel, closing, released } = state
  if (spec === null || state.ended_at !== null) return []
  const ended = { children: taskCounts(state), usage: state.usage }
  if (cancel) {
    const { reason } = cancel
    return state.busy > 0 ? [] : [{ type: 'fanout.cancelled', reason, ...ended }]
  }
  if (released === null) return barrier(state, now)
  if (spec.closing === null) return [{ type: 'fanout.completed', output: null, ...ended }]
  const announce = closing.announce
  if (announce === null || 'children' in announce) return []
  if (announce.status === 'completed') {
    const { run_id, result, structured } = announce
    const output = { run_id, text: result ?? '', structured, ...attachedIn(announce) }
    return [{ type: 'fanout.completed', output, ...ended }]
  }
  const detail = announce.error?.message ?? `Its status is ${announce.status}.`
  const message = `The closing run ${announce.run_id} did not complete. ${detail}`
  return [{ type: 'fanout.failed', error: { code: 'closing_run_failed', message }, ...ended }]
}

function barrier(state: FanoutState, now: number): FanoutFact[] {
  const { join, open } = state.spec!
  const ends = state.tasks.map(({ announce }) => announce)
  const failedIndex = ends.findIndex((end) => breaksJoin(join, end))
  if (failedIndex >= 0) {
    const message = `Task ${failedIndex} did not complete, and its join policy fails the fan-out.`
    return failed(state, pageError(ends[failedIndex]) ?? { code: 'child_failed', message })
  }
  const names = (isEnded: boolean): string[] =>
    ends.flatMap((end, index) => ((end !== null) === isEnded ? [String(index)] : []))
  const release = (reason: 'joined' | 'deadline' | 'budget'): FanoutFact => {
    return { type: 'barrier.released', calls: names(true), missing: names(false), reason }
  }
  const isComplete = !open || state.sealed
  if (isComplete && (ends.every((end) => end !== null) || meetsJoin(join, ends)))
    return [release(ends.some(isSpentPage) ? 'budget' : 'joined')]
  const end = fanoutDeadline(state)
  if (end !== undefined && now >= end) return [release('deadline')]
  if (isComplete && isSpent(state)) return [release('budget')]
  return now >= (sealBy(state) ?? Number.POSITIVE_INFINITY) ? failed(state, NOT_SEALED) : []
}

const NOT_SEALED: RunError = {
  code: 'not_sealed',
  message: 'The fan-out was not sealed and received no page for a day.',
}

function failed(state: FanoutState, error: RunError): FanoutFact[] {
  return [{ type: 'fanout.failed', error, children: taskCounts(state), usage: state.usage }]
}

/** Returns the error of a page that failed because of a task. */
const pageError = (end: Announce | PageEnd | null | undefined): RunError | null =>
  end && 'children' in end ? end.error : null

const isSpentPage = (end: Announce | PageEnd | null): boolean =>
  end !== null && 'children' in end && end.spent === true

/**
 * Whether the budget is spent: no active child can return a share, and the remaining amount is too
 * small for another task.
 */
const isSpent = (state: FanoutState): boolean =>
  affordable(state) < 1 && state.busy === 0 && !state.tasks.some(isLiveTask)

function pendingEffects(state: FanoutState, now: number): readonly FanoutEffect[] {
  if (state.spec === null) return []
  const { events = null, late = [] } = state.outbox
  const outbox: FanoutEffect[] = [
    ...(events === null ? [] : [{ kind: 'events', id: `events ${events}`, seq: events } as const]),
    ...state.outbox.webhook.map((seq) => ({ kind: 'webhook', id: `webhook ${seq}`, seq }) as const),
    ...state.outbox.cancel.map((call) => ({ kind: 'cancel', id: `cancel ${call}`, call }) as const),
    ...late.map(({ call }) => ({ kind: 'late', id: `late ${call}`, call }) as const),
    ...(state.outbox.parent ? [{ kind: 'parent', id: 'parent' } as const] : []),
    ...(state.outbox.trace ? [{ kind: 'trace', id: 'trace' } as const] : []),
  ]
  if (state.ended_at !== null || state.cancel) return outbox
  if (state.released) {
    const closes = state.spec.closing !== null && state.closing.run_id === null
    return closes ? [...outbox, { kind: 'close', id: 'close' }] : outbox
  }
  const end = fanoutDeadline(state)
  return end !== undefined && now >= end ? outbox : [...outbox, ...spawns(state)]
}

/** Returns effects that start the next tasks, in order and at most one per free slot. */
function spawns(state: FanoutState): FanoutEffect[] {
  const effects: FanoutEffect[] = []
  const places = Math.min(room(state), affordable(state))
  for (const [index, { run_id }] of state.tasks.entries()) {
    if (effects.length >= places) break
    if (run_id === null) effects.push({ kind: 'spawn', id: `spawn ${index}`, index })
  }
  return effects
}

/** Whether an observation that arrived late can still become a fact. */
function accepts(state: FanoutState, fact: FanoutFact): boolean {
  if (fact.type === 'fanout.created') return state.spec === null
  if (state.spec === null || state.ended_at !== null) return false
  switch (fact.type) {
    case 'fanout.extended':
      return mayExtend(state, fact)
    case 'fanout.sealed':
      return maySeal(state, fact)
    case 'subagent.spawned':
    case 'page.started':
      return taskOf(state, fact.call)?.run_id === null
    case 'subagent.announced':
    case 'subagent.failed':
    case 'page.ended': {
      const task = taskOf(state, fact.call)
      return task?.announce === null && task.run_id === fact.announce.run_id
    }
    case 'cancel.requested':
      return state.cancel === null
    // A pass derives these facts from the preceding state; a poisoned run receives its end from
    // outside.
    case 'barrier.released':
    case 'fanout.completed':
    case 'fanout.failed':
    case 'fanout.cancelled':
      return true
    // Mail from a later release is kept in the log, where the later release reads it.
    default:
      fact satisfies never
      return true
  }
}

/**
 * Whether a task's end can no longer become a fact. It arrived after the fan-out's terminal fact,
 * or after the barrier opened and without a recorded start.
 */
export function isLate(state: FanoutState, fact: FanoutFact): fact is TaskEnd {
  if (!isEnd(fact)) return false
  const { call, announce } = fact
  const task = state.spec && taskOf(state, call)
  if (!task || task.announce !== null || state.late_results.ends[call] !== undefined) return false
  const unknown = task.run_id === null && state.released !== null && call !== CLOSING
  if (state.ended_at === null && !unknown) return false
  return announce.run_id === childOf(state.spec!, call)
}
type TaskEnd = Extract<FanoutFact, SubagentAnnounced | SubagentFailed | PageEnded>

const isEnd = (fact: FanoutFact): fact is TaskEnd =>
  ['subagent.announced', 'subagent.failed', 'page.ended'].includes(fact.type)

/**
 * Records a late result as dropped, because no run continues after a fan-out has ended. The task's
 * own run keeps the result.
 */
export function recordLate(draft: FanoutDraft, fact: FanoutFact, at: number): void {
  if (isLate(draft, fact))
    recordLateResult(draft, fact, { at, mustTell: mustTellLate(draft, fact), drops: true })
}

export const mustTellLate = (state: FanoutState, fact: FanoutFact): boolean =>
  isLate(state, fact) && isSubscribed(state, fact)

/**
 * Whether mail comes from a child whose creation is not recorded yet; the mail then waits for that
 * record.
 */
export function isEarly(state: FanoutState, fact: FanoutFact): boolean {
  if (!('call' in fact) || state.ended_at !== null) return false
  if (state.released !== null && fact.call !== CLOSING) return false
  return taskOf(state, fact.call)?.run_id === null
}

function wakeAt(state: FanoutState, now: number): number | undefined {
  if (state.spec === null) return undefined
  if (state.busy > 0 || pendingEffects(state, now).length > 0) return now + RECHECK_MS
  if (state.ended_at !== null) return undefined
  return nextEnd(state) ?? now + RECHECK_MS
}

export const fanoutMachine: Machine<
  FanoutState,
  LoggedFact<FanoutFact>,
  FanoutEffect,
  FanoutFact
> = {
  initial: INITIAL_FANOUT,
  evolve,
  decide,
  pendingEffects,
  accepts,
  wakeAt,
}
