/**
 * The API of the server that sent this page, through the client. The session is a cookie that no
 * script can read.
 */

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { createClient, ProblemError } from '../../client/index.ts'
import { noteSignedOut } from './session.ts'

export { ConnectionError, ProblemError, StrataError } from '../../client/index.ts'
export type Schemas = import('../../client/index.ts').components['schemas']

export const api = createClient({ url: location.origin, credentials: 'cookie', retries: 2 })

const FRESH_MS = 2_000

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noteProblem }),
  mutationCache: new MutationCache({ onError: noteProblem }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // The client retries by itself where that may help.
      retry: false,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // A lost connection is an error at once.
    mutations: { networkMode: 'always' },
  },
})

/** An ended session opens the sign-in sheet over the page. */
export function noteProblem(error: unknown): void {
  if (error instanceof ProblemError && error.status === 401) noteSignedOut()
}
