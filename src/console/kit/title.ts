/** Page title, for the browser's tab and the bar on narrow screens. */

import { useEffect, useSyncExternalStore } from 'react'
import { say } from '../i18n/words.ts'

let title = ''
let count = ''
const listeners = new Set<() => void>()

export function useTitle(name: string): void {
  useEffect(() => {
    title = name
    writeTitle()
    for (const listener of listeners) listener()
  }, [name])
}

/** Puts a number in front of the tab's title, such as `(2) Strata`; 0 removes it. */
export function useTitleCount(n: number, hasMore = false): void {
  const text = n === 0 ? '' : `(${n}${hasMore ? '+' : ''}) `
  useEffect(() => {
    count = text
    writeTitle()
    return () => {
      count = ''
      writeTitle()
    }
  }, [text])
}

function writeTitle(): void {
  const name = say('app.name')
  document.title = `${count}${title === '' ? name : `${title} · ${name}`}`
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
