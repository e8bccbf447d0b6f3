/**
 * Pending effects of a run. An effect keeps its ID until it is acknowledged. Only `start`, `model`,
 * and `prepare` may run while facts are uncommitted, because they have no external consequences.
 */

import { mayProceed } from '../human-input/approval.ts'
import { owesFlush } from '../prompt/compaction.ts'
import { repairDue } from '../prompt/structured-output.ts'
import { barrier } from '../state/barrier.ts'
import { expired, startsAt } from '../state/begin.ts'
import { exhausted, startable } from '../state/budget.ts'
import type { Call, RunState } from '../state/state.ts'
import {
  awaitsSpawn,
  currentCalls,
  deadline,
  isTerminal,
  lastStep,
  liveChildren,
} from '../state/state.ts'
import { isLastCall, mustAnswer } from './decide.ts'
import { isInTurn } from './turns.ts'

export type Effect =
  | { readonly kind: 'start'; readonly id: string }
  /** Calls the model for `step`; the last call is made without tools. */
  | { readonly kind: 'model'; readonly id: string; readonly step: number; readonly last: boolean }
  /** Saves the model's lasting notes to memory before the conversation is compacted. */
  | { readonly kind: 'flush'; readonly id: string; readonly step: number }
  | { readonly kind: 'tool'; readonly id: string; readonly call: string; readonly once: boolean }
  | { readonly kind: 'spawn'; readonly id: string; readonly call: string }
  /**
   * Sends outbox messages: notifies the parent, session, schedule, or webhook, or cancels a child.
   */
  | { readonly kind: 'announce'; readonly id: string }
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'schedule'; readonly id: string }
  /** Exports the trace spans of the ended log. */
  | { readonly kind: 'trace'; readonly id: string }
  | { readonly kind: 'webhook'; readonly id: string; readonly seq: number }
  /** Sends the log's events, starting at `seq`, to the tenant's endpoints. */
  | { readonly kind: 'events'; readonly id: string; readonly seq: number }
  | { readonly kind: 'cancel'; readonly id: string; readonly call: string }
  /** Determines what a write call will change. */
  | { readonly kind: 'prepare'; readonly id: string; readonly call: string }
  /** Reports a child that ended after its parent had ended. */
  | { readonly kind: 'late'; readonly id: string; readonly call: string }
  /** Notifies the parent that the run waits for a person, or no longer does. */
  | { readonly kind: 'notice'; readonly id: string; readonly seq: number }

export const needsCommit = (effect: Effect): boolean =>
  effect.kind !== 'start' && effect.kind !== 'model' && effect.kind !== 'prepare'

export function pendingEffects(state: RunState, now: number): readonly Effect[] {
  if (state.spec === null) return []
  const outbox = outboxEffects(state)
  if (isTerminal(state) || state.cancel) return outbox
  if (expired(state, now)) return outbox
  const end = deadline(state)
  if (end !== undefined && now >= end) return outbox
  return [...outbox, ...workEffects(state, now)]
}

function outboxEffects(state: RunState): Effect[] {
  const { parent, session, schedule, webhook, cancel, notice, events, late = [] } = state.outbox
  const { trace } = state.outbox
  return [
    ...(notice == null ? [] : [{ kind: 'notice', id: `notice ${notice}`, seq: notice } as const]),
    ...(parent ? [{ kind: 'announce', id: 'announce' } as const] : []),
    ...(session && isTerminal(state) ? [{ kind: 'session', id: 'session' } as const] : []),
    ...(schedule ? [{ kind: 'schedule', id: 'schedule' } as const] : []),
    ...(trace ? [{ kind: 'trace', id: 'trace' } as const] : []),
    ...webhook.map((seq) => ({ kind: 'webhook', id: `webhook ${seq}`, seq }) as const),
    ...(events == null ? [] : [{ kind: 'events', id: `events ${events}`, seq: events } as const]),
    ...cancel.map((call) => ({ kind: 'cancel', id: `cancel ${call}`, call }) as const),
    ...late.map(({ call }) => ({ kind: 'late', id: `late ${call}`, call }) as const),
  ]
}

function workEffects(state: RunState, now: number): Effect[] {
  if (state.waiting?.on === 'session') return []
  if (startsAt(state, now) !== undefined) return []
  if (state.started === null) return [{ kind: 'start', id: 'start' }]
  if (state.waiting?.on === 'model') return []
  const step = lastStep(state)
  const over = exhausted(state)
  if (step === undefined || state.barrier_open) return over ? flush(state) : [model(state)]
  const calls = currentCalls(state)
  if (calls.every((call) => call.result !== null)) {
    if (calls.length === 0) {
      const repairs = repairDue(state) && barrier(state, now).kind === 'clear'
      return mustAnswer(state) || repairs ? [model(state)] : flush(state)
    }
    if (over) return flush(state)
    // The last call, which is made without tools, also waits for subagents.
    return isLastCall(state) && barrier(state, now).kind !== 'clear' ? [] : [model(state)]
  }
  const tools: Effect[] = calls.flatMap((call) =>
    call.result === null && call.intent !== null && call.mode !== 'spawn'
      ? [{ kind: 'tool', id: toolId(call), call: call.id, once: call.mode === 'once' }]
      : [],
  )
  return [...prepares(calls), ...tools, ...spawns(state)]
}

/** Returns the effect ID of a tool call; the continuation of a paused call is a separate effect. */
const toolId = ({ id, pauses = [] }: Call): string =>
  pauses.length === 0 ? `tool ${id}` : `tool ${id}.${pauses.length}`

/**
 * Returns effects that prepare writes one after the other, so that each write sees the changes of
 * the previous write.
 */
function prepares(calls: readonly Call[]): Effect[] {
  const next = calls.find(
    (call) => call.mode === 'write' && call.result === null && isInTurn(calls, call),
  )
  if (!next || next.intent !== null) return []
  return [{ kind: 'prepare', id: `prepare ${next.id}`, call: next.id }]
}

const model = (state: RunState): Effect => {
  const [first] = flush(state)
  if (first) return first
  const step = state.steps.length
  return { kind: 'model', id: `model ${step}.${state.attempts}`, step, last: isLastCall(state) }
}

/**
 * Returns the effect that saves notes to memory. Failed memory entries wait for the next step or
 * the run's end.
 */
function flush(state: RunState): Effect[] {
  if (!owesFlush(state)) return []
  const step = state.steps.length
  return [{ kind: 'flush', id: `flush ${step}.${state.flush?.at}`, step }]
}

/**
 * Returns effects that create children, up to the maximum number and the budget's slices. Further
 * children are created as others end (PROTOCOL.md rules 19, 23).
 */
function spawns(state: RunState): Effect[] {
  const room = (state.spec?.limits.live_children ?? 0) - liveChildren(state).length
  const due = currentCalls(state).filter((call) => awaitsSpawn(call) && mayProceed(call))
  const spawnCount = Math.max(0, Math.min(room, due.length))
  return due
    .slice(0, spawnCount === 0 ? 0 : startable(state, spawnCount))
    .map((call) => ({ kind: 'spawn', id: `spawn ${call.id}`, call: call.id }) as const)
}
