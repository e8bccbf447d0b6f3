/** A budget as the API shows it: what is spent, reserved for those that live, and left. */

import type { Usage } from '../../message.ts'
import { type Amounts, isBudget, limitsOf, spentBy } from '../log/amounts.ts'
import type { Budget } from '../log/fact-parts.ts'

interface AmountView {
  readonly limit: number
  /** Its own and that of those below that have ended. */
  readonly spent: number
  /** The shares of those that live. */
  readonly reserved: number
  /** Never below 0, also when the last call went over the limit. */
  readonly left: number
}
type Name = keyof Budget
type BudgetView = { readonly [K in Name]?: AmountView } & {
  /** The limit that ended it. Absent: it has not ended by its budget. */
  readonly ended_by?: Name
}
/** Absent: there is no budget. */
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
  /** The limit that the next call does not fit into; undefined: the one with the least left. */
  readonly short?: Name | undefined
}

const shareLeft = ({ left: available, limit }: AmountView): number =>
  limit === 0 ? 0 : available / limit
