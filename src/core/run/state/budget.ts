/**
 * Budgets: the tokens, model calls, and dollars that a run and its descendants may spend. A spawn
 * allots part of its run's budget to the child, and the unused part returns with the announce.
 * Nothing is counted twice, and no shared counter is needed (PROTOCOL.md rule 23).
 */

import type { Usage } from '../../message.ts'
import type { Price } from '../../policy.ts'
import {
  type Amounts,
  asHeld,
  exact,
  heldBy,
  isBounded,
  isBudget,
  isNone,
  isUsedUp,
  limitsOf,
  minus,
  NO_AMOUNTS,
  plus,
  spentBy,
} from '../log/amounts.ts'
import type { Allotted, Budget, Slice, Sliced } from '../log/fact-parts.ts'
import {
  experienceOf,
  FIRST_NEED,
  type Grant,
  isPriced,
  isTooLittle,
  most,
  needOf,
  slicesOf,
} from './slice.ts'
import type { RunState } from './state.ts'
import { awaitsSpawn, currentCalls, liveChildren } from './state.ts'

/** Returns the run's remaining budget, after its usage and its children's allotments. */
function remainingOf(state: RunState): Amounts {
  const limits = limitsOf(state.spec!.limits)
  if (!isBounded(limits)) return limits
  return minus(minus(limits, spentBy(state.usage)), heldBelow(state))
}

/**
 * Returns the amount that descendants may still spend: live children, and surviving descendants of
 * ended children. The survivors' share is never returned, because their usage is not reported.
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

/** Returns the amount that live descendants may spend after this run's end, sent with the end. */
export function heldAtEnd(state: RunState): { readonly held?: Budget } {
  const heldBudget = heldBelow(state)
  return isNone(heldBudget) ? {} : { held: asHeld(heldBudget) }
}

/** Whether the budget allows no model call, at least until children return their slices. */
export function exhausted(state: RunState): boolean {
  if (state.spec === null || state.started === null) return false
  const remaining = remainingOf(state)
  return isUsedUp(remaining) || isShort(state, remaining)
}

/** Whether the next model call was measured and exceeds the remaining budget. */
const isShort = ({ short }: RunState, { tokens, cost }: Amounts): boolean =>
  short !== null && (short.limit === 'max_tokens' ? tokens : cost) < short.needed

/**
 * Returns the remaining budget for the next model call; undefined if tokens and dollars are
 * unlimited.
 */
export function callRoom(state: RunState): CallRoom | undefined {
  const remaining = remainingOf(state)
  if (!isPriced(remaining)) return undefined
  const { slice } = state.spec!
  return {
    left: remaining,
    // A run without other spenders may exceed the budget with its last call.
    isStrict: slice !== undefined && slice.sole !== true,
    usual: usualCall(state.usage) ?? NO_AMOUNTS,
    tokens_per_byte: tokensPerByte(state),
  }
}

interface CallRoom {
  readonly left: Amounts
  /** Whether the call may start only if it fits into the budget. */
  readonly isStrict: boolean
  /** Average usage of the run's model calls so far. */
  readonly usual: Amounts
  readonly tokens_per_byte: number | undefined
}

function usualCall(usage: Usage): Amounts | undefined {
  const { tokens, calls, cost } = spentBy(usage)
  return calls === 0 ? undefined : { tokens: tokens / calls, calls: 1, cost: exact(cost / calls) }
}

/** Returns the tokens per byte measured by the last call, or by ancestors; undefined if neither. */
export const tokensPerByte = ({ steps, spec }: Pick<RunState, 'steps' | 'spec'>) =>
  steps.at(-1)?.tokens_per_byte ?? spec?.slice?.tokens_per_byte

export const perByte = (tokens_per_byte: number | undefined): Slice =>
  tokens_per_byte === undefined ? {} : { tokens_per_byte }

/** Returns the slice settings of a child's budget; empty if tokens and dollars are unlimited. */
export const slicedFrom = (state: RunState): Sliced =>
  isPriced(limitsOf(state.spec!.limits)) ? { slice: perByte(tokensPerByte(state)) } : {}

/**
 * Returns the budget slice of each next child, and the number of children that may start. The run's
 * own next call is reserved.
 */
function grantBelow(state: RunState): Grant {
  const open = currentCalls(state).filter(awaitsSpawn).length
  const remaining = remainingOf(state)
  if (!isPriced(remaining)) {
    return slicesOf(remaining, { among: open + 1, need: NO_AMOUNTS, least: 0 })
  }
  const ended = [...state.calls.values()].flatMap(({ child }) =>
    child?.announce ? [{ ...child.announce, slice: child.allotment }] : [],
  )
  const experience = experienceOf(
    ended.map((end) => ({ ...end, isSpent: end.stop_reason === 'budget' })),
  )
  const ownCall = usualCall(state.usage) ?? FIRST_NEED
  const less = (amount: number, call: number): number =>
    Number.isFinite(amount) ? amount - Math.max(amount / (open + 1), call) : amount
  const below: Amounts = {
    tokens: less(remaining.tokens, ownCall.tokens),
    calls: less(remaining.calls, 0),
    cost: less(remaining.cost, ownCall.cost),
  }
  const need = needOf(most(ownCall, experience.used ?? NO_AMOUNTS))
  const waits = liveChildren(state).length > 0
  const isOver = isTooLittle(below, experience)
  return slicesOf(below, { among: Math.max(1, open), need, least: 0, waits, isOver })
}

/** Returns the budget share of each spawn in the current step. */
export const allotmentOf = (state: RunState): Budget => grantBelow(state).slice

/**
 * Returns the number of these children that may start now. The others start when slices are
 * returned.
 */
export function startable(state: RunState, childCount: number): number {
  if (!isPriced(limitsOf(state.spec!.limits))) return childCount
  const { count } = grantBelow(state)
  // A spawn is rejected if the budget is used up and no slice will be returned.
  if (count === 0) return liveChildren(state).length === 0 ? childCount : 0
  // Children start one at a time. Each later slice is computed from what then remains.
  return count < childCount ? 1 : childCount
}

/** Whether a child's allotment is too small for a single call. */
export const isNothing = (budget: Budget): boolean => isUsedUp(limitsOf(budget))

/**
 * Returns the allotment member of a fact, only if there is a budget, so that most logs do not
 * mention budgets.
 */
export function allotted(budget: Budget): Allotted {
  if (!isBudget(budget)) return {}
  const { max_tokens = null, max_model_calls = null, max_cost_usd } = budget
  const dollars = max_cost_usd == null ? {} : { max_cost_usd }
  return { allotment: { max_tokens, max_model_calls, ...dollars } }
}

const MILLION = 1_000_000
const DIGITS = 1_000_000_000

type TokenCounts = Pick<
  Usage,
  'input_tokens' | 'output_tokens' | 'cache_read_tokens' | 'cache_write_tokens'
>

/**
 * Returns the list price of a model call, in the policy's currency. Without a separate price,
 * cached input costs the same as other input. Reasoning is charged as output.
 */
export function listPrice(
  price: Price | undefined,
  { input_tokens, output_tokens, cache_read_tokens = 0, cache_write_tokens = 0 }: TokenCounts,
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
