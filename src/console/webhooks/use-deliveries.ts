/** Deliveries of the page: the list, refreshed while the page is visible, its rows, and its marks. */

import { useMemo, useRef, useState } from 'react'
import { api, queries, type Schemas } from '../data/api.ts'
import { usePages } from '../kit/more.tsx'
import { withMark, withRange } from '../runs/marks.ts'
import { type Filters, queryOf } from './search.ts'

export type Delivery = Schemas['Delivery']

export const EVERY_MS = 5_000
const PAGE = 50
/** Time ranges start at a full minute, so that a return to the page finds the list in the cache. */
const MINUTE_MS = 60_000

export const DELIVERIES = ['webhooks', 'deliveries'] as const

export const reloadDeliveries = (): Promise<void> =>
  queries.invalidateQueries({ queryKey: DELIVERIES })

export function useDeliveries(filters: Filters) {
  const text = JSON.stringify(filters)
  const query = useMemo(
    () => queryOf(JSON.parse(text), Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS),
    [text],
  )
  const pages = usePages<Delivery>(
    [...DELIVERIES, 'list', query],
    (cursor) => api.webhookDeliveries.list({ ...query, limit: PAGE, cursor }),
    EVERY_MS,
  )
  return { query, pages, deliveries: pages.items }
}

export function useMarks(ids: readonly string[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string>(undefined)
  return {
    /** Marked rows that are still in the list. */
    ids: ids.filter((id) => marked.has(id)),
    has: (id: string) => marked.has(id),
    clear: () => setMarked(new Set()),
    mark: (id: string | undefined, isRange: boolean) => {
      if (id === undefined || !ids.includes(id)) return
      setMarked(isRange ? withRange(marked, ids, [anchor.current, id]) : withMark(marked, id))
      anchor.current = id
    },
  }
}
