/**
 * Rows (runs, fan-outs) that were read, newest first, kept up to date. A short list is read anew
 * as a whole. Of a long one only what may have changed in sight is: its beginning, where new rows
 * come in, and the page in sight.
 */

import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { PageOf } from '../../ui/more.tsx'

interface Named {
  readonly id: string
}
type Pages<T> = InfiniteData<SearchedPage<T>, string | undefined>

/** A search that stopped at its bound says how far it came. */
interface SearchedPage<T> extends PageOf<T> {
  readonly searched_to?: string
}

const EVERY_MS = 4_000
/** Pages that are read anew as a whole. */
const SHORT = 3

export interface LiveList<T> {
  readonly key: readonly unknown[]
  readonly read: (cursor: string | undefined) => PromiseLike<SearchedPage<T>>
  /** The number of the row in the middle of the window. */
  readonly seen: () => number
}

export function useLiveList<T extends Named>({ key, read, seen }: LiveList<T>) {
  const cache = useQueryClient()
  const found = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: SearchedPage<T>) => last.next_cursor ?? undefined,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= SHORT ? EVERY_MS : false),
    // The same as the interval: a long list is not read anew because somebody came back to it.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= SHORT,
  })
  const isLong = (found.data?.pages.length ?? 0) > SHORT
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for all that it is made of.
  useEffect(() => {
    if (!isLong) return
    const refresh = async (): Promise<void> => {
      const pages = cache.getQueryData<Pages<T>>(key)
      if (!pages || document.hidden) return
      for (const at of new Set([0, pageOf(pages, seen())])) {
        const cursor = pages.pageParams[at]
        const { data } = await read(cursor)
        if (at === 0 && isGap(pages, data)) return cache.invalidateQueries({ queryKey: key })
        cache.setQueryData<Pages<T>>(key, (before) => before && merged(before, data))
      }
    }
    // The next interval asks again; that nothing answers is said by the page's other requests.
    const timer = setInterval(() => void refresh().catch(() => {}), EVERY_MS)
    return () => clearInterval(timer)
  }, [isLong, JSON.stringify(key)])
  const { data } = found
  const items = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  // Undefined: the last page that was read has come to no bound.
  const searchedTo = data?.pages.at(-1)?.searched_to
  return { ...found, items, searchedTo }
}

function pageOf<T>({ pages }: Pages<T>, item: number): number {
  let before = 0
  const at = pages.findIndex(({ data }) => {
    before += data.length
    return item < before
  })
  return Math.max(0, at)
}

/** More new rows than one page holds: between them and those known may be others. */
const isGap = <T extends Named>({ pages }: Pages<T>, newest: readonly T[]): boolean => {
  const known = new Set(pages[0]?.data.map(({ id }) => id))
  return newest.length > 0 && !newest.some(({ id }) => known.has(id))
}

/** Rows that are known become what they are now; others stand before all. */
function merged<T extends Named>(before: Pages<T>, fresh: readonly T[]): Pages<T> {
  const byId = new Map(fresh.map((run) => [run.id, run]))
  const pages = before.pages.map((page) => {
    if (!page.data.some(({ id }) => byId.has(id))) return page
    const data = page.data.map((run) => {
      const next = byId.get(run.id)
      byId.delete(run.id)
      // What has not changed keeps its identity, and its row is not drawn again.
      return next && JSON.stringify(next) !== JSON.stringify(run) ? next : run
    })
    return { ...page, data }
  })
  const [first, ...rest] = pages
  if (!first || byId.size === 0) return { ...before, pages }
  return { ...before, pages: [{ ...first, data: [...byId.values(), ...first.data] }, ...rest] }
}
