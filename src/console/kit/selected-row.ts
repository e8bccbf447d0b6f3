/** Selected row of a list, which the address names, so that no refresh of the list changes it. */

import { useEffect, useRef } from 'react'
import { neighborOf } from '../approvals/selection.ts'

/**
 * Scrolls to the selected row. Returns the function that selects the next row or the previous one.
 */
export function useSelectedRow(
  ids: readonly string[],
  selection: string | undefined,
  select: (id: string | undefined) => void,
): (step: 1 | -1) => void {
  const lastIndex = useRef(0)
  const at = selection === undefined ? -1 : ids.indexOf(selection)
  useEffect(() => {
    if (at >= 0) lastIndex.current = at
  }, [at])
  useEffect(() => {
    if (selection !== undefined)
      document.getElementById(`row-${selection}`)?.scrollIntoView({ block: 'nearest' })
  }, [selection])
  return (step) => select(neighborOf(ids, selection, lastIndex.current, step))
}
