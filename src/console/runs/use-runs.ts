/** Run list of the page: read, refreshed while the page is visible, and continued on demand. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { api, ProblemError, queries, type Schemas } from '../data/api.ts'
import { type Filters, queryOf } from './filters.ts'
import {
  isLive,
  missingFrom,
  type RunList,
  withFirstPage,
  withNextPage,
  withoutRows,
  withRows,
  withWaitingShown,
} from './list.ts'

export type Run = Schemas['Run']
type List = RunList<Run>

const FIRST = 50
const MORE = 100
const LIVE_MS = 3_000
const QUIET_MS = 15_000
/** Maximum number of single runs read with each refresh, because the first page lacks them. */
const SINGLE = 10
/** Time ranges start at a full minute, so that a return to the page finds the list in the cache. */
const MINUTE_MS = 60_000

/** Part of the list that the table currently shows. */
export interface InView {
  readonly isAtTop: boolean
  readonly ids: readonly string[]
}

export function useRuns(filters: Filters, inView: () => InView) {
  const text = JSON.stringify(filters)
  const query = useMemo(
    () => queryOf(JSON.parse(text), Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS),
    [text],
  )
  const key = ['runs', 'list', query]
  /** Ended runs that the first page lacks and that still exist; they no longer change. */
  const settledIds = useRef(new Set<string>())
  const current = (): List | undefined => queries.getQueryData<List>(key)
  const change = (edit: (list: List) => List): void => {
    queries.setQueryData<List>(key, (list) => list && edit(list))
  }
  const first = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const page = await api.runs.list({ ...query, limit: FIRST }, { signal })
      const stale = staleIds(current(), page, inView())
      const ids = stale.filter((id) => !settledIds.current.has(id)).slice(0, SINGLE)
      const single = await Promise.all(ids.map((id) => readRun(id, signal)))
      for (const run of single) if (run && !isLive(run)) settledIds.current.add(run.id)
      const deleted = new Set(ids.filter((_, at) => single[at] === undefined))
      const list = withFirstPage(current(), page, inView().isAtTop)
      const fresh = withRows(
        list,
        single.filter((run) => run !== undefined),
      )
      return deleted.size === 0 ? fresh : withoutRows(fresh, deleted)
    },
    // Rows keep their identity by ID, not by position.
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      state.data && isBusy(state.data, inView()) ? LIVE_MS : QUIET_MS,
  })
  const more = useMutation({
    mutationFn: async () => {
      const cursor = current()?.next ?? undefined
      if (cursor === undefined) return
      const page = await api.runs.list({ ...query, limit: MORE, cursor })
      change((list) => (list.next === cursor ? withNextPage(list, page) : list))
    },
  })
  return {
    ...{ list: first.data, error: first.error, readAt: first.dataUpdatedAt },
    reload: () => void first.refetch(),
    more,
    showWaiting: () => change(withWaitingShown),
    remove: (ids: ReadonlySet<string>) => change((list) => withoutRows(list, ids)),
  }
}

/**
 * Returns the IDs of rows that the first page does not refresh: live rows in view, and rows that
 * the page should contain.
 */
function staleIds(
  list: List | undefined,
  page: Parameters<typeof missingFrom<Run>>[1],
  { ids }: InView,
): readonly string[] {
  if (!list) return []
  const fresh = new Set(page.data.map(({ id }) => id))
  const visibleIds = new Set(ids)
  const live = list.rows.filter(
    (run) => visibleIds.has(run.id) && isLive(run) && !fresh.has(run.id),
  )
  const liveIds = live.map(({ id }) => id)
  return [...new Set([...liveIds, ...missingFrom(list, page)])]
}

/** Reads a run; undefined if it was deleted. */
const readRun = async (id: string, signal: AbortSignal): Promise<Run | undefined> => {
  try {
    return await api.runs.get(id, {}, { signal })
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined
    throw error
  }
}

/**
 * Whether rows in view or on the first page are live. A search that matches few runs reads many to
 * fill its first page, so it is refreshed less often.
 */
function isBusy({ rows, next }: List, { ids }: InView): boolean {
  if (rows.length < FIRST && next !== null) return false
  const visibleIds = new Set(ids)
  return rows.some((run, at) => isLive(run) && (at < FIRST || visibleIds.has(run.id)))
}
