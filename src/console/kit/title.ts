/** The title of the page: of the browser's tab, and of the bar on narrow screens. */

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

/** Name of the page; empty when it has none. */
export const useShownTitle = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => title,
  )
