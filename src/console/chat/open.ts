/** ID of the run in the side panel, stored in the page's URL. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'

export function usePanel() {
  const navigate = useNavigate()
  const { panel } = useSearch({ strict: false }) as { readonly panel?: string }
  return useMemo(() => {
    const go = (run: string | undefined): void => {
      void navigate({
        to: '.',
        search: ({ panel: _, ...search }) =>
          run === undefined ? search : { ...search, panel: run },
      })
    }
    return { panel, open: (run: string) => go(run), close: () => go(undefined) }
  }, [panel, navigate])
}
