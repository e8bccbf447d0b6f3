/** Lists whose pages are loaded on demand. */

import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useWords } from '../i18n/words.ts'
import { Button } from './button.tsx'
import { PollProblem } from './notice.tsx'

export interface PageOf<T> {
  readonly data: readonly T[]
  readonly next_cursor?: string | null
}

/** Loads the pages of a list by cursor. */
export function usePages<T>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => PromiseLike<PageOf<T>>,
  everyMs?: number,
  isEnabled = true,
) {
  const query = useInfiniteQuery({
    queryKey: key,
    enabled: isEnabled,
    queryFn: async ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: PageOf<T>) => last.next_cursor ?? undefined,
    // Each refresh reloads every page, so longer lists are refreshed less often.
    refetchInterval: ({ state }) =>
      everyMs !== undefined && everyMs * Math.max(1, state.data?.pages.length ?? 1),
  })
  return { ...query, items: query.data?.pages.flatMap(({ data }) => data) ?? [] }
}

export function More({ of }: { readonly of: UseInfiniteQueryResult }) {
  const words = useWords()
  // The reader asked for the next page, so its failure is not left to the line of the page.
  const hasData = of.data !== undefined && !of.isFetchNextPageError
  if (!of.error && !of.hasNextPage) return null
  return (
    <div className="grid gap-3 py-3">
      <PollProblem error={of.error} hasData={hasData} onRetry={() => void of.refetch()} />
      {of.hasNextPage && (
        <Button busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
          {words('more')}
        </Button>
      )}
    </div>
  )
}
