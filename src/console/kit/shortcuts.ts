/** Keyboard shortcuts of a page, disabled while a field has focus or a dialog is open. */

import { useEffect, useRef, useSyncExternalStore } from 'react'

/**
 * Whether the user is typing in a field. For events across a shadow root, the innermost target
 * counts.
 */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !target.matches('[type=checkbox]')
  )
}

export const isCovered = (): boolean =>
  document.querySelector('dialog[open], :popover-open') !== null

/** Key in `localStorage` of the setting that turns shortcuts of single characters off. */
const SINGLE_KEYS = 'strata.single-keys'
const listeners = new Set<() => void>()

const hasSingleKeys = (): boolean => localStorage.getItem(SINGLE_KEYS) !== 'off'

/**
 * Turns shortcuts of single characters on or off in this browser (WCAG 2.1.4), because speech input
 * and slips of the finger trigger them.
 */
export function allowSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem(SINGLE_KEYS)
  else localStorage.setItem(SINGLE_KEYS, 'off')
  for (const listener of listeners) listener()
}

export const useSingleKeys = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, hasSingleKeys)

/**
 * Whether a key was pressed without modifiers and outside of fields, dialogs, and menus. Keys of
 * single characters can be turned off; named keys such as `Enter` have names of several characters.
 */
const isBareKey = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) &&
  (event.key.length > 1 || hasSingleKeys()) &&
  !isTyping(event) &&
  !isCovered()

type Keys = Readonly<Record<string, (() => void) | undefined>>

/** Time in milliseconds within which the second key of a sequence must follow. */
const SEQUENCE_MS = 1_500

/** Calls the handler of a key that is pressed directly after `first`, such as `g` `r`. */
export function useSequence(first: string, keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    let until = 0
    const onKey = (event: KeyboardEvent): void => {
      if (!isBareKey(event)) return
      const act = event.timeStamp < until ? latest.current[event.key] : undefined
      until = event.key === first && !event.repeat ? event.timeStamp + SEQUENCE_MS : 0
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [first])
}

/** Calls the handler of each pressed key. Escape also works in fields. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const act = latest.current[event.key]
      const counts =
        event.key === 'Escape' ? !event.defaultPrevented && !isCovered() : isBareKey(event)
      if (!act || !counts || event.repeat) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
