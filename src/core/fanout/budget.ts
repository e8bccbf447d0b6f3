/**
 * The budget of a fan-out: the amount that all its children together may spend. Each child gets a
 * share when it is created and gives it back at its end (protocol rule 23), so the shares of all
 * live children never exceed the rest. A task without a share does not start.
 */

import type { Budget } from '../run/fact-parts.ts'
import type { FanoutState } from './state.ts'

interface Left {
  readonly tokens: number
  readonly calls: number
}

/** The budget less what was used and what those who live may use; infinite without a budget. */
function left(state: FanoutState): Left {
  const { max_tokens, max_model_calls } = state.spec?.limits ?? {}
  if (max_tokens == null && max_model_calls == null) return { tokens: INFINITE, calls: INFINITE }
  const { input_tokens, output_tokens, model_calls } = state.usage
  let tokens = (max_tokens ?? INFINITE) - input_tokens - output_tokens
  let calls = (max_model_calls ?? INFINITE) - model_calls
  for (const { announce, allotment } of state.tasks) {
    const held = announce ? announce.held : allotment
    tokens -= held?.max_tokens ?? 0
    calls -= held?.max_model_calls ?? 0
  }
  return { tokens, calls }
}
const INFINITE = Number.POSITIVE_INFINITY

/** How many more children the budget lets begin now. */
export function affordable(state: FanoutState): number {
  const { tokens, calls } = left(state)
  return Math.max(0, Math.min(tokens, calls))
}

/**
 * The next child's share: equal for all that may live at once. A child under creation has no more,
 * and there are at most so many of them.
 */
export function shareOf(state: FanoutState): Budget {
  const waiting = state.tasks.filter(({ announce }) => announce === null).length
  const open = state.spec!.open === true && !state.sealed
  const most = state.spec!.live_children
  return share(left(state), Math.max(1, open ? most : Math.min(most, waiting)))
}

/** The closing run comes last: it is given what is left. */
export const restOf = (state: FanoutState): Budget => share(left(state), 1)

function share({ tokens, calls }: Left, among: number): Budget {
  const of = (amount: number): number | null =>
    Number.isFinite(amount) ? Math.max(1, Math.floor(amount / among)) : null
  const [max_tokens, max_model_calls] = [of(tokens), of(calls)]
  return max_tokens === null && max_model_calls === null ? {} : { max_tokens, max_model_calls }
}

/** Sent with a page's end: the amount that survivors may still spend. */
export function heldAtEnd({ tasks, late_results: after }: FanoutState): { readonly held?: Budget } {
  const sum = { max_tokens: 0, max_model_calls: 0 }
  for (const [index, { announce, allotment }] of tasks.entries()) {
    const held = (announce ?? after.ends[index]) ? announce?.held : allotment
    sum.max_tokens += held?.max_tokens ?? 0
    sum.max_model_calls += held?.max_model_calls ?? 0
  }
  return sum.max_tokens + sum.max_model_calls === 0 ? {} : { held: sum }
}
