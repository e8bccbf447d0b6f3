/**
 * Texts of files that are not saved, in the tab's session storage, so that they survive a reload. A
 * text that does not fit stays in memory only.
 */

import { useSyncExternalStore } from 'react'
import { whenDropped } from '../data/draft.ts'

interface FileDraft {
  readonly text: string
  /** ETag, in quotes, of the stored file that the text changes; null for a new file. */
  readonly etag: string | null
  /** Time of the last key (RFC 3339). */
  readonly at: string
  /** Result of both texts after another person has saved the file; absent without a conflict. */
  readonly result?: string
}

/** Signing out removes all entries of the session storage with the prefix `strata.`. */
const PREFIX = 'strata.layers.draft.'
/** Drafts that the storage has no space for. */
const unstored = new Map<string, FileDraft>()
const listeners = new Set<() => void>()
let paths: readonly string[] | undefined

/** Reads a stored draft. Other scripts of the origin may have written the text. */
function parseDraft(stored: string | null): FileDraft | undefined {
  try {
    const { text, etag, at, result } = JSON.parse(stored ?? '') as Partial<FileDraft>
    if (typeof text !== 'string') return undefined
    return {
      ...{ text, etag: typeof etag === 'string' ? etag : null },
      at: typeof at === 'string' ? at : '',
      ...(typeof result === 'string' ? { result } : {}),
    }
  } catch {
    return undefined
  }
}

export const fileDraftOf = (path: string): FileDraft | undefined =>
  unstored.get(path) ?? parseDraft(sessionStorage.getItem(PREFIX + path))

export function keepFileDraft(path: string, draft: FileDraft): void {
  try {
    sessionStorage.setItem(PREFIX + path, JSON.stringify(draft))
    unstored.delete(path)
  } catch {
    // An older text in the storage would replace the newer one after a reload.
    sessionStorage.removeItem(PREFIX + path)
    unstored.set(path, draft)
  }
  notify()
}

export function dropFileDraft(path: string): void {
  sessionStorage.removeItem(PREFIX + path)
  unstored.delete(path)
  notify()
}

whenDropped(() => {
  unstored.clear()
  notify()
})

/** Returns whether a reload would lose the draft. */
export const isUnstored = (path: string): boolean => unstored.has(path)

function readPaths(): readonly string[] {
  const stored = Object.keys(sessionStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length))
  return [...new Set([...stored, ...unstored.keys()])].toSorted()
}

function notify(): void {
  const next = readPaths()
  if (`${next}` !== `${paths}`) paths = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the paths of files with drafts. */
export const useDraftPaths = (): readonly string[] =>
  useSyncExternalStore(subscribe, () => (paths ??= readPaths()))
