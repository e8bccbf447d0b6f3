/**
 * Opens a `<dialog>` while it is rendered, and afterwards restores focus to the previously focused
 * element.
 */

import { type RefObject, useLayoutEffect } from 'react'

/** Attribute that marks a dialog's content, whose first field receives the focus. */
export const CONTENT = 'data-content'

const FIELDS = 'input:not([type=hidden]), textarea, select'
const FOCUSABLE = 'button, a[href], summary, [tabindex]:not([tabindex="-1"])'

export function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const { current: dialog } = ref
    if (!dialog) return
    const path = pathOf(document.activeElement)
    dialog.showModal()
    const content = dialog.querySelector(`[${CONTENT}]`) ?? dialog
    const first = firstOf(content, FIELDS) ?? firstOf(content, FOCUSABLE)
    first?.focus()
    return () => {
      dialog.close()
      // Focus is restored after the commit that removes the dialog and possibly its opener.
      queueMicrotask(() => giveBack(path))
    }
  }, [ref])
}

const firstOf = (within: Element, selector: string): HTMLElement | undefined =>
  [...within.querySelectorAll<HTMLElement>(selector)].find(
    (element) => !element.matches(':disabled') && element.checkVisibility(),
  )

/** Returns an element and its ancestors, innermost first. */
function pathOf(element: Element | null): readonly Element[] {
  return element === null ? [] : [element, ...pathOf(element.parentElement)]
}

const hasFocus = (): boolean =>
  document.activeElement !== null && document.activeElement !== document.body

/**
 * Focuses the element that opened a dialog. An opener visible only while its row has focus is
 * reached through the row; a removed opener is replaced by a nearby element.
 */
function giveBack([opener, ...around]: readonly Element[]): void {
  if (hasFocus() || !(opener instanceof HTMLElement) || opener === document.body) return
  opener.focus({ preventScroll: true })
  for (const element of around) {
    if (hasFocus() || element === document.body) break
    if (element.isConnected)
      firstOf(element, `${FIELDS}, ${FOCUSABLE}`)?.focus({ preventScroll: true })
  }
  if (hasFocus()) opener.focus({ preventScroll: true })
  else document.getElementById('main')?.focus({ preventScroll: true })
}
