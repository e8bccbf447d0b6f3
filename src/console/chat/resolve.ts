/** Loads the models, the layers, and the configuration that the user's choice resolves to. */

import { useQuery } from '@tanstack/react-query'
import { api } from '../data/api.ts'
import type { Choice } from './choice.ts'

const FRESH_MS = 30_000
/** Maximum number of files listed to suggest names; other names can be typed. */
const MOST_FILES = 1_000

export const useResolved = ({ role, repo_dir }: Choice) =>
  useQuery({
    queryKey: ['resolve', role, repo_dir],
    staleTime: FRESH_MS,
    queryFn: () =>
      api.layers.resolve({ ...(role ? { role } : {}), ...(repo_dir ? { repo_dir } : {}) }),
  })

export function useModels() {
  const { data } = useQuery({
    queryKey: ['models'],
    staleTime: FRESH_MS,
    queryFn: () => api.models.list(),
  })
  const aliases = (data?.aliases ?? []).map(({ alias }) => alias)
  const ids = (data?.data ?? []).flatMap(({ id, kind }) => (kind === 'agent' ? [] : [id]))
  return { data, names: [...aliases, ...ids] }
}

/** Returns the names of the layers below `roles/` or `repos/`, derived from file paths. */
export function useLayerNames(prefix: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ['layer-names', prefix],
    staleTime: FRESH_MS,
    queryFn: async () => {
      const listing = await api.files.list({ prefix, limit: MOST_FILES })
      const names = listing.data.map(({ path }) => path.split('/').slice(0, 2).join('/'))
      return [...new Set(names)]
    },
  })
  return data ?? []
}
