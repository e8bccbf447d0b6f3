/**
 * Lists of runs by their properties. The index is searched in portions, so a request examines a
 * bounded number of runs: a page may hold less than there is, and its cursor goes on from there.
 */

import { isFound, type RunFilter, wantedTags } from '../core/run/tags.ts'
import type { RunView } from '../core/run/view.ts'
import { canonical } from '../lib/digest.ts'
import type { World } from '../ports/world.ts'
import { openCursor, type Page, sealCursor } from './page.ts'

export interface Search {
  readonly filter: RunFilter
  readonly order: 'asc' | 'desc'
  /** RFC 3339 as our own times are written: at or after, and before. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Each reads 10,000 entries of the index at the most. */
const PORTIONS = 20
/** Runs read at once where the index alone cannot tell which of them are meant. */
const UNSURE = 100
const LIVE: readonly string[] = ['queued', 'running', 'waiting']

/** The index is exact about a filter, but for which of the live ones are meant. */
const isExact = ({ status = [] }: RunFilter): boolean =>
  LIVE.every((one) => status.includes(one as never)) ||
  !LIVE.some((one) => status.includes(one as never))

export async function searchRuns(
  world: World,
  under: string,
  page: { readonly limit: number; readonly cursor?: string | undefined },
  { filter, order, from, to }: Search,
): Promise<Page<RunView>> {
  const list = `${under}?${canonical({ filter, order, from, to })}`
  const tags = wantedTags(filter)
  const found: { readonly at: string; readonly run: RunView }[] = []
  let last = await openCursor(world, list, page.cursor)
  let whole = false
  for (let portion = 0; portion < PORTIONS && found.length <= page.limit; portion += 1) {
    const room = page.limit + 1 - found.length
    const { rows, reached } = await world.store.find(under, {
      ...tags,
      order: order === 'desc' ? 'newest' : 'oldest',
      above: order === 'asc' ? (last ?? from) : from,
      below: order === 'desc' ? (last ?? to) : to,
      limit: isExact(filter) ? room : UNSURE,
    })
    for (const { at, body } of rows) {
      const run = (JSON.parse(body) as { view: RunView }).view
      if (isFound(run, filter)) found.push({ at, run })
    }
    last = reached
    whole = reached === undefined
    if (whole) break
  }
  const data = found.slice(0, page.limit)
  const over = found.length > data.length
  const at = over ? data.at(-1)!.at : last
  const has_more = over || !whole
  const next_cursor = has_more && at !== undefined ? await sealCursor(world, list, at) : null
  return { data: data.map(({ run }) => run), next_cursor, has_more }
}
