/** The facts of a model call that failed: another attempt later, or the end of the run. */

import { LIMITS } from '../../../../core/limits.ts'
import type { Usage } from '../../../../core/message.ts'
import type { Effect } from '../../../../core/run/decide/pending-effects.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import type { StepModel } from '../../../../core/run/log/models.ts'
import { listPrice } from '../../../../core/run/state/budget.ts'
import type { ModelFailure } from '../../../../ports/world.ts'
import type { Context } from '../context.ts'

export type ModelEffect = Extract<Effect, { kind: 'model' }>

/** Before the second and the third attempt of a step (milliseconds). */
const RETRY_MS = [1_000, 10_000] as const
const RETRY_MAX_MS = 600_000

const REFUSED: Readonly<Partial<Record<ModelFailure['code'], string>>> = {
  unauthorized: 'model_unauthorized',
  too_long: 'context_too_large',
}

/** An abort because nobody wants the answer never gets here; one that does took too long. */
const SLOW: Pick<ModelFailure, 'message' | 'retryable'> = {
  message: 'the model took longer than a step may',
  retryable: true,
}

export function failure(
  context: Context,
  effect: ModelEffect,
  refused: ModelFailure,
  model: StepModel = context.state.started!,
): RunFact[] {
  const spent = refused.usage && discardedBy(effect, model, refused.usage)
  return [...(spent ? [spent] : []), outcomeOf(context, effect, refused)]
}

/** An attempt that failed may have cost tokens: they count against every budget. */
export const discardedBy = (
  { step }: ModelEffect,
  { model, price }: StepModel,
  spent: Usage,
): RunFact => {
  const usage = { ...spent, ...listPrice(price, spent) }
  return { type: 'assistant.discarded', step, model, usage }
}

function outcomeOf(context: Context, effect: ModelEffect, refused: ModelFailure): RunFact {
  const failed = refused.code === 'aborted' ? { ...refused, ...SLOW } : refused
  const { step } = effect
  const attempt = context.state.attempts + 1
  const error = { code: 'model_unavailable', message: failed.message }
  if (!failed.retryable) {
    const code = REFUSED[failed.code] ?? 'model_rejected'
    return { type: 'run.failed', stop_reason: 'error', error: { ...error, code }, step }
  }
  if (attempt >= LIMITS.model_attempts) {
    return { type: 'run.failed', stop_reason: 'error', error, step }
  }
  const planned = RETRY_MS[attempt - 1] ?? RETRY_MAX_MS
  const wait = Math.min(RETRY_MAX_MS, failed.retryAfterMs ?? planned)
  const until = context.world.clock.now() + wait
  return { type: 'run.waiting', on: 'retry', until, step, attempt, error }
}
