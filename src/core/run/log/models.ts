/**
 * Model of a run, and the fallbacks of its alias. Each answer records the models tried before it,
 * and the run warns about these.
 */

import type { ModelSettings } from '../../model-settings.ts'
import type { Priced, RunWarning, Warned } from './fact-parts.ts'

/** Model that a step of the run may call. */
export interface StepModel extends Priced {
  readonly model: string
  readonly window: number
}

export interface Chained {
  /** Fallback models in order of preference; absent if there are none. */
  readonly fallbacks?: readonly StepModel[]
}

/**
 * Model that was tried before the answering model and was unavailable, or whose window was too
 * small.
 */
export interface ModelAttempt {
  readonly model: string
  readonly code: string
  readonly message: string
}

/**
 * Model attempts recorded with an answer; absent if the run's own model answered and accepted all
 * settings.
 */
export interface Attempted extends Warned {
  readonly tried?: readonly ModelAttempt[]
}

/** Model settings requested for a run. */
export interface Tuned {
  readonly model_settings?: ModelSettings
}

/** Returns the run's models in the order in which a step tries them. */
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

/** Returns the distinct warnings of all answers so far, so that none is repeated. */
export function toldSoFar(
  reported: readonly RunWarning[],
  { model, tried: attempts = [], warnings = [] }: Attempted & { readonly model: string },
): readonly RunWarning[] {
  // Reasons for a fallback differ between calls, so only one warning is kept per pair of models.
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
