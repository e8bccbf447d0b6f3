/**
 * Slices of a budget for children: each has a child's expected cost, and one child starts per
 * slice. Further children start when slices are returned (protocol rule 23).
 */

import { LIMITS } from '../../limits.ts'
import type { Usage } from '../../message.ts'
import { type Amounts, exact, heldBy, isUsedUp, NO_AMOUNTS, plus, spentBy } from '../log/amounts.ts'
import type { Budget } from '../log/fact-parts.ts'

export interface Grant {
  readonly slice: Budget
  /** Number of children that may start now with such a slice. */
  readonly count: number
}

/** Expected before any child has ended. */
export const FIRST_NEED: Amounts = {
  tokens: LIMITS.first_slice_tokens,
  calls: 1,
  cost: LIMITS.first_slice_usd,
}

/** A quarter more than calls have cost so far. */
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
  /** The fewest calls of a part. */
  readonly least: 0 | 1
  /** Live children will return slices, so a part below the expected cost can wait. */
  readonly waits?: boolean
  /** Whether it does not suffice for a single call. */
  readonly isOver?: boolean
}

/**
 * Equal parts, or fewer and larger ones where an equal part is less than the need.
 */
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

/** Rounded down, but not by the noise of fractions. */
const wholeUnits = (amount: number): number => Math.floor(amount + 1e-9)

/** Unlimited where the whole is. */
function budgetOf({ tokens, calls, cost }: Amounts, remaining: Amounts): Budget {
  return {
    max_tokens: Number.isFinite(remaining.tokens) ? tokens : null,
    max_model_calls: Number.isFinite(remaining.calls) ? calls : null,
    ...(Number.isFinite(remaining.cost) ? { max_cost_usd: cost } : {}),
  }
}

/** Whether an amount is limited whose calls differ in price: counts of calls are exact anyway. */
export const isPriced = ({ tokens, cost }: Amounts): boolean =>
  Number.isFinite(tokens) || Number.isFinite(cost)

/** The end of a child that had a slice. */
interface Ended {
  readonly usage: Usage
  readonly slice: Budget | null | undefined
  /** Whether it ended because its slice was used up. */
  readonly isSpent: boolean
}

interface Experience {
  /** The most that a child has used. Absent: none has ended that had called a model. */
  readonly used?: Amounts
  /** The largest slice that was too small for a single call. */
  readonly failed: Amounts
}

/** The need of the next children, by the ends of others. */
export function experienceOf(ended: readonly Ended[]): Experience {
  let used: Amounts | undefined
  let failed = NO_AMOUNTS
  for (const { usage, slice, isSpent } of ended) {
    const granted = heldBy(slice)
    if (usage.model_calls > 0) used = most(used ?? NO_AMOUNTS, spentBy(usage))
    if (!isSpent) continue
    // The actual need exceeds the slice; that of a child which could not start, by far.
    const isUnused = usage.model_calls === 0
    used = most(used ?? NO_AMOUNTS, isUnused ? plus(granted, granted) : granted)
    if (isUnused) failed = most(failed, granted)
  }
  return { failed, ...(used ? { used } : {}) }
}

/** Whether no more is left than a child had that could not make a single call with it. */
export const isTooLittle = (remaining: Amounts, { failed }: Experience): boolean =>
  isPriced(remaining) &&
  (remaining.tokens <= failed.tokens || !Number.isFinite(remaining.tokens)) &&
  (remaining.cost <= failed.cost || !Number.isFinite(remaining.cost))
