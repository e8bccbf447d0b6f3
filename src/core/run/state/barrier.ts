/**
 * Barrier at which a parent with no other work waits for its subagents. It is a predicate over the
 * log, not a counter, so that a duplicate or lost wake cannot break it (PROTOCOL.md rule 21).
 */

import type { Announce, Join } from '../log/facts.ts'
import type { Call, InputEntry, RunState } from './state.ts'
import { isLive, lastStep, spawnCalls } from './state.ts'

export type BarrierView =
  /** Barrier state without children to wait for and without new reports. */
  | { readonly kind: 'clear' }
  /**
   * Barrier state of a waiting parent; at `until` (ms), the barrier is released without the
   * remaining children.
   */
  | { readonly kind: 'closed'; readonly until: number | null }
  | { readonly kind: 'released'; readonly calls: string[]; readonly missing: string[] }
  | { readonly kind: 'deadline'; readonly calls: string[]; readonly missing: string[] }
  /** Barrier state after the failure of a child that the join propagates to the parent. */
  | { readonly kind: 'failed'; readonly call: Call }

export function barrier(state: RunState, now: number): BarrierView {
  const spawns = spawnCalls(state)
  const pending = spawns.filter(isLive)
  const unseen = unseenEntries(state).filter((entry) => entry.kind !== 'message' && !entry.late)
  if (pending.length === 0 && unseen.length === 0) return { kind: 'clear' }
  // Subagents whose outcomes are call results have a separate join (`waiting-spawns.ts`).
  const cohort = spawns.slice(state.cohort_from).filter(({ child }) => !child?.waited)
  const brokenCall = failsParent(state, cohort)
  if (brokenCall) return { kind: 'failed', call: brokenCall }
  const calls = inCallOrder(state, unseen)
  const missing = pending.map((call) => call.id)
  if (pending.length === 0 || joined(state, cohort)) return { kind: 'released', calls, missing }
  const until = barrierDeadline(state)
  if (until !== null && now >= until) return { kind: 'deadline', calls, missing }
  return { kind: 'closed', until }
}

/** Returns the pending input entries that no model call has seen yet. */
function unseenEntries(state: RunState): readonly InputEntry[] {
  return state.pending_input.slice(lastStep(state)?.seen ?? 0)
}

/** Whether there are external messages that no model call has seen, to be answered first. */
export const unreadMessages = (state: RunState): boolean =>
  unseenEntries(state).some((entry) => entry.kind === 'message')

/**
 * Returns when a waiting parent continues without its remaining children. Returns null if only the
 * parent's time limit ends the wait.
 */
export function barrierDeadline(state: RunState): number | null {
  const seconds = state.spec?.join.deadline_seconds ?? null
  if (seconds === null || state.barrier_since === null) return null
  return state.barrier_since + seconds * 1000
}

/**
 * Whether the ended children meet the join before all have ended. Policies `any` and `quorum` count
 * only successful children.
 */
export function meetsJoin({ policy }: Join, ends: readonly (End | null | undefined)[]): boolean {
  if (policy === 'all') return false
  const successes = ends.filter((end) => end?.status === 'completed').length
  return successes >= (policy === 'any' ? 1 : policy.quorum)
}

/** Whether a child's failure also ends the parent under the join. */
export const breaksJoin = (join: Join, end: End | null | undefined): boolean =>
  join.on_child_failure === 'fail' && end != null && end.status !== 'completed'

type End = Pick<Announce, 'status'>

const joined = (state: RunState, cohort: readonly Call[]): boolean =>
  meetsJoin(
    state.spec!.join,
    cohort.map(({ child }) => child?.announce),
  )

const failsParent = (state: RunState, cohort: readonly Call[]): Call | undefined =>
  cohort.find(({ child }) => breaksJoin(state.spec!.join, child?.announce))

function inCallOrder(state: RunState, entries: readonly InputEntry[]): string[] {
  const callIds = new Set(entries.flatMap((entry) => ('call' in entry ? [entry.call] : [])))
  return [...state.calls.keys()].filter((id) => callIds.has(id))
}
