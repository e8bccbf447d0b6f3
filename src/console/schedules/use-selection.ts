/** Selected schedule, which the address names, so that no refresh of the list changes it. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { neighborOf } from '../approvals/selection.ts'
import { useIsWide } from '../kit/wide.ts'
import { scheduleSearch } from './search.ts'

export function useSelection(ids: readonly string[], selection: string | undefined) {
  const navigate = useNavigate({ from: '/schedules' })
  const isWide = useIsWide()
  const lastIndex = useRef(0)
  const at = selection === undefined ? -1 : ids.indexOf(selection)
  useEffect(() => {
    if (at >= 0) lastIndex.current = at
  }, [at])
  useEffect(() => {
    if (selection !== undefined)
      document.getElementById(`row-${selection}`)?.scrollIntoView({ block: 'nearest' })
  }, [selection])
  const select = (id: string | undefined, replace = isWide): void => {
    void navigate({
      to: '.',
      replace,
      search: (search) => {
        const { sel: _, ...kind } = scheduleSearch({ ...search })
        return { ...kind, ...(id ? { sel: id } : {}) }
      },
    })
  }
  return {
    select,
    move: (step: 1 | -1) => select(neighborOf(ids, selection, lastIndex.current, step)),
  }
}
