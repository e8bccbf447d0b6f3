/**
 * Scopes and paths of memory files. A tenant's memory is stored in files below `memory/`: in a
 * shared folder (`shared/`), or in the folder of an agent, role, or session. Paths are the same
 * everywhere, relative to `memory/`: `shared/MEMORY.md`, `agents/helper/2026-11-24.md`.
 */

import { sha256 } from '../../lib/digest.ts'
import { keyPath } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'

/** Path prefix of all memory files among the tenant's files. */
export const MEMORY = 'memory/'

export const MEMORY_SCOPES = ['shared', 'agent', 'role', 'session'] as const
export type MemoryScope = (typeof MEMORY_SCOPES)[number]

/** Agent, role, and session that own the memory of a run. */
export interface MemoryOwner {
  readonly agent: string
  /** Role of the run; null for the base layer, whose folder is called `main`. */
  readonly role: string | null
  /** Session of the root run; a subagent shares the session of the run that started it. */
  readonly session: string
}

/** Returns the folder of a memory scope below `memory/`, with a trailing slash. */
export function memoryFolder(scope: MemoryScope, owner: MemoryOwner): string {
  switch (scope) {
    case 'shared':
      return 'shared/'
    case 'agent':
      return `agents/${segment(owner.agent)}/`
    case 'role':
      return `roles/${segment(owner.role ?? 'main')}/`
    case 'session':
      return sessionFolder(owner.session)
    default:
      return scope satisfies never
  }
}

export const sessionFolder = (session: string): string => `sessions/${segment(session)}/`

/** Returns the folder name for an ID; if the ID cannot be part of a key, the name is its digest. */
const segment = (id: string): string =>
  !id.includes('/') && keyPath(`${MEMORY}${id}/x`).ok ? id : sha256(id).slice(0, 16)

const FOLDER = /^(?:shared|(?:agents|roles|sessions)\/[^/]+)\//

/** Returns the scope folder at the start of a memory path, or undefined if there is none. */
export const folderOf = (path: string): string | undefined => FOLDER.exec(path)?.[0]

declare const brand: unique symbol
/** Validated path of a Markdown file below `memory/`, in the folder of a scope. */
export type MemoryPath = string & { readonly [brand]: true }

/**
 * Validates a memory path. Returns the path, which may be read and written, or a message that
 * explains why it is invalid.
 */
export function memoryPath(text: string): Outcome<MemoryPath, string> {
  const key = keyPath(`${MEMORY}${text}`)
  if (!key.ok) return fail(key.error)
  if (folderOf(text) === undefined) return fail(NO_FOLDER)
  if (!/\.md$/i.test(text)) return fail('memory files are Markdown; the path must end with .md')
  return ok(text as MemoryPath)
}

const NO_FOLDER =
  'a memory path must begin with shared/, agents/<agent>/, roles/<role>/, or ' +
  'sessions/<session>/'

/** Returns the file name of the note for a day, by UTC date. */
export const dayNote = (ms: number): string => `${new Date(ms).toISOString().slice(0, 10)}.md`

/** Name of the main note of a memory, which every run with this memory reads. */
export const MAIN_NOTE = 'MEMORY.md'
