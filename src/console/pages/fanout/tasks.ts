/**
 * The tasks of a fan-out, page after page without being asked; while it runs, only those pages are
 * read anew in which something may still change.
 */

import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type Schemas } from '../../app/api.ts'

type Task = Schemas['TaskResult']

const PAGE = 100
const EVERY_MS = 2_000
/** So many pages come by themselves: 3,000 tasks are 3,000 links of the page. */
const PAGES = 30

const isOpen = ({ status }: Task): boolean => status === 'queued' || status === 'live'

export function useTasks(id: string, isLive: boolean) {
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  const [most, setMost] = useState(PAGES)
  const pages = useQueries({
    queries: cursors.map((cursor, at) => ({
      // What a page was when the fan-out ended is not the last word about it.
      queryKey: ['fanouts', id, 'tasks', at, isLive],
      queryFn: async () => api.fanouts.tasks(id, { cursor, limit: PAGE } as never),
      placeholderData: (before: unknown) => before as never,
      refetchInterval: ({ state }: { readonly state: { readonly data?: Page | undefined } }) =>
        isLive && (!state.data?.next_cursor || state.data.data.some(isOpen)) ? EVERY_MS : false,
    })),
  })
  const last = pages.at(-1)
  const next = last?.data?.next_cursor
  useEffect(() => {
    if (next && cursors.length < most) setCursors([...cursors, next])
  }, [next, cursors, most])
  return {
    items: pages.flatMap(({ data }) => data?.data ?? []) as readonly Task[],
    error: pages.find(({ error }) => error)?.error,
    hasMore: Boolean(next) && cursors.length >= most,
    onMore: () => setMost(most + PAGES),
    onRetry: () => void Promise.all(pages.filter(({ error }) => error).map((one) => one.refetch())),
  }
}

interface Page {
  readonly data: readonly Task[]
  readonly next_cursor?: string | null
}
