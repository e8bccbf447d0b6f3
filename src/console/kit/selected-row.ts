/** Selected row of a list, which the address names, so that no refresh of the list changes it. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { neighborOf } from '../approvals/selection.ts'
import { useIsWide } from './wide.ts'

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

/** Selects rows by `sel` in the address of the page, and keeps its other parameters. */
export function useSelection(ids: readonly string[], selection: string | undefined) {
  const navigate = useNavigate()
  const isWide = useIsWide()
  const select = (id: string | undefined, replace = isWide): void => {
    const search = ({ sel: _, ...others }: { readonly sel?: unknown }) => ({
      ...others,
      ...(id ? { sel: id } : {}),
    })
    // The routes of the pages have different parameters, and all of them have `sel`.
    void navigate({ to: '.', replace, search: search as never })
  }
  return { select, move: useSelectedRow(ids, selection, select) }
}
