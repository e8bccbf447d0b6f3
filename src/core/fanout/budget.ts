/**
 * The budget of a fan-out: the amount that all its children together may spend. Each child gets a
 * share when it is created and gives it back at its end (protocol rule 23), so the shares of all
 * live children never exceed the rest. A task without a share does not start.
 */

import {
  type Amounts,
  asHeld,
  heldBy,
  isBounded,
  isBudget,
  isNone,
  limitsOf,
  minus,
  NO_AMOUNTS,
  partOf,
  plus,
  spentBy,
} from '../run/log/amounts.ts'
import type { Budget } from '../run/log/fact-parts.ts'
import type { FanoutState } from './state.ts'

/** The budget less what was used and what those who live may use; infinite without a budget. */
function left(state: FanoutState): Amounts {
  const limits = limitsOf(state.spec?.limits ?? {})
  if (!isBounded(limits)) return limits
  let rest = minus(limits, spentBy(state.usage))
  for (const { announce, allotment } of state.tasks)
    rest = minus(rest, heldBy(announce ? announce.held : allotment))
  return rest
}

/** How many more children the budget lets begin now. Dollars have no least share. */
export function affordable(state: FanoutState): number {
  const { tokens, calls, cost } = left(state)
  return cost <= 0 ? 0 : Math.max(0, Math.min(tokens, calls))
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

function share(amounts: Amounts, among: number): Budget {
  const part = partOf(amounts, among, 1)
  return isBudget(part) ? part : {}
}

/** The shares of all that live, and of survivors of those that have ended. */
export function heldByTasks({ tasks, late_results: after }: FanoutState): Amounts {
  let sum = NO_AMOUNTS
  for (const [index, { announce, allotment }] of tasks.entries())
    sum = plus(sum, heldBy((announce ?? after.ends[index]) ? announce?.held : allotment))
  return sum
}

/** Sent with a page's end: the amount that survivors may still spend. */
export function heldAtEnd(state: FanoutState): { readonly held?: Budget } {
  const sum = heldByTasks(state)
  return isNone(sum) ? {} : { held: asHeld(sum) }
}
