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
export interface Tried {
  readonly model: string
  readonly code: string
  readonly message: string
}

/** With an answer; absent: the run's own model gave it, and took all settings. */
export interface Attempted extends Warned {
  readonly tried?: readonly Tried[]
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

const TOLD = 16

/** All that answers have warned of so far, each once. */
export function toldSoFar(
  told: readonly RunWarning[],
  { model, tried = [], warnings = [] }: Attempted & { readonly model: string },
): readonly RunWarning[] {
  // The reason differs from call to call: one warning for each pair of models.
  const fell = tried.flatMap((one) => {
    const pair = `${model} answered instead of ${one.model}: `
    if (told.some(({ message }) => message.startsWith(pair))) return []
    return [{ code: 'model_fallback', message: `${pair}${one.message}` }]
  })
  const fresh = [...fell, ...warnings].filter(
    ({ code, message }) => !told.some((one) => one.code === code && one.message === message),
  )
  return fresh.length === 0 ? told : [...told, ...fresh].slice(0, TOLD)
}
