/** Page title, for the browser's tab and the bar on narrow screens. */

import { useEffect, useSyncExternalStore } from 'react'
import { say } from '../i18n/words.ts'

let title = ''
const listeners = new Set<() => void>()

export function useTitle(name: string): void {
  useEffect(() => {
    title = name
    document.title = name === '' ? say('app.name') : `${name} · ${say('app.name')}`
    for (const listener of listeners) listener()
  }, [name])
}

/** Returns the page title, or an empty string if there is none. */
export const useShownTitle = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => title,
  )
