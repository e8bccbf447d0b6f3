/** The parts of conversations that the reader has unfolded; they stay so while the page is open. */

import { useSyncExternalStore } from 'react'

const values = new Map<string, string>()
const listeners = new Set<() => void>()
let version = 0

/** `value` absent: folds the part. */
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

/** Whether a part is unfolded, and a function that changes it. */
export function useUnfolded(key: string): readonly [boolean, () => void] {
  const isUnfolded = useSyncExternalStore(subscribe, () => values.has(key))
  return [isUnfolded, () => unfold(key, isUnfolded ? undefined : '')]
}

/** The parts with their values, for a list that is made of them. */
export function useUnfoldedParts() {
  useSyncExternalStore(subscribe, () => version)
  return { unfoldedAs: (key: string) => values.get(key), unfold }
}
