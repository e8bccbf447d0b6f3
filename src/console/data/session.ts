/** Sign-in session of this browser, as known to the server. */

import { useSyncExternalStore } from 'react'
import type { components } from '../../client/index.ts'

export type Session = components['schemas']['BrowserSession']

interface SignedIn {
  /** Current sign-in session; absent when signed out. */
  readonly session: Session | undefined
  /** Whether the sign-in session ended while a page was open; the page keeps its content. */
  readonly hasEnded: boolean
}

let state: SignedIn = { session: undefined, hasEnded: false }
const listeners = new Set<() => void>()

function become(next: SignedIn): void {
  state = next
  for (const listener of listeners) listener()
}

export const noteSignedIn = (session: Session): void => become({ session, hasEnded: false })
export function noteSignedOut(): void {
  if (state.session && !state.hasEnded) become({ ...state, hasEnded: true })
}
export const forgetSession = (): void => become({ session: undefined, hasEnded: false })

export const useSession = (): SignedIn =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )

/** Whether scopes include one, directly or through a broader one. */
function hasScope(scopes: readonly string[], scope: string): boolean {
  const [area = ''] = scope.split(':')
  return scopes.some(
    (grantedScope) =>
      grantedScope === '*' ||
      grantedScope === scope ||
      grantedScope === `${area}:*` ||
      grantedScope.startsWith(`${scope}:`),
  )
}

/** Returns whether the sign-in session has a scope, directly or through a broader scope. */
export const useMay = (scope: string): boolean =>
  hasScope(useSession().session?.scopes ?? [], scope)

/** Returns a function that judges whether the sign-in session has one of some scopes. */
export function useMayOneOf(): (scopes: readonly string[]) => boolean {
  const { session } = useSession()
  return (scopes) => scopes.some((scope) => hasScope(session?.scopes ?? [], scope))
}
