/** The request that starts a run like one that there is, and what it cannot say. */

import { useQuery } from '@tanstack/react-query'
import { api, type Schemas } from '../../app/api.ts'

export type RunRequest = Schemas['RunRequest']

export const readRequest = async (id: string): Promise<RunRequest> => api.runs.request(id)

/** It never changes. */
export const useRequest = (id: string, enabled: boolean) =>
  useQuery({
    queryKey: ['runs', id, 'request'],
    queryFn: () => readRequest(id),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  })
