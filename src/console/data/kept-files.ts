/** Attached files of drafts in the storage of the tab, which a reload leaves as it is. */

import type { Schemas } from './api.ts'

type Part = Extract<Schemas['InputPart'], { type: 'image' | 'file' }>

export interface Attachment {
  readonly key: string
  readonly name: string
  readonly part: Part
}

/** Signing out removes every key with the beginning `strata.`. */
const PREFIX = 'strata.files.'
/** Total of all drafts in characters: browsers store 5 MB per origin in a tab. */
const LIMIT = 4_000_000

interface Kept {
  readonly files: readonly Attachment[]
  /** Names of attached files that were not stored: the page that reads this has lost them. */
  readonly unkept: readonly string[]
  /** Names of files that an earlier reload has lost. */
  readonly lost: readonly string[]
}

const NONE: Kept = { files: [], unkept: [], lost: [] }

function otherDrafts(key: string): number {
  const others = Object.keys(sessionStorage).filter((one) => one !== key && one.startsWith(PREFIX))
  return others.reduce((sum, one) => sum + (sessionStorage.getItem(one) ?? '').length, 0)
}

/** Stores the files that fit, the first ones first. Returns the names of the others. */
export function keepFiles(
  draft: string,
  files: readonly Attachment[],
  lost: readonly string[],
): readonly string[] {
  const key = PREFIX + draft
  sessionStorage.removeItem(key)
  if (files.length === 0 && lost.length === 0) return []
  let room = LIMIT - otherDrafts(key)
  const kept: Attachment[] = []
  const unkept: string[] = []
  for (const file of files) {
    const size = JSON.stringify(file).length
    if (size > room) unkept.push(file.name)
    else {
      kept.push(file)
      room -= size
    }
  }
  try {
    sessionStorage.setItem(key, JSON.stringify({ files: kept, unkept, lost }))
    return unkept
  } catch {
    // The browser stores less than expected; the names are short.
    const all = files.map(({ name }) => name)
    sessionStorage.setItem(key, JSON.stringify({ files: [], unkept: all, lost }))
    return all
  }
}

export function keptFiles(draft: string): Kept {
  const text = sessionStorage.getItem(PREFIX + draft)
  return text === null ? NONE : (JSON.parse(text) as Kept)
}
