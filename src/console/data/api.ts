/**
 * API client for the server that served this page. The session cookie is not readable by scripts.
 */

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ConnectionError, createClient, ProblemError } from '../../client/index.ts'
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
      // The API client already retries requests that may succeed later.
      retry: false,
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    // Without a connection, a mutation fails immediately instead of waiting.
    mutations: { networkMode: 'always' },
  },
})

const OFFLINE_MS = 3_000

/** Interval of a query that is repeated only while the server does not respond. */
export const refetchOffline = ({ state }: { state: { error: Error | null } }): number | false =>
  state.error instanceof ConnectionError ? OFFLINE_MS : false

/** Opens the sign-in overlay if the error means that the browser session has ended. */
export function noteProblem(error: unknown): void {
  if (error instanceof ProblemError && error.status === 401) noteSignedOut()
}
