/** Reads and changes the address of the page. */

import { useNavigate, useSearch } from '@tanstack/react-router'
import { type LayersSearch, layersSearch, openLayer } from './state.ts'

type Changes = { readonly [K in keyof LayersSearch]?: LayersSearch[K] | undefined }

export interface Address {
  readonly search: LayersSearch
  /** Changes members of the address; undefined removes one. */
  readonly change: (changes: Changes, isReplaced?: boolean) => void
  /** Opens a file, or the list of files of the layer. */
  readonly open: (file: string | undefined) => void
}

export function useAddress(): Address {
  const navigate = useNavigate({ from: '/layers' })
  // The router also passes parameters that the route has dropped.
  const search = layersSearch(useSearch({ strict: false }))
  const change = (changes: Changes, isReplaced = false): void =>
    void navigate({
      to: '.',
      replace: isReplaced,
      search: layersSearch({ ...search, ...changes }),
    })
  return {
    search,
    change,
    open: (file) => {
      const layer = openLayer(search)
      void navigate({ to: '.', search: layersSearch({ layer, ...(file && { file }) }) })
    },
  }
}
