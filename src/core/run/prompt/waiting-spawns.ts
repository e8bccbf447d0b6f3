/**
 * Waited spawns: calls whose result is the outcome of their subagent. The call stays open until the
 * subagent ends. When no other work remains in the step, the run parks as at the barrier, under the
 * same join (PROTOCOL.md rule 21a).
 */

import { awaitsPerson } from '../human-input/question.ts'
import type { Announce, BarrierReleased, RunFact } from '../log/facts.ts'
import { breaksJoin, meetsJoin } from '../state/barrier.ts'
import type { Call, RunState } from '../state/state.ts'
import { currentCalls, isHeld } from '../state/state.ts'
import { announcedBody, missingBlock, reports } from './blocks.ts'

/** Returns the result of a spawn call after its subagent ended, or after the wait ended. */
export function endedCall(state: RunState, call: Call): RunFact[] {
  const { child } = call
  if (call.result !== null || !child?.waited) return []
  const { id, tool } = call
  const result = { type: 'tool.result', call: id, tool } as const
  if (child.given_up) {
    const { text } = reports([missingBlock(child, whyReleased(state), state.spec?.join)])
    return [{ ...result, status: 'error', text, duration_ms: 0 }]
  }
  if (child.announce === null) return []
  const { duration_ms } = child.announce
  return [{ ...result, ...answerOf(child.announce), duration_ms }]
}

/** Returns why the barrier released the step's waiting spawns, for their call results. */
const whyReleased = (state: RunState): BarrierReleased['reason'] =>
  isMet(state, currentCalls(state)) ? 'joined' : 'deadline'

const isMet = (state: RunState, calls: readonly Call[]): boolean =>
  meetsJoin(
    state.spec!.join,
    waitedFor(calls).map(({ child }) => child?.announce),
  )

/**
 * Returns the call result's status and text for a subagent's announce. The model sees both in a
 * block with further details.
 */
function answerOf(announce: Announce) {
  const text = announcedBody(announce) ?? announce.error?.message ?? ''
  const status = announce.status === 'completed' ? 'ok' : 'error'
  return { status, text } as const
}

/**
 * Returns the subagent's announce that is this call's result. Returns null if the call gets another
 * result, or has none yet.
 */
export const answeringEnd = ({ child }: Call): Announce | null =>
  child?.waited && !child.given_up ? child.announce : null

/**
 * Returns when the step continues without its remaining subagents. Returns null if only the run's
 * time limit ends the wait.
 */
export function joinDeadline(state: RunState): number | null {
  const seconds = state.spec?.join.deadline_seconds ?? null
  if (seconds === null || state.joining_since === null) return null
  return state.joining_since + seconds * 1000
}

/** Whether all open calls of the step wait for subagents or people, with at least one subagent. */
export const onlyHeld = (open: readonly Call[]): boolean =>
  open.some(isHeld) && open.every((call) => isHeld(call) || awaitsPerson(call))

/** Whether all open calls wait for people or a model, which stops the run's clock. */
export const allOpenWait = (open: readonly Call[]): boolean =>
  open.every((call) => awaitsPerson(call) || call.child?.waits != null)

/**
 * Returns the call whose failed subagent also ends the run under the join. Evaluated only when no
 * other work is in progress.
 */
export const brokenBy = (state: RunState, calls: readonly Call[]): Call | undefined =>
  waitedFor(calls).find(({ child }) => breaksJoin(state.spec!.join, child?.announce))

/** Returns the release of waited spawns, once the join is met or its deadline has passed. */
export function releaseOf(
  state: RunState,
  calls: readonly Call[],
  now: number,
): BarrierReleased | undefined {
  const cohort = waitedFor(calls)
  const until = joinDeadline(state)
  const isJoined = isMet(state, calls)
  if (!isJoined && (until === null || now < until)) return undefined
  const missingIds = cohort.filter(isHeld).map(({ id }) => id)
  const joined = cohort.flatMap(({ id, child }) => (child?.announce ? [id] : []))
  const reason = isJoined ? 'joined' : 'deadline'
  return { type: 'barrier.released', calls: joined, missing: missingIds, reason }
}

const waitedFor = (calls: readonly Call[]): Call[] =>
  calls.filter(({ child }) => child?.waited && !child.given_up)
