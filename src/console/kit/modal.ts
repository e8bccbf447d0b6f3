/** Opens a `<dialog>` while it is rendered, and returns the focus to the element that had it. */

import { type RefObject, useLayoutEffect } from 'react'

/** Marks the content of a dialog, whose first field gets the focus. */
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
      // After the commit that takes the dialog away, and maybe its opener too.
      queueMicrotask(() => giveBack(path))
    }
  }, [ref])
}

const firstOf = (within: Element, selector: string): HTMLElement | undefined =>
  [...within.querySelectorAll<HTMLElement>(selector)].find(
    (element) => !element.matches(':disabled') && element.checkVisibility(),
  )

/** Returns the element and its ancestors, the innermost first. */
function pathOf(element: Element | null): readonly Element[] {
  return element === null ? [] : [element, ...pathOf(element.parentElement)]
}

const hasFocus = (): boolean =>
  document.activeElement !== null && document.activeElement !== document.body

/**
 * Focuses the opener. An opener that is shown only while its row has the focus is reached through
 * the row; one that is gone is replaced by an element near it.
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
