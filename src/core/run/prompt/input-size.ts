/**
 * Compares the estimated size of a run's input with the windows of its models, before anything is
 * sent.
 */

import { byteLength } from '../../../lib/bytes.ts'
import { type Body, isRef } from '../../message.ts'
import type { RunWarning } from '../log/fact-parts.ts'
import { comfortable, TOKEN_BYTES } from './compaction.ts'

interface Windowed {
  readonly id: string
  /** Size of the model's window in tokens. */
  readonly window: number
  readonly window_assumed?: true
}

interface InputSize {
  /** Whether the input alone exceeds the widest window, if that window is known. */
  readonly isBeyond: boolean
  /**
   * Warning about an input that leaves little space in the window or may exceed it; otherwise
   * undefined.
   */
  readonly warning: RunWarning | undefined
  /** Sentence with the estimated size and the window, without a final period. */
  readonly sentence: string
}

const HINT =
  'Send less text, put it in a file that the run reads in parts, or choose a model with ' +
  'a larger context window'

/**
 * Estimates the size of an input. `models` are the run's own model and its fallbacks; the widest of
 * their windows counts.
 */
export function inputSize(texts: readonly Body[], models: readonly Windowed[]): InputSize {
  const bytes = texts.reduce((sum, text) => sum + (isRef(text) ? text.bytes : byteLength(text)), 0)
  const tokens = Math.ceil(bytes / TOKEN_BYTES)
  const { id, window, window_assumed } = models.reduce((widest, model) =>
    model.window > widest.window ? model : widest,
  )
  const assumed = window_assumed ? ' (assumed because the actual size is unknown)' : ''
  const sentence =
    `The input has an estimated ${tokens} tokens, but the context window of ${id} is ` +
    `${window}${assumed}`
  const isNear = bytes > comfortable(window)
  return {
    isBeyond: tokens > window && !window_assumed,
    warning: isNear ? { code: 'input_large', message: `${sentence}.`, hint: HINT } : undefined,
    sentence: `${sentence}. Inputs are not shortened. ${HINT}`,
  }
}
