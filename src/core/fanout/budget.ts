/**
 * Budget of a fan-out: the total amount that its children may spend. Each child receives a share
 * when it is created, and returns the unused part when it ends (PROTOCOL.md rule 23). The shares of
 * live children therefore never exceed the remaining budget. Tasks without a share do not start.
 */

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
  plus,
  spentBy,
} from '../run/log/amounts.ts'
import type { Budget, Sliced } from '../run/log/fact-parts.ts'
import type { Announce } from '../run/log/facts.ts'
import { perByte } from '../run/state/budget.ts'
import {
  experienceOf,
  FIRST_NEED,
  type Grant,
  isPriced,
  isTooLittle,
  needOf,
  slicesOf,
} from '../run/state/slice.ts'
import type { PageEnd } from './facts.ts'
import { type FanoutState, isLiveTask } from './state.ts'

/**
 * Returns the budget minus the spent amounts and the amounts that live children may still spend;
 * infinite without a budget.
 */
function remainingOf(state: FanoutState): Amounts {
  const limits = limitsOf(state.spec?.limits ?? {})
  if (!isBounded(limits)) return limits
  let remaining = minus(limits, spentBy(state.usage))
  for (const { announce, allotment } of state.tasks)
    remaining = minus(remaining, heldBy(announce ? announce.held : allotment))
  return remaining
}

/** Returns how many more children the budget allows to start now. */
export function affordable(state: FanoutState): number {
  const remaining = remainingOf(state)
  if (!isPriced(remaining)) return Math.max(0, remaining.calls)
  const { slice, count } = grantOfTasks(state)
  if (count === 0 || isUsedUp(limitsOf(slice))) return 0
  // If the budget covers only a few children, they start one at a time, and the next share is the
  // remaining amount.
  return count < Math.min(unborn(state), state.spec!.live_children) ? 1 : count
}

/** Returns the budget share of the next child. */
export function shareOf(state: FanoutState): Budget {
  const { slice } = grantOfTasks(state)
  return isBudget(slice) ? slice : {}
}

/**
 * Returns how strictly a child's share is enforced; empty without a budget of tokens or dollars.
 */
export function slicedAs(state: FanoutState): Sliced {
  const remaining = remainingOf(state)
  if (!isPriced(remaining)) return {}
  const { spec } = state
  const { tokens, cost } = heldBy(grantOfTasks(state).slice)
  const isWhole =
    (!Number.isFinite(remaining.tokens) || tokens >= remaining.tokens) &&
    (!Number.isFinite(remaining.cost) || cost >= remaining.cost)
  const isRoot = spec!.parent === undefined || spec!.slice?.sole === true
  const sole = isWhole && isRoot && isNone(heldByTasks(state))
  return { slice: { ...(sole ? { sole } : {}), ...perByte(measuredPerByte(state)) } }
}

/**
 * Returns the highest number of tokens per byte that children measured; undefined without
 * measurements.
 */
export function measuredPerByte({ spec, tasks }: FanoutState): number | undefined {
  const measured = tasks.map(({ announce }) => announce?.tokens_per_byte ?? 0)
  return Math.max(spec?.slice?.tokens_per_byte ?? 0, ...measured) || undefined
}

/**
 * Divides the budget equally among the children that may be live at the same time. If ended
 * children used more, their usage determines the share.
 */
function grantOfTasks(state: FanoutState): Grant {
  const open = state.spec!.open === true && !state.sealed
  const places = state.spec!.live_children
  const remaining = remainingOf(state)
  const among = Math.max(1, open ? places : Math.min(places, unborn(state)))
  if (!isPriced(remaining)) return slicesOf(remaining, { among, need: NO_AMOUNTS, least: 1 })
  const experience = experienceOf(
    state.tasks.flatMap(({ announce, allotment }) =>
      announce === null ? [] : [{ ...announce, slice: allotment, isSpent: isSpent(announce) }],
    ),
  )
  const need = experience.used ? needOf(experience.used) : FIRST_NEED
  const waits = state.tasks.some(isLiveTask)
  const isOver = isTooLittle(remaining, experience)
  return slicesOf(remaining, { among, need, least: 1, waits, isOver })
}

const isSpent = (end: Announce | PageEnd): boolean =>
  'children' in end ? end.spent === true : end.stop_reason === 'budget'

const unborn = ({ tasks }: FanoutState): number =>
  tasks.filter(({ run_id }) => run_id === null).length

/** Returns the remaining budget, which the closing run receives because it starts last. */
export function restOf(state: FanoutState): Budget {
  const part = slicesOf(remainingOf(state), { among: 1, need: NO_AMOUNTS, least: 1 }).slice
  return isBudget(part) ? part : {}
}

/**
 * Returns the shares of all live children, and the shares that descendants of ended children still
 * use.
 */
export function heldByTasks({ tasks, late_results: after }: FanoutState): Amounts {
  let sum = NO_AMOUNTS
  for (const [index, { announce, allotment }] of tasks.entries())
    sum = plus(sum, heldBy((announce ?? after.ends[index]) ? announce?.held : allotment))
  return sum
}

/**
 * Returns the amount that live descendants may still spend, which is sent with the notice that a
 * page has ended.
 */
export function heldAtEnd(state: FanoutState): { readonly held?: Budget } {
  const sum = heldByTasks(state)
  return isNone(sum) ? {} : { held: asHeld(sum) }
}
