/**
 * The models of a run: its own, and those of the same alias that are asked when it does not answer.
 * Each answer says who was asked before, and the run warns of it.
 */

import type { ModelSettings } from '../../model-settings.ts'
import type { Priced, RunWarning, Warned } from './fact-parts.ts'

/** A model that a step may ask. */
export interface StepModel extends Priced {
  readonly model: string
  readonly window: number
}

export interface Chained {
  /** Asked in this order when the run's own model does not answer. Absent: there are none. */
  readonly fallbacks?: readonly StepModel[]
}

/** A model that was asked before and did not answer, or would not have taken the conversation. */
export interface ModelAttempt {
  readonly model: string
  readonly code: string
  readonly message: string
}

/** With an answer; absent: the run's own model gave it, and took all settings. */
export interface Attempted extends Warned {
  readonly tried?: readonly ModelAttempt[]
}

/** Settings of a run, as it was asked for. */
export interface Tuned {
  readonly model_settings?: ModelSettings
}

/** The models in the order in which a step asks them. */
export const chainOf = ({
  model,
  window,
  price,
  fallbacks = [],
}: StepModel & Chained): StepModel[] => [
  { model, window, ...(price ? { price } : {}) },
  ...fallbacks,
]

const MAX_WARNINGS = 16

/** All that answers have warned of so far, each once. */
export function toldSoFar(
  reported: readonly RunWarning[],
  { model, tried: attempts = [], warnings = [] }: Attempted & { readonly model: string },
): readonly RunWarning[] {
  // The reason differs from call to call: one warning for each pair of models.
  const fell = attempts.flatMap((attempt) => {
    const pair = `${model} answered instead of ${attempt.model}: `
    if (reported.some(({ message }) => message.startsWith(pair))) return []
    return [{ code: 'model_fallback', message: `${pair}${attempt.message}` }]
  })
  const fresh = [...fell, ...warnings].filter(
    ({ code, message }) =>
      !reported.some((warning) => warning.code === code && warning.message === message),
  )
  return fresh.length === 0 ? reported : [...reported, ...fresh].slice(0, MAX_WARNINGS)
}
