/** Keyboard shortcuts of a page, disabled while a field has focus or a dialog is open. */

import { useEffect, useRef } from 'react'

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

/** Whether a key was pressed without modifiers and outside of fields, dialogs, and menus. */
const isBareKey = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) &&
  !isTyping(event) &&
  !isCovered()

type Keys = Readonly<Record<string, (() => void) | undefined>>

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
