/** Expanded sections of conversations, which stay expanded while the page is open. */

import { useSyncExternalStore } from 'react'

const values = new Map<string, string>()
const listeners = new Set<() => void>()
let version = 0

/** Expands a section and sets its `value`, or collapses it if `value` is absent. */
function unfold(key: string, value?: string): void {
  if (value === undefined) values.delete(key)
  else values.set(key, value)
  version += 1
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether a section is expanded, and a function that toggles it. */
export function useUnfolded(key: string): readonly [boolean, () => void] {
  const isUnfolded = useSyncExternalStore(subscribe, () => values.has(key))
  return [isUnfolded, () => unfold(key, isUnfolded ? undefined : '')]
}

/** Returns the expanded sections with their values, for building the list of rows. */
export function useUnfoldedParts() {
  useSyncExternalStore(subscribe, () => version)
  return { unfoldedAs: (key: string) => values.get(key), unfold }
}
