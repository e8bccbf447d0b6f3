/** Facts of a failed model call: an outage to wait for, or the end of the run. */

import type { Usage } from '../../../../core/message.ts'
import type { Effect } from '../../../../core/run/decide/pending-effects.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import type { StepModel } from '../../../../core/run/log/models.ts'
import { listPrice } from '../../../../core/run/state/budget.ts'
import { askAgainAt, givesUpAt, NEWS_FROM } from '../../../../core/run/state/outage.ts'
import type { ModelFailure } from '../../../../ports/world.ts'
import type { Context } from '../context.ts'

export type ModelEffect = Extract<Effect, { kind: 'model' }>

const REFUSAL_CODES: Readonly<Partial<Record<ModelFailure['code'], string>>> = {
  unauthorized: 'model_unauthorized',
  too_long: 'context_too_large',
  over_quota: 'quota_exceeded',
}

/** Cancelled calls never reach this point. An abort here is a time-out. */
const SLOW: Pick<ModelFailure, 'message' | 'retryable'> = {
  message: 'the model exceeded the step time limit',
  retryable: true,
}

export function failure(
  context: Context,
  effect: ModelEffect,
  modelFailure: ModelFailure,
  model: StepModel = context.state.started!,
): RunFact[] {
  const spent = modelFailure.usage && discardedBy(effect, model, modelFailure.usage)
  return [...(spent ? [spent] : []), ...outcomeOf(context, effect, modelFailure)]
}

/** Returns a fact with the tokens of a failed attempt, which count against every budget. */
export const discardedBy = (
  { step }: ModelEffect,
  { model, price }: StepModel,
  spent: Usage,
): RunFact => {
  const usage = { ...spent, ...listPrice(price, spent) }
  return { type: 'assistant.discarded', step, model, usage }
}

function outcomeOf(
  { world, state }: Context,
  effect: ModelEffect,
  modelFailure: ModelFailure,
): RunFact[] {
  const failed = modelFailure.code === 'aborted' ? { ...modelFailure, ...SLOW } : modelFailure
  const { step } = effect
  const error = { code: 'model_unavailable', message: failed.message }
  if (!failed.retryable) {
    const code = REFUSAL_CODES[failed.code] ?? 'model_rejected'
    return [{ type: 'run.failed', stop_reason: 'error', error: { ...error, code }, step }]
  }
  const now = world.clock.now()
  const { model, model_patience_seconds: patience_seconds } = state.started!
  const attempt = state.attempts + 1
  const since = state.outage?.since ?? now
  const { retryAfterMs } = failed
  const trying = { run: state.spec!.id, step, attempt, retryAfterMs, since, patience_seconds }
  const until = askAgainAt(trying, now)
  if (until === undefined) {
    const message = `${failed.message}${givenUp(trying, now)}`
    return [{ type: 'run.failed', stop_reason: 'error', error: { ...error, message }, step }]
  }
  const gives_up_at = givesUpAt(trying)
  const outage = { step, since, error, ...(gives_up_at === undefined ? {} : { gives_up_at }) }
  const isLong = gives_up_at !== undefined && attempt >= NEWS_FROM
  const isNews = isLong && state.outage?.isReported === false
  return [
    ...(isNews ? [{ type: 'model.unavailable', model, ...outage } as const] : []),
    { type: 'run.waiting', on: 'model', until, attempt, ...outage },
  ]
}

/** Describes how long a run retried its model; empty with a patience of 0. */
function givenUp(
  { attempt, since, patience_seconds, retryAfterMs = 0 }: Parameters<typeof askAgainAt>[0],
  now: number,
): string {
  if (patience_seconds === 0) return ''
  const seconds = Math.round((now - since) / 1_000)
  const attempts = attempt === 1 ? '1 attempt' : `${attempt} attempts`
  const long = retryAfterMs > 0 && now + retryAfterMs > since + patience_seconds * 1_000
  const wish = long
    ? `, and the provider requested a wait of ${Math.ceil(retryAfterMs / 1_000)} s`
    : ''
  const patience = `the limit of ${patience_seconds} s (model_patience_seconds)`
  return ` (${attempts} in ${seconds} s${wish}; exceeds ${patience})`
}

/** Returns the fact that ends an outage, if the outage was reported. */
export function recovered({ world, state }: Context, { step }: ModelEffect): RunFact[] {
  const { outage, attempts, started } = state
  if (!outage?.isReported) return []
  const { since } = outage
  const duration_ms = Math.max(0, world.clock.now() - since)
  return [{ type: 'model.recovered', model: started!.model, step, since, duration_ms, attempts }]
}
