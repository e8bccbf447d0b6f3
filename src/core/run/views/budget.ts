/** Budget as shown by the API: amounts spent, reserved for live children, and left. */

import type { Usage } from '../../message.ts'
import { type Amounts, isBudget, limitsOf, spentBy } from '../log/amounts.ts'
import type { Budget } from '../log/fact-parts.ts'

interface AmountView {
  readonly limit: number
  /** Amount spent by the run and its ended descendants. */
  readonly spent: number
  /** Budget shares of live children. */
  readonly reserved: number
  /** Remaining budget; never below 0, even if the last call exceeded the limit. */
  readonly left: number
}
type Name = keyof Budget
type BudgetView = { readonly [K in Name]?: AmountView } & {
  /** Budget limit that ended the run; absent if the budget did not end it. */
  readonly ended_by?: Name
}
/** Run's budget as a view member; absent if the run has none. */
export interface Budgeted {
  readonly budget?: BudgetView
}

const NAMES = [
  ['max_tokens', 'tokens'],
  ['max_model_calls', 'calls'],
  ['max_cost_usd', 'cost'],
] as const satisfies readonly (readonly [Name, keyof Amounts])[]

export function budgetView(
  limits: Budget | undefined,
  usage: Usage,
  { held: heldAmounts, isOver = false, short }: Standing,
): Budgeted {
  if (limits === undefined || !isBudget(limits)) return {}
  const amounts = limitsOf(limits)
  const used = spentBy(usage)
  const views = NAMES.filter(([, key]) => Number.isFinite(amounts[key])).map(([name, key]) => {
    const [limit, spent, reserved] = [amounts[key], used[key], heldAmounts[key]]
    const available = Math.max(0, Math.round((limit - spent - reserved) * 1e9) / 1e9)
    return [name, { limit, spent, reserved, left: available }] as const
  })
  const scarce = views.toSorted(([, view], [, other]) => shareLeft(view) - shareLeft(other))
  const ended_by = short ?? scarce[0]?.[0]
  return { budget: { ...Object.fromEntries(views), ...(isOver && ended_by ? { ended_by } : {}) } }
}

interface Standing {
  readonly held: Amounts
  readonly isOver?: boolean
  /** Budget limit that the next call exceeds; if undefined, the limit with the least left. */
  readonly short?: Name | undefined
}

const shareLeft = ({ left: available, limit }: AmountView): number =>
  limit === 0 ? 0 : available / limit
