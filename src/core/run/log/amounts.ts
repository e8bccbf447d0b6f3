/**
 * Arithmetic on budget amounts: tokens, model calls, and dollars together. Infinity means
 * unlimited.
 */

import type { Usage } from '../../message.ts'
import type { Budget } from './fact-parts.ts'

export interface Amounts {
  readonly tokens: number
  readonly calls: number
  /** Cost in US dollars at list prices. */
  readonly cost: number
}

export const NO_AMOUNTS: Amounts = { tokens: 0, calls: 0, cost: 0 }

const INFINITE = Number.POSITIVE_INFINITY
/** Number of smallest counted units per dollar. */
const DIGITS = 1e9

/** Whether the budget limits any amount. */
export const isBudget = ({ max_tokens, max_model_calls, max_cost_usd }: Budget): boolean =>
  max_tokens != null || max_model_calls != null || max_cost_usd != null

export const limitsOf = ({ max_tokens, max_model_calls, max_cost_usd }: Budget): Amounts => ({
  tokens: max_tokens ?? INFINITE,
  calls: max_model_calls ?? INFINITE,
  cost: max_cost_usd ?? INFINITE,
})

/** Returns the reserved amounts of a budget, where null means zero. */
export const heldBy = (budget: Budget | null | undefined): Amounts => ({
  tokens: budget?.max_tokens ?? 0,
  calls: budget?.max_model_calls ?? 0,
  cost: budget?.max_cost_usd ?? 0,
})

export const spentBy = ({
  input_tokens,
  output_tokens,
  model_calls,
  list_price = 0,
}: Usage): Amounts => ({
  tokens: input_tokens + output_tokens,
  calls: model_calls,
  cost: list_price,
})

export const plus = (amounts: Amounts, other: Amounts): Amounts => ({
  tokens: amounts.tokens + other.tokens,
  calls: amounts.calls + other.calls,
  cost: exact(amounts.cost + other.cost),
})

export const minus = (amounts: Amounts, other: Amounts): Amounts => ({
  tokens: amounts.tokens - other.tokens,
  calls: amounts.calls - other.calls,
  cost: exact(amounts.cost - other.cost),
})

export const isBounded = ({ tokens, calls, cost }: Amounts): boolean =>
  Number.isFinite(tokens) || Number.isFinite(calls) || Number.isFinite(cost)

export const isNone = ({ tokens, calls, cost }: Amounts): boolean =>
  tokens === 0 && calls === 0 && cost === 0

export const isUsedUp = ({ tokens, calls, cost }: Amounts): boolean =>
  tokens <= 0 || calls <= 0 || cost <= 0

/** Converts amounts to a reserved budget; an absent dollar amount means zero. */
export const asHeld = ({ tokens, calls, cost }: Amounts): Budget => ({
  max_tokens: tokens,
  max_model_calls: calls,
  ...(cost > 0 ? { max_cost_usd: cost } : {}),
})

/** Rounds away the floating-point noise of additions. */
export const exact = (amount: number): number =>
  Number.isFinite(amount) ? Math.round(amount * DIGITS) / DIGITS : amount
