/**
 * Daily tokens and dollars of a tenant, computed from its listed root runs and fan-outs. There are
 * no separate counters, so a retried end is not counted twice. The usage of a root includes all its
 * descendants.
 */

import { LIMITS } from '../../core/limits.ts'
import { addUsage, NO_USAGE, type Usage } from '../../core/message.ts'
import { dayOf, parseTime } from '../../lib/time.ts'
import type { World } from '../../ports/world.ts'
import { fanoutsList, runsList } from '../partition/keys.ts'
import { headOf } from '../partition/stored.ts'

export interface UsageSum {
  readonly runs: number
  readonly fanouts: number
  /** Number of root runs that used a model without a price. */
  readonly unpriced: number
  readonly usage: Usage
  readonly cost: number | null
}
/** Member of runs by which usage is grouped. */
export type UsageGrouping = 'agent' | 'model' | 'kind'
/** Usage by value of the grouping member; null stands for roots without a value. */
export type UsageGroups = ReadonlyMap<string | null, UsageSum>
export interface UsageDay extends UsageSum {
  /** Date of the usage in UTC, for example `2026-11-23`. */
  readonly date: string
  /** Set if the day has more root runs than were counted. */
  readonly partial?: true
  /** Empty if the usage is not grouped. */
  readonly groups: UsageGroups
}
export interface UsageOfDays {
  /** Days that have root runs, newest first. */
  readonly days: readonly UsageDay[]
  /**
   * Day before which root runs were not counted because there were too many; null if all were
   * counted.
   */
  readonly nextTo: string | null
}

const PAGE = 100
const DAY = 'YYYY-MM-DD'.length
export const NO_SUM: UsageSum = { runs: 0, fanouts: 0, unpriced: 0, usage: NO_USAGE, cost: null }

/** Returns the usage of root runs created from day `from` up to, but not including, day `to`. */
export async function usageOfDays(
  world: World,
  tenant: string,
  { from, to }: { readonly from: string; readonly to: string },
  grouping?: UsageGrouping,
): Promise<UsageOfDays> {
  const days = new Map<string, { sum: UsageSum; readonly groups: Map<string | null, UsageSum> }>()
  const count = async (
    under: string,
    counts: Partial<UsageSum>,
    groupOf: (view: RootView) => string | null,
  ): Promise<string | undefined> => {
    let cursor = to
    for (let readCount = 0; readCount < LIMITS.usage_roots; readCount += PAGE) {
      const page = await world.store.list(under, cursor, PAGE)
      for (const { at, body } of page) {
        if (at < from) return undefined
        const { view } = headOf<RootView>(body)
        const date = at.slice(0, DAY)
        const day = days.get(date) ?? { sum: NO_SUM, groups: new Map() }
        const root = { ...ofUsage(view.usage), ...counts }
        day.sum = added(day.sum, root)
        if (grouping) addTo(day.groups, groupOf(view), root)
        days.set(date, day)
      }
      if (page.length < PAGE) return undefined
      cursor = page.at(-1)!.at
    }
    // The last counted day may be incomplete.
    return cursor.slice(0, DAY)
  }
  const cuts = [
    await count(runsList(tenant), { runs: 1 }, (view) => (grouping && view[grouping]) ?? null),
    await count(fanoutsList(tenant), { fanouts: 1 }, () => (grouping === 'kind' ? 'fanout' : null)),
  ]
  const cut = cuts
    .filter((date) => date !== undefined)
    .sort()
    .at(-1)
  const all = [...days].map(([date, { sum, groups }]) => ({ date, ...sum, groups }))
  const newestFirst = all.sort((day, other) => (day.date < other.date ? 1 : -1))
  if (cut === undefined) return { days: newestFirst, nextTo: null }
  const complete = newestFirst.filter(({ date }) => date > cut)
  if (complete.length > 0) return { days: complete, nextTo: nextDay(cut) }
  // A single day can exceed the limit; earlier days can still be requested.
  const [first] = newestFirst.filter(({ date }) => date === cut)
  return { days: first ? [{ ...first, partial: true }] : [], nextTo: cut }
}

type RootView = { readonly usage: Usage } & Readonly<Partial<Record<UsageGrouping, string | null>>>

function addTo(groups: Map<string | null, UsageSum>, group: string | null, sum: UsageSum): void {
  groups.set(group, added(groups.get(group) ?? NO_SUM, sum))
}

/** Returns the groups of several days together. */
export function mergedGroups(days: readonly Pick<UsageDay, 'groups'>[]): UsageGroups {
  const merged = new Map<string | null, UsageSum>()
  for (const { groups } of days) for (const [group, sum] of groups) addTo(merged, group, sum)
  return merged
}

interface ListedGroups {
  readonly groups: readonly (UsageSum & { readonly group: string | null })[]
  /** Sum of the groups that are not listed; absent if all are. */
  readonly other?: UsageSum & { readonly groups: number }
}

/** Lists the groups with the most tokens first; groups beyond the limit are summed. */
export function listGroups(groups: UsageGroups): ListedGroups {
  const sorted = [...groups]
    .map(([group, sum]) => ({ group, ...sum }))
    .sort((left, right) => tokensOf(right) - tokensOf(left) || compareNames(left, right))
  const unlisted = sorted.slice(LIMITS.usage_groups)
  const first = sorted.slice(0, LIMITS.usage_groups)
  if (unlisted.length === 0) return { groups: first }
  return { groups: first, other: { groups: unlisted.length, ...unlisted.reduce(added, NO_SUM) } }
}

type Grouped = { readonly group: string | null }
const compareNames = (left: Grouped, right: Grouped): number =>
  String(left.group) < String(right.group) ? -1 : 1

const tokensOf = ({ usage }: UsageSum): number => usage.input_tokens + usage.output_tokens

const DAY_MS = 86_400_000
const nextDay = (date: string): string => dayOf(parseTime(date)! + DAY_MS)

const ofUsage = (usage: Usage): UsageSum => ({
  ...NO_SUM,
  usage,
  unpriced: usage.model_calls > 0 && usage.list_price === undefined ? 1 : 0,
  cost: usage.list_price ?? null,
})

export function added(sum: UsageSum, other: UsageSum): UsageSum {
  const usage = addUsage(sum.usage, other.usage)
  return {
    runs: sum.runs + other.runs,
    fanouts: sum.fanouts + other.fanouts,
    unpriced: sum.unpriced + other.unpriced,
    usage,
    cost: usage.list_price ?? null,
  }
}
