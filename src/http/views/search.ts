/**
 * Lists runs by their properties. The index is searched in sections of at most 10,000 entries, so a
 * request examines a limited number of runs.
 */

import { isFound, type RunFilter, wantedTags } from '../../core/run/views/tags.ts'
import type { RunView } from '../../core/run/views/view.ts'
import type { Page } from '../../engine/partition/page.ts'
import { headOf } from '../../engine/partition/stored.ts'
import { canonical } from '../../lib/digest.ts'
import type { World } from '../../ports/world.ts'
import { searched } from '../request/page.ts'
import { listedRun } from './attachments.ts'

export interface Search {
  readonly filter: RunFilter
  readonly order: 'asc' | 'desc'
  /**
   * Start of the time range, in RFC 3339 with the server's precision. `from` is inclusive; `to` is
   * exclusive.
   */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Number of runs read in one batch if the index alone cannot decide. */
const UNSURE = 100
const LIVE: readonly string[] = ['queued', 'running', 'waiting']

/**
 * Reports whether the index alone can decide a filter; it cannot distinguish the statuses of active
 * runs, and has no entries for `q`, `model`, and `waiting_on`.
 */
const isExact = ({ status = [], q, model, waiting_on }: RunFilter): boolean =>
  (q ?? model ?? waiting_on) === undefined && isExactStatus(status)

const isExactStatus = (status: readonly string[]): boolean =>
  LIVE.every((state) => status.includes(state)) || !LIVE.some((state) => status.includes(state))

/** Reports whether no run can match: only a run with the status `waiting` waits for something. */
const matchesNone = ({ status, waiting_on }: RunFilter): boolean =>
  waiting_on !== undefined && status !== undefined && !status.includes('waiting')

export async function searchRuns(
  world: World,
  under: string,
  query: { readonly limit: number; readonly cursor?: string | undefined },
  { filter, order, from, to }: Search,
): Promise<Page<ReturnType<typeof listedRun>>> {
  const tags = wantedTags(filter)
  const list = `${under}?${canonical({ filter, order, from, to })}`
  return searched(world, list, query, async (last, room) => {
    if (matchesNone(filter)) return { found: [], reached: undefined }
    const { rows, reached: endAt } = await world.store.find(under, {
      ...tags,
      order: order === 'desc' ? 'newest' : 'oldest',
      above: order === 'asc' ? (last ?? from) : from,
      below: order === 'desc' ? (last ?? to) : to,
      limit: isExact(filter) ? room : UNSURE,
    })
    const runs = rows.map(({ at, body }) => ({ at, item: headOf<RunView>(body).view }))
    const matches = runs.filter(({ item }) => isFound(item, filter))
    return { found: matches.map(({ at, item }) => ({ at, item: listedRun(item) })), reached: endAt }
  })
}
