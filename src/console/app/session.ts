/** The session of this browser, as the server knows it. */

import { useSyncExternalStore } from 'react'
import type { components } from '../../client/index.ts'

export type Session = components['schemas']['BrowserSession']

export interface SignIn {
  /** Absent: nobody is signed in. */
  readonly session: Session | undefined
  /** It ended while the page was open: what is typed stays where it is. */
  readonly ended: boolean
}

let state: SignIn = { session: undefined, ended: false }
const listeners = new Set<() => void>()

function become(next: SignIn): void {
  state = next
  for (const listener of listeners) listener()
}

export const noteSignedIn = (session: Session): void => become({ session, ended: false })
export function noteSignedOut(): void {
  if (state.session && !state.ended) become({ ...state, ended: true })
}
export const forgetSession = (): void => become({ session: undefined, ended: false })
const signInOf = (): SignIn => state

export const useSignIn = (): SignIn =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, signInOf)

/** Whether the key behind the session has a scope, or one that holds it. */
export const useMay = (scope: string): boolean => useScopes()(scope)

export function useScopes(): (scope: string) => boolean {
  const { session } = useSignIn()
  const scopes: readonly string[] = session?.scopes ?? []
  return (scope) => {
    const [area = ''] = scope.split(':')
    const grants = (one: string): boolean =>
      one === '*' || one === scope || one === `${area}:*` || one.startsWith(`${scope}:`)
    return scopes.some(grants)
  }
}
