/**
 * Budgets: the tokens, model calls and dollars that a run and everything below it may spend. A
 * spawn gives its child an allotment, which comes back with the announce; nothing is counted twice
 * and nobody shares a counter (protocol rule 23).
 */

import type { Usage } from '../../message.ts'
import type { Price } from '../../policy.ts'
import {
  type Amounts,
  asHeld,
  heldBy,
  isBounded,
  isBudget,
  isNone,
  isUsedUp,
  limitsOf,
  minus,
  NO_AMOUNTS,
  partOf,
  plus,
  spentBy,
} from '../log/amounts.ts'
import type { Allotted, Budget } from '../log/fact-parts.ts'
import type { RunState } from './state.ts'
import { currentCalls, isUnborn } from './state.ts'

/** The amount left here: the budget less usage and the allotments below. */
function left(state: RunState): Amounts {
  const limits = limitsOf(state.spec!.limits)
  if (!isBounded(limits)) return limits
  return minus(minus(limits, spentBy(state.usage)), heldBelow(state))
}

/**
 * The amount that may still be spent below: by children that have not announced their end, and by
 * survivors of those that have. The latter never comes back, because nobody reports its usage
 * further up.
 */
export function heldBelow(state: RunState): Amounts {
  let sum = NO_AMOUNTS
  for (const { id, child } of state.calls.values()) {
    const late = state.late_results.ends[id]
    const ended = child?.announce ?? late
    sum = plus(sum, heldBy(ended ? ended.held : child?.allotment))
  }
  return sum
}

/** Sent with an end: the amount that live runs below may spend after it. */
export function heldAtEnd(state: RunState): { readonly held?: Budget } {
  const held = heldBelow(state)
  return isNone(held) ? {} : { held: asHeld(held) }
}

/** True when no model call may follow, at least until children give back what they hold. */
export function exhausted(state: RunState): boolean {
  if (state.spec === null || state.started === null) return false
  return isUsedUp(left(state))
}

/** An equal share for each spawn of the step and one for the parent itself. */
export function allotmentOf(state: RunState): Budget {
  const open = currentCalls(state).filter(isUnborn)
  return partOf(left(state), open.length + 1, 0)
}

/** An allotment with which not one call could be made. */
export const isNothing = (budget: Budget): boolean => isUsedUp(limitsOf(budget))

/** Only what was given, so that most logs say nothing of budgets. */
export function allotted(budget: Budget): Allotted {
  if (!isBudget(budget)) return {}
  const { max_tokens = null, max_model_calls = null, max_cost_usd } = budget
  const dollars = max_cost_usd == null ? {} : { max_cost_usd }
  return { allotment: { max_tokens, max_model_calls, ...dollars } }
}

const MILLION = 1_000_000
const DIGITS = 1_000_000_000

type Counted = Pick<
  Usage,
  'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens'
>

/**
 * The price of a call by the list, in the currency of the policy. Without a price of its own,
 * cached input costs as much as any input. Reasoning is output and is charged with it.
 */
export function listPrice(
  price: Price | undefined,
  { input_tokens, output_tokens, cache_read_tokens = 0, cache_write_tokens = 0 }: Counted,
): { readonly list_price?: number } {
  if (price === undefined) return {}
  const { input_per_million: full } = price
  const sum =
    (input_tokens - cache_read_tokens - cache_write_tokens) * full +
    cache_read_tokens * (price.cache_read_per_million ?? full) +
    cache_write_tokens * (price.cache_write_per_million ?? full) +
    output_tokens * price.output_per_million
  return { list_price: Math.round((sum / MILLION) * DIGITS) / DIGITS }
}
