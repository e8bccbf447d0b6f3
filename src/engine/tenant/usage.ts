/**
 * Tokens and dollars of a tenant, day by day: a reading of its runs and fan-outs as lists show
 * them. Nothing is counted anywhere else, so nothing is counted twice, however often an end is
 * retried. A root counts all that stands under it; by agent or model, its shares (`usage-shares.ts`).
 */

import { LIMITS } from '../../core/limits.ts'
import { addUsage, NO_USAGE, type Usage } from '../../core/message.ts'
import { type Shared, type UsageShares, wholeShares } from '../../core/usage-shares.ts'
import { dayOf, parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { fanoutsList, runsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'

export interface UsageSum {
  readonly runs: number
  readonly fanouts: number
  /** Of these, those that used a model without a price. */
  readonly unpriced: number
  readonly usage: Usage
  readonly cost: number | null
}
type UsageBy = 'day' | 'agent' | 'model'
export interface UsageGroup extends UsageSum {
  /** Null: unknown, or no name of its own. */
  readonly name: string | null
}
interface UsageDay extends UsageSum {
  /** `2026-11-23`, UTC. */
  readonly date: string
  /** There are more than were counted. */
  readonly partial?: true
}
export interface UsageOfDays {
  /** Newest first; days without a root are left out. */
  readonly days: readonly UsageDay[]
  /** Before this day nothing was counted, because there is too much; null: all was. */
  readonly nextTo: string | null
}
/** The head of a run or fan-out, as far as it says what was used. */
interface Root extends Shared {
  readonly usage: Usage
  readonly agent?: string
  readonly model?: string | null
  readonly children?: { readonly total: number }
}
type Groups = Map<string | null, UsageSum>

const PAGE = 100
const DAY = 'YYYY-MM-DD'.length
export const NO_SUM: UsageSum = { runs: 0, fanouts: 0, unpriced: 0, usage: NO_USAGE, cost: null }

interface Span {
  readonly from: string
  readonly to: string
  /** Groups of each day too. */
  readonly by?: UsageBy
}
type Counted = UsageDay & { readonly groups: Groups }

/** Roots that were created from the day `from` up to, not including, the day `to`. */
export async function usageOfDays(
  world: World,
  tenant: string,
  { from, to, by = 'day' }: Span,
): Promise<UsageOfDays & { readonly groups: readonly UsageGroup[] | null }> {
  const days = new Map<string, UsageSum & { readonly groups: Groups }>()
  const count = async (under: string, one: Partial<UsageSum>): Promise<string | undefined> => {
    let before = to
    for (let seen = 0; seen < LIMITS.usage_roots; seen += PAGE) {
      const page = await world.store.list(under, before, PAGE)
      for (const { at, body } of page) {
        if (at < from) return undefined
        const root = headOf<Root>(body).view
        const date = at.slice(0, DAY)
        const { groups, ...day } = days.get(date) ?? { ...NO_SUM, groups: new Map() }
        const sum = { ...ofUsage(root.usage), ...one }
        if (by !== 'day') countGroups(groups, root, sum, by)
        days.set(date, { ...added(day, sum), groups })
      }
      if (page.length < PAGE) return undefined
      before = page.at(-1)!.at
    }
    // The day at which it stopped may have more.
    return before.slice(0, DAY)
  }
  const cuts = [
    await count(runsList(tenant), { runs: 1 }),
    await count(fanoutsList(tenant), { fanouts: 1 }),
  ]
  const cut = cuts
    .filter((one) => one !== undefined)
    .sort()
    .at(-1)
  const all = [...days].map(([date, sum]) => ({ date, ...sum }))
  const found = all.sort((one, other) => (one.date < other.date ? 1 : -1))
  const { days: answered, nextTo } = upTo(found, cut)
  const groups = by === 'day' ? null : groupsOf(answered)
  return { days: answered.map(({ groups: _, ...day }) => day), nextTo, groups }
}

/** Days that were counted whole. */
function upTo(found: readonly Counted[], cut: string | undefined) {
  if (cut === undefined) return { days: found, nextTo: null }
  const whole = found.filter(({ date }) => date > cut)
  if (whole.length > 0) return { days: whole, nextTo: nextDay(cut) }
  // One day that is too much by itself: what follows it can still be asked for.
  const [first] = found.filter(({ date }) => date === cut)
  return { days: first ? [{ ...first, partial: true as const }] : [], nextTo: cut }
}

/** The root itself counts once: where its own agent is, or the model of its first answer. */
function countGroups(groups: Groups, root: Root, sum: UsageSum, by: 'agent' | 'model'): void {
  const { runs, fanouts, unpriced } = sum
  const shares = sharesOf(root)
  const first = by === 'model' && root.agent !== undefined ? shares[0]?.model : undefined
  put(groups, first ?? root[by] ?? null, { ...NO_SUM, runs, fanouts, unpriced })
  for (const share of shares) put(groups, share[by], { ...ofUsage(share.usage), unpriced: 0 })
}

const put = (groups: Groups, name: string | null, sum: UsageSum): void => {
  groups.set(name, added(groups.get(name) ?? NO_SUM, sum))
}

/** Rows of earlier releases have none: then only a run without subagents is known to be its own. */
function sharesOf({ usage, usage_by, agent, model = null, children }: Root): UsageShares {
  const isAlone = agent !== undefined && children?.total === 0
  if (usage_by === undefined && isAlone) return [{ agent, model, usage }]
  return wholeShares(usage, usage_by ?? [])
}

/** The dearest first; the group without a name, which takes those beyond the limit, is last. */
function groupsOf(days: readonly Counted[]): readonly UsageGroup[] {
  const all: Groups = new Map()
  for (const { groups } of days) for (const [name, sum] of groups) put(all, name, sum)
  const named = [...all].filter(([name]) => name !== null).sort(byAmount)
  const rest: Groups = new Map([...all].filter(([name]) => name === null))
  for (const [, sum] of named.splice(LIMITS.usage_groups)) put(rest, null, sum)
  return [...named, ...rest].map(([name, sum]) => ({ name, ...sum }))
}

type Named = readonly [string | null, UsageSum]
const tokensOf = ({ usage }: UsageSum): number => usage.input_tokens + usage.output_tokens
const byAmount = ([one, left]: Named, [other, right]: Named): number =>
  (right.cost ?? 0) - (left.cost ?? 0) ||
  tokensOf(right) - tokensOf(left) ||
  ((one ?? '') < (other ?? '') ? -1 : 1)

const DAY_MS = 86_400_000
const nextDay = (date: string): string => dayOf(parseTime(date)! + DAY_MS)

const ofUsage = (usage: Usage): UsageSum => ({
  ...NO_SUM,
  usage,
  unpriced: usage.model_calls > 0 && usage.list_price === undefined ? 1 : 0,
  cost: usage.list_price ?? null,
})

export function added(one: UsageSum, other: UsageSum): UsageSum {
  const usage = addUsage(one.usage, other.usage)
  return {
    runs: one.runs + other.runs,
    fanouts: one.fanouts + other.fanouts,
    unpriced: one.unpriced + other.unpriced,
    usage,
    cost: usage.list_price ?? null,
  }
}
