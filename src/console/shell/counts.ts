/** Queries behind the counts of live runs and of pending approvals, refreshed while visible. */

import { queryOptions } from '@tanstack/react-query'
import { api } from '../data/api.ts'

const EVERY_MS = 10_000
/** Number of rows above which a count says "and more". */
const LIMIT = 50

export const LIVE_RUNS = queryOptions({
  queryKey: ['runs', 'live'],
  queryFn: async ({ signal }) => {
    const query = { status: 'queued,running,waiting', limit: LIMIT }
    const { data, has_more = false } = await api.runs.list(query, { signal })
    return { ids: data.map(({ id }) => id), hasMore: has_more }
  },
  refetchInterval: EVERY_MS,
})

export const PENDING_APPROVALS = queryOptions({
  queryKey: ['approvals', 'live'],
  queryFn: async ({ signal }) => {
    const { data, has_more = false } = await api.approvals.list({ limit: LIMIT }, { signal })
    return { ids: data.map(({ id }) => id), hasMore: has_more, approvals: data }
  },
  refetchInterval: EVERY_MS,
})
