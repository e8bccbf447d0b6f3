/** Loads the configuration of the chosen layers, the tools, and the names of layers. */

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, refetchOffline } from '../data/api.ts'
import {
  type Choice,
  choiceOf,
  type EffectiveSearch,
  effectiveSearch,
  inputOf,
  optionsOf,
} from './state.ts'

const FRESH_MS = 30_000
const MOST_LAYERS = 100

/** Key of all queries that resolve layers, on this page and in the chat. */
export const RESOLVE = 'resolve'

export function useConfiguration(choice: Choice) {
  const tools = useQuery({
    queryKey: ['tools'],
    staleTime: FRESH_MS,
    refetchInterval: refetchOffline,
    queryFn: async () => await api.tools.list(),
  })
  const resolved = useQuery({
    queryKey: [RESOLVE, 'effective', choice],
    refetchInterval: refetchOffline,
    // The previous configuration stays on the page until the next one is resolved.
    placeholderData: (previous) => previous,
    queryFn: () => api.layers.resolve(inputOf(choice)),
  })
  return {
    tools: tools.data?.data,
    resolved: resolved.data,
    isStale: resolved.isPlaceholderData,
    error: resolved.error ?? tools.error,
    retry: () => void Promise.all([resolved.refetch(), tools.refetch()]),
  }
}

/** Suggestions for the fields of the choice; other names can be typed. */
export function useLayerOptions() {
  const { data } = useQuery({
    queryKey: ['layers'],
    staleTime: FRESH_MS,
    queryFn: async () => await api.layers.list({ limit: MOST_LAYERS }),
  })
  return { ...optionsOf(data?.data ?? []), hasMore: data?.has_more === true }
}

export function useAddress() {
  const navigate = useNavigate({ from: '/layers/effective' })
  // The router also passes parameters that the route has dropped.
  const search = effectiveSearch(useSearch({ strict: false }))
  return {
    search,
    choice: choiceOf(search),
    /** Changes members of the address; an empty text removes one. */
    change: (changes: { readonly [K in keyof EffectiveSearch]?: string }, replace = false) =>
      void navigate({ to: '.', replace, search: effectiveSearch({ ...search, ...changes }) }),
  }
}
