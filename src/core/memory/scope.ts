/**
 * The owner of a memory file. All memory of a tenant is in its files below `memory/`, in a shared
 * folder (`shared/`) or in one of an agent, role, or session. Paths are the same everywhere, from
 * that folder on: `shared/MEMORY.md`, `agents/helper/2026-11-24.md`.
 */

import { sha256 } from '../../lib/digest.ts'
import { keyPath } from '../../lib/key.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'

/** Above all memory, among the tenant's files. */
export const MEMORY = 'memory/'

export const MEMORY_SCOPES = ['shared', 'agent', 'role', 'session'] as const
export type MemoryScope = (typeof MEMORY_SCOPES)[number]

/** The owner of a memory. */
export interface MemoryOwner {
  readonly agent: string
  /** Null: the base layer, which is called `main`. */
  readonly role: string | null
  /** The session at the root: a subagent shares that of who started it. */
  readonly session: string
}

/** The folder of a scope, below `memory/`; it ends with a slash. */
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

/** An id that can be no part of a key is known by its digest. */
const segment = (id: string): string =>
  !id.includes('/') && keyPath(`${MEMORY}${id}/x`).ok ? id : sha256(id).slice(0, 16)

const FOLDER = /^(?:shared|(?:agents|roles|sessions)\/[^/]+)\//

/** The folder that a path lies in; undefined: in none. */
export const folderOf = (path: string): string | undefined => FOLDER.exec(path)?.[0]

declare const brand: unique symbol
/** Below `memory/`, in the folder of a scope, Markdown. */
export type MemoryPath = string & { readonly [brand]: true }

/** The path as it may be read and written, or a sentence saying why not. */
export function memoryPath(text: string): Outcome<MemoryPath, string> {
  const key = keyPath(`${MEMORY}${text}`)
  if (!key.ok) return fail(key.error)
  if (folderOf(text) === undefined) return fail(NO_FOLDER)
  if (!/\.md$/i.test(text)) return fail('memory is Markdown: the path ends with .md')
  return ok(text as MemoryPath)
}

const NO_FOLDER =
  'a path of memory begins with shared/, agents/<agent>/, roles/<role>/ or sessions/<session>/'

/** The note of a day, by its date in UTC. */
export const dayNote = (ms: number): string => `${new Date(ms).toISOString().slice(0, 10)}.md`

/** The main note of a memory, which all its users read. */
export const MAIN_NOTE = 'MEMORY.md'
