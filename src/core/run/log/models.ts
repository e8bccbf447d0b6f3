/**
 * A run's model and the fallbacks of its alias. Each answer records the models that were tried
 * before, and the run warns about them.
 */

import type { ModelSettings } from '../../model-settings.ts'
import type { Priced, RunWarning, Warned } from './fact-parts.ts'

/** A model that a step may ask. */
export interface StepModel extends Priced {
  readonly model: string
  readonly window: number
}

export interface Chained {
  /** Fallbacks in order of preference; absent: none. */
  readonly fallbacks?: readonly StepModel[]
}

/** A model that was tried before and was unavailable, or whose window was too small. */
export interface ModelAttempt {
  readonly model: string
  readonly code: string
  readonly message: string
}

/** With an answer; absent: the run's own model gave it, and took all settings. */
export interface Attempted extends Warned {
  readonly tried?: readonly ModelAttempt[]
}

/** Requested settings of a run. */
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
