/** Files attached to drafts, stored in the tab's session storage so that they survive a reload. */

import type { Schemas } from './api.ts'

type Part = Extract<Schemas['InputPart'], { type: 'image' | 'file' }>

export interface Attachment {
  readonly key: string
  readonly name: string
  readonly part: Part
}

/**
 * Prefix of the storage keys for draft files; signing out removes every key that starts with
 * `strata.`.
 */
const PREFIX = 'strata.files.'
/**
 * Maximum size of the files of all drafts, in characters: browsers store 5 MB per origin and tab.
 */
const LIMIT = 4_000_000

interface StoredFiles {
  readonly files: readonly Attachment[]
  /** Names of attached files that could not be stored and will be lost after a reload. */
  readonly unkept: readonly string[]
  /** Names of attached files that an earlier reload lost. */
  readonly lost: readonly string[]
}

const NONE: StoredFiles = { files: [], unkept: [], lost: [] }

function otherDrafts(key: string): number {
  const otherKeys = Object.keys(sessionStorage).filter(
    (storageKey) => storageKey !== key && storageKey.startsWith(PREFIX),
  )
  return otherKeys.reduce(
    (sum, storageKey) => sum + (sessionStorage.getItem(storageKey) ?? '').length,
    0,
  )
}

/**
 * Stores the files that fit, in the given order. Returns the names of the files that do not fit.
 */
export function keepFiles(
  draft: string,
  files: readonly Attachment[],
  lostFiles: readonly string[],
): readonly string[] {
  const key = PREFIX + draft
  sessionStorage.removeItem(key)
  if (files.length === 0 && lostFiles.length === 0) return []
  let room = LIMIT - otherDrafts(key)
  const storedFiles: Attachment[] = []
  const unkept: string[] = []
  for (const file of files) {
    const size = JSON.stringify(file).length
    if (size > room) unkept.push(file.name)
    else {
      storedFiles.push(file)
      room -= size
    }
  }
  try {
    sessionStorage.setItem(key, JSON.stringify({ files: storedFiles, unkept, lost: lostFiles }))
    return unkept
  } catch {
    // If the browser stores less than expected, only the short file names are stored.
    const all = files.map(({ name }) => name)
    sessionStorage.setItem(key, JSON.stringify({ files: [], unkept: all, lost: lostFiles }))
    return all
  }
}

export function keptFiles(draft: string): StoredFiles {
  const text = sessionStorage.getItem(PREFIX + draft)
  return text === null ? NONE : (JSON.parse(text) as StoredFiles)
}
