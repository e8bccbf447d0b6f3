/** State of a run's page, which its address contains. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type RunSearch, runSearch, type Selection, selectionOf, type Tab } from './search.ts'

export function useRunState() {
  const navigate = useNavigate({ from: '/runs/$run' })
  // The address can contain values that the route dropped.
  const search = runSearch(useSearch({ strict: false }))
  const { tab = 'timeline', sel, with: other } = search
  return useMemo(() => {
    const change = (search: RunSearch & { readonly clear?: true }, replace: boolean): void => {
      const { clear, ...next } = search
      void navigate({
        to: '.',
        replace,
        search: ({ sel: previous, ...others }: RunSearch) => ({
          ...others,
          ...(clear || previous === undefined ? {} : { sel: previous }),
          ...next,
        }),
      })
    }
    const compareWith = (id: string | undefined): void => {
      void navigate({
        to: '.',
        search: ({ with: _, ...others }: RunSearch) => ({ ...others, ...(id && { with: id }) }),
      })
    }
    return {
      tab,
      selection: selectionOf(sel),
      other,
      compareWith,
      show: (next: Tab) => change({ tab: next }, false),
      // Moving through a list would fill the history.
      select: (next: Selection | undefined) =>
        change(next ? { sel: `${next.run}.${next.seq}` } : { clear: true }, true),
    }
  }, [tab, sel, other, navigate])
}
