/** State of a run's page that its address contains: the tab and the selected event. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

export const TABS = ['timeline', 'transcript', 'events', 'given', 'usage', 'raw'] as const
export type Tab = (typeof TABS)[number]

/** Event that is selected on all tabs. */
export interface Selection {
  readonly run: string
  readonly seq: number
}

export interface RunSearch {
  readonly tab?: Tab
  /** ID of a run and sequence number of its event, separated by a dot. */
  readonly sel?: string
}

/** Reads the search parameters of the page; parameters that it does not know are dropped. */
export function runSearch({ tab, sel }: Record<string, unknown>): RunSearch {
  const name = TABS.find((candidate) => candidate === tab)
  return {
    ...(name && name !== 'timeline' ? { tab: name } : {}),
    ...(typeof sel === 'string' && selectionOf(sel) ? { sel } : {}),
  }
}

function selectionOf(text: string | undefined): Selection | undefined {
  const [, run, seq] = /^(\w+)\.(\d{1,9})$/.exec(text ?? '') ?? []
  return run === undefined ? undefined : { run, seq: Number(seq) }
}

export function useRunState() {
  const navigate = useNavigate({ from: '/runs/$run' })
  // The address can contain values that the route dropped.
  const { tab = 'timeline', sel } = runSearch(useSearch({ strict: false }))
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
    return {
      tab,
      selection: selectionOf(sel),
      show: (next: Tab) => change({ tab: next }, false),
      // Moving through a list would fill the history.
      select: (next: Selection | undefined) =>
        change(next ? { sel: `${next.run}.${next.seq}` } : { clear: true }, true),
    }
  }, [tab, sel, navigate])
}
