/**
 * Owner of a memory file. A tenant's memory is stored in files below `memory/`: in a shared folder
 * (`shared/`), or in the folder of an agent, role, or session. Paths are the same everywhere,
 * relative to `memory/`: `shared/MEMORY.md`, `agents/helper/2026-11-24.md`.
 */

import { sha256 } from '../../lib/digest.ts'
import { keyPath } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'

/** Prefix of all memory files among the tenant's files. */
export const MEMORY = 'memory/'

export const MEMORY_SCOPES = ['shared', 'agent', 'role', 'session'] as const
export type MemoryScope = (typeof MEMORY_SCOPES)[number]

/** Owner of a memory. */
export interface MemoryOwner {
  readonly agent: string
  /** Role; null for the base layer, which is called `main`. */
  readonly role: string | null
  /** Session of the root run; a subagent shares the session of the run that started it. */
  readonly session: string
}

/** Returns the folder of a scope below `memory/`, with a trailing slash. */
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

/**
 * Returns the folder name of an ID; an ID that cannot be part of a key is replaced by its digest.
 */
const segment = (id: string): string =>
  !id.includes('/') && keyPath(`${MEMORY}${id}/x`).ok ? id : sha256(id).slice(0, 16)

const FOLDER = /^(?:shared|(?:agents|roles|sessions)\/[^/]+)\//

/** Returns the scope folder of a path, or undefined if there is none. */
export const folderOf = (path: string): string | undefined => FOLDER.exec(path)?.[0]

declare const brand: unique symbol
/** Path of a Markdown file below `memory/`, in the folder of a scope. */
export type MemoryPath = string & { readonly [brand]: true }

/** Returns a path that may be read and written, or a message that explains why not. */
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

/** Returns the file name of a day's note, by UTC date. */
export const dayNote = (ms: number): string => `${new Date(ms).toISOString().slice(0, 10)}.md`

/** Main note of a memory, which all its users read. */
export const MAIN_NOTE = 'MEMORY.md'
