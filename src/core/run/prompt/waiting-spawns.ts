/**
 * Waited spawns: calls that are answered by the ends of their subagents. Such a call stays open
 * meanwhile; when nothing else of the step is left to do, the run parks as it does at the barrier,
 * under the same join (protocol rule 21a).
 */

import { awaitsPerson } from '../human-input/question.ts'
import type { Announce, BarrierReleased, RunFact } from '../log/facts.ts'
import { breaksJoin, meetsJoin } from '../state/barrier.ts'
import type { Call, RunState } from '../state/state.ts'
import { currentCalls, isHeld } from '../state/state.ts'
import { announcedBody, missingBlock, reports } from './blocks.ts'

/** The result that follows from the end of the subagent, or from the end of the wait for it. */
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

/** The barrier's reason applies to its waiting spawns and is stated in their results. */
const whyReleased = (state: RunState): BarrierReleased['reason'] =>
  isMet(state, currentCalls(state)) ? 'joined' : 'deadline'

const isMet = (state: RunState, calls: readonly Call[]): boolean =>
  meetsJoin(
    state.spec!.join,
    waitedFor(calls).map(({ child }) => child?.announce),
  )

/** Returns the bare answer; the model sees it in a block with its circumstances. */
function answerOf(announce: Announce) {
  const text = announcedBody(announce) ?? announce.error?.message ?? ''
  const status = announce.status === 'completed' ? 'ok' : 'error'
  return { status, text } as const
}

/** The end that answers this call; null: something else does, or nothing yet. */
export const answeringEnd = ({ child }: Call): Announce | null =>
  child?.waited && !child.given_up ? child.announce : null

/** Returns when the step continues without the rest; null: only the run's time limit ends it. */
export function joinDeadline(state: RunState): number | null {
  const seconds = state.spec?.join.deadline_seconds ?? null
  if (seconds === null || state.joining_since === null) return null
  return state.joining_since + seconds * 1000
}

/** Only time, people and subagents are left in this step, and at least one of the last. */
export const onlyHeld = (open: readonly Call[]): boolean =>
  open.some(isHeld) && open.every((call) => isHeld(call) || awaitsPerson(call))

/** Whether everything pending waits for people or a model, which stops the run's clock. */
export const allOpenWait = (open: readonly Call[]): boolean =>
  open.every((call) => awaitsPerson(call) || call.child?.waits != null)

/** The subagent whose end the join makes the run's; it is judged when nothing else is under way. */
export const brokenBy = (state: RunState, calls: readonly Call[]): Call | undefined =>
  waitedFor(calls).find(({ child }) => breaksJoin(state.spec!.join, child?.announce))

/** The release of those that need not be waited for any longer. */
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
