/** A choice of layers and a model, as the server resolves it. */

import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import type { Choice } from '../../chat/draft.ts'

const FRESH_MS = 30_000
/** So many names are offered; any other can be typed. */
const MOST = 1_000

export const useResolved = ({ role, repo_dir }: Choice) =>
  useQuery({
    queryKey: ['resolve', role, repo_dir],
    staleTime: FRESH_MS,
    queryFn: () => {
      const named = { ...(role ? { role } : {}), ...(repo_dir ? { repo_dir } : {}) }
      return api.layers.resolve(named)
    },
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

/** Names of layers below `roles/` or `repos/`, by the files that lie there. */
export function usePrefixes(prefix: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ['prefixes', prefix],
    staleTime: FRESH_MS,
    queryFn: async () => {
      const found = await api.files.list({ prefix, limit: MOST })
      const names = found.data.map(({ path }) => path.split('/').slice(0, 2).join('/'))
      return [...new Set(names)]
    },
  })
  return data ?? []
}
