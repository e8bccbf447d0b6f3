/** Keys that work on every page: Ctrl-K for the commands, `g` and one more for a page. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { NAV } from './pages.ts'

/** The editor lies in a shadow root, so the event's own target is not enough. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath()
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

/** A dialog lies over the page: keys are about it, and nothing beneath it. */
export const isCovered = (): boolean => document.querySelector('dialog[open]') !== null

const TOGETHER_MS = 1_000
let wentAt = Number.NEGATIVE_INFINITY

/** The second key of two: it means a page, and nothing of the page that is open. */
const followsG = ({ timeStamp }: KeyboardEvent): boolean => timeStamp - wentAt < TOGETHER_MS

/** A key pressed alone, while nobody types and nothing lies over the page. */
const isBare = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) &&
  !isTyping(event) &&
  !isCovered()

/** It means this page, and is not the second key of two. */
export const meansPage = (event: KeyboardEvent): boolean => isBare(event) && !followsG(event)

/** It does something to what is chosen: a key that is held down does it once. */
export const meansChosen = (event: KeyboardEvent): boolean => meansPage(event) && !event.repeat

export function useShortcuts(openPalette: () => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        const isTaken = event.defaultPrevented
        event.preventDefault()
        // A dialog is answered first: what was typed into it would be lost on another page.
        if (!isTaken && !isCovered()) openPalette()
        return
      }
      if (!isBare(event)) return
      const page = NAV.find(({ key }) => key === event.key)
      if (event.key === 'g') wentAt = event.timeStamp
      else if (page && followsG(event)) {
        wentAt = Number.NEGATIVE_INFINITY
        event.preventDefault()
        void navigate({ to: page.to })
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navigate, openPalette])
}
