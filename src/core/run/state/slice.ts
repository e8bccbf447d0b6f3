/**
 * Budget slices for children. Each slice covers one child's expected cost and starts that child.
 * Further children start when slices are returned (PROTOCOL.md rule 23).
 */

import { LIMITS } from '../../limits.ts'
import type { Usage } from '../../message.ts'
import { type Amounts, exact, heldBy, isUsedUp, NO_AMOUNTS, plus, spentBy } from '../log/amounts.ts'
import type { Budget } from '../log/fact-parts.ts'

export interface Grant {
  readonly slice: Budget
  /** Number of children that may start now with a slice of this size. */
  readonly count: number
}

/** Expected cost of a child before any child has ended. */
export const FIRST_NEED: Amounts = {
  tokens: LIMITS.first_slice_tokens,
  calls: 1,
  cost: LIMITS.first_slice_usd,
}

/** Safety factor applied to the past cost of model calls. */
const MARGIN = 1.25

export const needOf = ({ tokens, calls, cost }: Amounts): Amounts => ({
  tokens: Math.ceil(tokens * MARGIN),
  calls,
  cost: exact(cost * MARGIN),
})

export const most = (amounts: Amounts, other: Amounts): Amounts => ({
  tokens: Math.max(amounts.tokens, other.tokens),
  calls: Math.max(amounts.calls, other.calls),
  cost: Math.max(amounts.cost, other.cost),
})

interface Granting {
  readonly among: number
  readonly need: Amounts
  /** Minimum number of model calls per slice. */
  readonly least: 0 | 1
  /** Whether live children will return slices. If so, a slice below the expected cost can wait. */
  readonly waits?: boolean
  /** Whether the amount to divide is too small for a single model call. */
  readonly isOver?: boolean
}

/** Returns equal slices of an amount, or fewer and larger ones if equal slices are too small. */
export function slicesOf(
  remaining: Amounts,
  { among, need, least, waits = false, isOver = false }: Granting,
): Grant {
  const isScarce = remaining.tokens < need.tokens || remaining.cost < need.cost
  if (isUsedUp(remaining) || isOver || (waits && isScarce))
    return { slice: budgetOf(NO_AMOUNTS, remaining), count: 0 }
  const part = (amount: number, least: number): number =>
    Math.max(amount / among, Math.min(amount, least))
  const tokens = wholeUnits(part(remaining.tokens, need.tokens))
  const calls = Math.max(least, wholeUnits(remaining.calls / among))
  const cost = wholeUnits(part(remaining.cost, need.cost) * 1e9) / 1e9
  const times = (amount: number, size: number): number =>
    Number.isFinite(amount) ? Math.max(1, wholeUnits(amount / size)) : among
  const counts = [
    times(remaining.tokens, tokens),
    times(remaining.calls, calls),
    times(remaining.cost, cost),
  ]
  return { slice: budgetOf({ tokens, calls, cost }, remaining), count: Math.min(among, ...counts) }
}

/** Rounds an amount down, with a tolerance for floating-point noise. */
const wholeUnits = (amount: number): number => Math.floor(amount + 1e-9)

/** Converts amounts to a budget; amounts are unlimited where the total is. */
function budgetOf({ tokens, calls, cost }: Amounts, remaining: Amounts): Budget {
  return {
    max_tokens: Number.isFinite(remaining.tokens) ? tokens : null,
    max_model_calls: Number.isFinite(remaining.calls) ? calls : null,
    ...(Number.isFinite(remaining.cost) ? { max_cost_usd: cost } : {}),
  }
}

/** Whether tokens or cost are limited, whose use varies per call. Call counts are always exact. */
export const isPriced = ({ tokens, cost }: Amounts): boolean =>
  Number.isFinite(tokens) || Number.isFinite(cost)

/** Ended child that had a budget slice. */
interface Ended {
  readonly usage: Usage
  readonly slice: Budget | null | undefined
  /** Whether the child ended because its slice was used up. */
  readonly isSpent: boolean
}

interface Experience {
  /** Maximum amount used by an ended child; absent if no ended child has called a model. */
  readonly used?: Amounts
  /** Largest slice that proved too small for a single call. */
  readonly failed: Amounts
}

/** Estimates the budget need of the next children from ended ones. */
export function experienceOf(ended: readonly Ended[]): Experience {
  let used: Amounts | undefined
  let failed = NO_AMOUNTS
  for (const { usage, slice, isSpent } of ended) {
    const granted = heldBy(slice)
    if (usage.model_calls > 0) used = most(used ?? NO_AMOUNTS, spentBy(usage))
    if (!isSpent) continue
    // A spent child needed more than its slice; a child that could not call a model needed far
    // more.
    const isUnused = usage.model_calls === 0
    used = most(used ?? NO_AMOUNTS, isUnused ? plus(granted, granted) : granted)
    if (isUnused) failed = most(failed, granted)
  }
  return { failed, ...(used ? { used } : {}) }
}

/** Whether the remaining amount is no more than a slice that proved too small for a single call. */
export const isTooLittle = (remaining: Amounts, { failed }: Experience): boolean =>
  isPriced(remaining) &&
  (remaining.tokens <= failed.tokens || !Number.isFinite(remaining.tokens)) &&
  (remaining.cost <= failed.cost || !Number.isFinite(remaining.cost))
