/**
 * Usage by agent and model: the shares of a run or fan-out and of all below it. Kept with the sum
 * itself, so that no other log is read for it; a part of the sum that no share explains was
 * recorded without one.
 */

import { LIMITS } from './limits.ts'
import { addUsage, NO_USAGE, type Usage } from './message.ts'

export interface UsageShare {
  /** Null: unknown, or more of them than are kept apart. */
  readonly agent: string | null
  readonly model: string | null
  readonly usage: Usage
}
export type UsageShares = readonly UsageShare[]

/** Beside a sum of usage; absent: nothing is known of its shares. */
export interface Shared {
  readonly usage_by?: UsageShares
}

/** In the order in which they came; beyond the limit they are one, without names. */
export const addShares = (shares: UsageShares, more: UsageShares = []): UsageShares =>
  more.reduce(addShare, shares)

function addShare(shares: UsageShares, share: UsageShare): UsageShares {
  if (isNothing(share.usage)) return shares
  const at = indexOf(shares, share)
  if (at >= 0) {
    const { usage, ...names } = shares[at]!
    return shares.with(at, { ...names, usage: addUsage(usage, share.usage) })
  }
  const isNamed = share.agent !== null || share.model !== null
  // One place is for those that have none.
  if (isNamed && shares.length >= LIMITS.usage_shares - 1) {
    return addShare(shares, { agent: null, model: null, usage: share.usage })
  }
  return [...shares, share]
}

const indexOf = (shares: UsageShares, { agent, model }: Omit<UsageShare, 'usage'>): number =>
  shares.findIndex((one) => one.agent === agent && one.model === model)

const isNothing = ({ input_tokens, output_tokens, model_calls }: Usage): boolean =>
  input_tokens === 0 && output_tokens === 0 && model_calls === 0

/** For what reports to a parent: absent when there is nothing to share. */
export const withShares = (shares: UsageShares): Shared =>
  shares.length === 0 ? {} : { usage_by: shares }

/** The shares of a sum, with what they do not explain as one without names. */
export function wholeShares(usage: Usage, shares: UsageShares): UsageShares {
  const known = shares.reduce((sum, one) => addUsage(sum, one.usage), NO_USAGE)
  const rest = less(usage, known)
  return addShares(shares, [{ agent: null, model: null, usage: rest }])
}

/** Members that neither has are left out. */
function less(usage: Usage, known: Usage): Usage {
  const minus = Object.entries(known).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, -value] as const] : [],
  )
  return addUsage(usage, { ...NO_USAGE, ...Object.fromEntries(minus) })
}
