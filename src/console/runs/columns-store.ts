/** Columns that the reader chose, kept in this browser with the language and the theme. */

import { useSyncExternalStore } from 'react'
import { type Columns, columnsIn, DEFAULT_COLUMNS, type Room } from './columns.ts'

const KEY = 'strata.runs.columns'
const listeners = new Set<() => void>()
let columns: Columns = columnsIn(localStorage.getItem(KEY))

/** Shows other columns or widths. */
export function changeColumns(next: Columns): void {
  columns = next
  for (const listener of listeners) listener()
}

/** Shows other columns or widths and keeps them. */
export function keepColumns(next: Columns): void {
  if (next === DEFAULT_COLUMNS) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, JSON.stringify(next))
  changeColumns(next)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const currentColumns = (): Columns => columns

export const useColumns = (): Columns => useSyncExternalStore(subscribe, currentColumns)

const medium = matchMedia('(min-width: 768px)')
const wide = matchMedia('(min-width: 1280px)')
const roomOf = (): Room => (wide.matches ? 'wide' : medium.matches ? 'medium' : 'narrow')

function subscribeToRoom(listener: () => void): () => void {
  for (const query of [medium, wide]) query.addEventListener('change', listener)
  return () => {
    for (const query of [medium, wide]) query.removeEventListener('change', listener)
  }
}

export const useRoom = (): Room => useSyncExternalStore(subscribeToRoom, roomOf)
