/**
 * A dialog of the browser's own, for as long as it is rendered: it lies over all others and keeps
 * the focus, which goes back to where it was.
 */

import { type RefObject, useLayoutEffect } from 'react'

/** Marks the part of a dialog that is its matter; the rest is its frame. */
export const MATTER = 'data-matter'

const FIELDS = 'input:not([type=hidden]), textarea, select'
const REST = 'button, a[href], summary, [tabindex]:not([tabindex="-1"])'

/** Before the browser paints, and while the element is still in the page. */
export function useModal(ref: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const { current: dialog } = ref
    if (!dialog) return
    const path = pathOf(document.activeElement)
    dialog.showModal()
    const matter = dialog.querySelector(`[${MATTER}]`) ?? dialog
    const first = firstOf(matter, FIELDS) ?? firstOf(matter, REST)
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
    (one) => !one.matches(':disabled') && one.checkVisibility(),
  )

/** The element and all that it lies in, the innermost first. */
function pathOf(element: Element | null): readonly Element[] {
  return element === null ? [] : [element, ...pathOf(element.parentElement)]
}

const hasFocus = (): boolean =>
  document.activeElement !== null && document.activeElement !== document.body

/**
 * To the opener. Some show only while their row has the focus: then by way of the row. Where the
 * opener is gone, to what lay around it.
 */
function giveBack([opener, ...around]: readonly Element[]): void {
  if (hasFocus() || !(opener instanceof HTMLElement) || opener === document.body) return
  opener.focus({ preventScroll: true })
  for (const one of around) {
    if (hasFocus() || one === document.body) break
    if (one.isConnected) firstOf(one, `${FIELDS}, ${REST}`)?.focus({ preventScroll: true })
  }
  if (hasFocus()) opener.focus({ preventScroll: true })
  else document.getElementById('main')?.focus({ preventScroll: true })
}
