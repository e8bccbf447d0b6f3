/**
 * Detects a model that repeats a rejected call; the run then requests a final answer without tools.
 */

import type { RunState } from '../state/state.ts'
import { callOf } from '../state/state.ts'

/** Prefix of the error for a call that was repeated too often. */
export const LOOP_REFUSAL = 'loop: '
/**
 * Number of consecutive rejected steps after which the run ends the loop; the first rejection tells
 * the model to stop.
 */
const REFUSED_STEPS = 2

/** Returns whether every call of the last two answers was rejected as a repetition. */
export function isLooping({ steps, calls }: Pick<RunState, 'steps' | 'calls'>): boolean {
  if (steps.length < REFUSED_STEPS) return false
  return steps
    .slice(-REFUSED_STEPS)
    .every((step) => step.calls.length > 0 && step.calls.every((id) => isRepetition(id)))
  function isRepetition(id: string): boolean {
    return callOf({ calls }, id)?.refusal?.startsWith(LOOP_REFUSAL) === true
  }
}
