/**
 * Tasks of a fan-out, loaded page by page. While the fan-out runs, only pages whose tasks can still
 * change are read again.
 */

import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type Schemas } from '../data/api.ts'

export type Task = Schemas['TaskResult']

const PAGE = 100
const EVERY_MS = 3_000
/** Number of pages loaded without a request of the reader. */
const PAGES = 10

const canChange = ({ status }: Task): boolean => status === 'queued' || status === 'live'

export function useTasks(id: string, isLive: boolean) {
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  const [maxPages, setMaxPages] = useState(PAGES)
  const pages = useQueries({
    queries: cursors.map((cursor, at) => ({
      // A page that was read before the end of the fan-out may lack the last results.
      queryKey: ['fanouts', id, 'tasks', at, isLive],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        api.fanouts.tasks(id, { cursor, limit: PAGE }, { signal }),
      placeholderData: (previous: Page | undefined) => previous,
      refetchInterval: ({ state }: { readonly state: { readonly data?: Page | undefined } }) =>
        isLive && (!state.data?.next_cursor || state.data.data.some(canChange)) ? EVERY_MS : false,
    })),
  })
  const next = pages.at(-1)?.data?.next_cursor
  useEffect(() => {
    if (next && cursors.length < maxPages) setCursors([...cursors, next])
  }, [next, cursors, maxPages])
  return {
    items: pages.flatMap(({ data }) => data?.data ?? []),
    error: pages.find(({ error }) => error)?.error,
    hasData: pages.every(({ data }) => data !== undefined),
    isPending: pages[0]?.isPending === true,
    hasMore: Boolean(next) && cursors.length >= maxPages,
    loadMore: () => setMaxPages(maxPages + PAGES),
    reload: () => void Promise.all(pages.map((page) => page.refetch())),
  }
}

interface Page {
  readonly data: readonly Task[]
  readonly next_cursor?: string | null
}
