/**
 * Lists of runs by their properties and by a text. The index is searched in portions, of 10,000
 * entries at the most, so a request examines a bounded number of runs. No index knows the text: for
 * it the rows themselves are read, fewer of them.
 */

import { LIMITS } from '../core/limits.ts'
import { isFound, type RunFilter, wantedTags } from '../core/run/tags.ts'
import { hasText } from '../core/run/text-search.ts'
import type { RunView } from '../core/run/view.ts'
import type { Page } from '../engine/partition/page.ts'
import { headOf } from '../engine/partition/stored.ts'
import { canonical } from '../lib/digest.ts'
import type { World } from '../ports/world.ts'
import { listedRun } from './attachments.ts'
import { PORTIONS, searched } from './page.ts'

export interface Search {
  readonly filter: RunFilter
  /** Stands in the row, in whatever case. */
  readonly q?: string | undefined
  readonly order: 'asc' | 'desc'
  /** RFC 3339 as our own times are written: at or after, and before. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Runs read at once where the index alone cannot tell which of them are meant. */
const UNSURE = 100
const TEXT_PORTION = LIMITS.runs_searched / PORTIONS
const LIVE: readonly string[] = ['queued', 'running', 'waiting']

/** The index is exact about a filter, but for which of the live ones are meant. */
const isExact = ({ status = [] }: RunFilter): boolean =>
  LIVE.every((one) => status.includes(one as never)) ||
  !LIVE.some((one) => status.includes(one as never))

/** A page that stopped at its bound and not at `limit` says so. */
interface RunPage extends Page<ReturnType<typeof listedRun>> {
  /** A time: the search has come so far. */
  readonly searched_to?: string
}

export async function searchRuns(
  world: World,
  under: string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
  { filter, q, order, from, to }: Search,
): Promise<RunPage> {
  const tags = wantedTags(filter)
  const list = `${under}?${canonical({ filter, q, order, from, to })}`
  const portion = q === undefined ? UNSURE : TEXT_PORTION
  let stopped: string | undefined
  const read = async (last: string | undefined, room: number) => {
    const { rows, reached } = await world.store.find(under, {
      ...tags,
      order: order === 'desc' ? 'newest' : 'oldest',
      above: order === 'asc' ? (last ?? from) : from,
      below: order === 'desc' ? (last ?? to) : to,
      limit: isExact(filter) && q === undefined ? room : portion,
    })
    const runs = rows.map(({ at, body }) => ({ at, item: headOf<RunView>(body).view }))
    const found = runs.filter(
      ({ item }) => isFound(item, filter) && (q === undefined || hasText(item, q)),
    )
    return { found: found.map(({ at, item }) => ({ at, item: listedRun(item) })), reached }
  }
  const page = await searched(world, list, query, read, (at) => {
    stopped = at
  })
  // A place in the list begins with the time of creation.
  return stopped === undefined ? page : { ...page, searched_to: stopped.split(' ')[0]! }
}
