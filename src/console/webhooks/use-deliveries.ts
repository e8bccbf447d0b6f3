/** Deliveries of the page: the list, refreshed while the page is visible, its rows, and its marks. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { neighborOf } from '../approvals/selection.ts'
import { api, queries, type Schemas } from '../data/api.ts'
import { usePages } from '../kit/more.tsx'
import { useIsWide } from '../kit/wide.ts'
import { withMark, withRange } from '../runs/marks.ts'
import { type Filters, queryOf, webhookSearch } from './search.ts'

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

/** Selected row, which the address names, so that no refresh of the list changes it. */
export function useSelection(ids: readonly string[], selection: string | undefined) {
  const navigate = useNavigate({ from: '/webhooks' })
  const isWide = useIsWide()
  const lastIndex = useRef(0)
  const at = selection === undefined ? -1 : ids.indexOf(selection)
  useEffect(() => {
    if (at >= 0) lastIndex.current = at
  }, [at])
  useEffect(() => {
    if (selection !== undefined)
      document.getElementById(`row-${selection}`)?.scrollIntoView({ block: 'nearest' })
  }, [selection])
  const select = (id: string | undefined, replace = isWide): void => {
    void navigate({
      to: '.',
      replace,
      search: (search) => {
        const { sel: _, ...others } = webhookSearch({ ...search })
        return { ...others, ...(id ? { sel: id } : {}) }
      },
    })
  }
  return {
    select,
    move: (step: 1 | -1) => select(neighborOf(ids, selection, lastIndex.current, step)),
  }
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
