/**
 * The API of the host that served this page, through the client and nothing else. The session is a
 * cookie that no script can read.
 */

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createClient, ProblemError } from '../../client/index.ts'
import { noteSignedOut } from './session.ts'

export { ConnectionError, ProblemError } from '../../client/index.ts'
export type Schemas = import('../../client/index.ts').components['schemas']

export const api = createClient({ url: location.origin, auth: 'cookie', retries: 2 })

const FRESH_MS = 2_000

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noteProblem }),
  mutationCache: new MutationCache({ onError: noteProblem }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // The client tries again by itself where that may help.
      retry: false,
      networkMode: 'always',
      // Errors of a lost connection go when it is back, and not at the next interval.
      refetchOnReconnect: true,
    },
    // A lost connection is said at once, and not when it is back.
    mutations: { networkMode: 'always' },
  },
})

/** A session that has ended is said once, over whatever page is open. */
export function noteProblem(error: unknown): void {
  if (error instanceof ProblemError && error.status === 401) noteSignedOut()
}
