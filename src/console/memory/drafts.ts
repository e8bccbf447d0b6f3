/**
 * Texts of memory files that are not saved, in the tab's session storage: they survive a reload and
 * other pages, and signing out deletes them.
 */

import { useSyncExternalStore } from 'react'
import { objectIn } from '../text/json.ts'
import type { Draft } from './state.ts'

const PREFIX = 'strata.memory.'
const listeners = new Set<() => void>()

export function readDraft(path: string): Draft | undefined {
  const value = objectIn(sessionStorage.getItem(PREFIX + path) ?? '')
  const { text, etag } = value ?? {}
  return typeof text === 'string' && typeof etag === 'string' ? { text, etag } : undefined
}

export function writeDraft(path: string, draft: Draft | undefined): void {
  const hadDraft = sessionStorage.getItem(PREFIX + path) !== null
  if (!draft) sessionStorage.removeItem(PREFIX + path)
  else {
    try {
      sessionStorage.setItem(PREFIX + path, JSON.stringify(draft))
    } catch {
      // The storage is full: the text stays in the open editor only.
    }
  }
  if (hadDraft !== (draft !== undefined)) for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useHasDraft = (path: string): boolean =>
  useSyncExternalStore(subscribe, () => sessionStorage.getItem(PREFIX + path) !== null)
