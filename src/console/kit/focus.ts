/** Focus of the main list of a page. */

import { type RefObject, useEffect } from 'react'

/** Gives a list the focus when it appears, unless another element has it, so that its keys work. */
export function useFocus(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true })
  }, [element])
}
