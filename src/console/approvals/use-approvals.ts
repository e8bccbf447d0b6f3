/** Lists of approvals and questions, refreshed while the page is visible, and the selected row. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, queries, type Schemas } from '../data/api.ts'
import { useMay } from '../data/session.ts'
import { usePages } from '../kit/more.tsx'
import { useIsWide } from '../kit/wide.ts'
import { approvalSearch, neighborOf, nextAfter, type Tab } from './selection.ts'

export type Approval = Schemas['Approval']
export type Run = Schemas['Run']

export const EVERY_MS = 5_000
const PAGE = 100

export const approvalQuery = (id: string) => ({
  queryKey: ['approvals', id],
  queryFn: () => api.approvals.get(id),
})

const countText = (count: number, hasMore = false): string => `${count}${hasMore ? '+' : ''}`

export function useApprovals(tab: Tab) {
  // Lists may lag behind a decision, so decided approvals are left out by ID.
  const [decidedIds, setDecidedIds] = useState<ReadonlySet<string>>(new Set())
  const pending = usePages<Approval>(
    ['approvals', 'list', 'pending'],
    (cursor) => api.approvals.list({ status: 'pending', limit: PAGE, cursor }),
    EVERY_MS,
  )
  const decided = usePages<Approval>(
    ['approvals', 'list', 'decided'],
    (cursor) => api.approvals.list({ status: 'decided', limit: PAGE, cursor }),
    EVERY_MS,
    tab === 'decided',
  )
  const questions = useQuery({
    queryKey: ['runs', 'questions'],
    enabled: useMay('runs:read'),
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }) => {
      const query = { waiting_on: 'input', status: 'waiting', limit: PAGE }
      const { data, has_more } = await api.runs.list(query, { signal })
      return { runs: data.filter(({ question }) => question !== undefined), hasMore: has_more }
    },
  })
  const waiting = pending.items.filter(({ id }) => !decidedIds.has(id))
  const runs = questions.data?.runs ?? []
  return {
    approvals: tab === 'pending' ? waiting : decided.items,
    pages: tab === 'pending' ? pending : decided,
    questions: tab === 'pending' ? runs : [],
    questionsError: questions.error,
    hasQuestions: questions.data !== undefined,
    questionsText: countText(runs.length, questions.data?.hasMore),
    countText: countText(waiting.length, pending.hasNextPage),
    noteDecided: (ids: readonly string[]) => setDecidedIds((all) => new Set([...all, ...ids])),
  }
}

/** Selected row, which the address names, so that no refresh of the list changes it. */
export function useSelection(ids: readonly string[], selection: string | undefined) {
  const navigate = useNavigate({ from: '/approvals' })
  const isWide = useIsWide()
  const lastIndex = useRef(0)
  const at = selection === undefined ? -1 : ids.indexOf(selection)
  useEffect(() => {
    if (at >= 0) lastIndex.current = at
  }, [at])
  const select = (id: string | undefined, replace = isWide): void => {
    void navigate({
      to: '.',
      replace,
      search: (search) => {
        const { sel: _, ...others } = approvalSearch({ ...search })
        return { ...others, ...(id ? { sel: id } : {}) }
      },
    })
  }
  const [first] = ids
  // biome-ignore lint/correctness/useExhaustiveDependencies: `select` is new in each render.
  useEffect(() => {
    if (isWide && selection === undefined && first) select(first, true)
  }, [isWide, selection, first])
  const next = selection === undefined ? undefined : nextAfter(ids, selection)
  useEffect(() => {
    if (next?.startsWith('apr_')) void queries.prefetchQuery(approvalQuery(next))
  }, [next])
  useEffect(() => {
    const row = selection && document.getElementById(`row-${selection}`)
    if (row) row.scrollIntoView({ block: 'nearest' })
  }, [selection])
  return {
    select,
    move: (step: 1 | -1) => select(neighborOf(ids, selection, lastIndex.current, step)),
    /** Selects the next row after a decision, unless the reader has selected another. */
    leave: (id: string) => id === selection && select(next, true),
  }
}
