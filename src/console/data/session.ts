/** The session of this browser, as the server knows it. */

import { useSyncExternalStore } from 'react'
import type { components } from '../../client/index.ts'

export type Session = components['schemas']['BrowserSession']

interface SignedIn {
  /** Absent: not signed in. */
  readonly session: Session | undefined
  /** The session ended while a page was open, whose contents stay where they are. */
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

/** Whether the session has a scope, or one that includes it. */
export function useMay(scope: string): boolean {
  const { session } = useSession()
  const [area = ''] = scope.split(':')
  return (session?.scopes ?? []).some(
    (grantedScope) =>
      grantedScope === '*' ||
      grantedScope === scope ||
      grantedScope === `${area}:*` ||
      grantedScope.startsWith(`${scope}:`),
  )
}
