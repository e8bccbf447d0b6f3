/**
 * Caches the ETags of pushed files per server. On some platforms an ETag is not a digest; with this
 * cache, a second push downloads nothing. Deleting the cache costs only time.
 */

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './terminal.ts'

export interface SentBefore {
  /**
   * Returns the SHA-256 of the file with this path and ETag, or undefined if this machine did not
   * push that file.
   */
  digest(path: string, etag: string): string | undefined
  note(path: string, etag: string, digest: string): void
  forget(path: string): void
  /** Saves the cache file. If saving fails, the next push only takes longer. */
  keep(): void
}

type Entry = readonly [etag: string, digest: string]

/** Opens the ETag cache of a server, API key, and prefix. */
export function sentBefore(env: Environment, place: readonly string[]): SentBefore {
  const folder = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'strata', 'push')
  const name = createHash('sha256').update(place.join('\0')).digest('hex').slice(0, 32)
  const file = join(folder, `${name}.json`)
  const sentEntries = new Map(Object.entries(read(file)))
  return {
    digest(path, etag) {
      const entry = sentEntries.get(path)
      return entry?.[0] === etag ? entry[1] : undefined
    },
    note: (path, etag, digest) => void sentEntries.set(path, [etag, digest]),
    forget: (path) => void sentEntries.delete(path),
    keep() {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const draft = `${file}.${process.pid}`
        writeFileSync(draft, JSON.stringify(Object.fromEntries(sentEntries)), { mode: 0o600 })
        renameSync(draft, file)
      } catch {
        // The user's cache folder may be read-only.
      }
    },
  }
}

function read(file: string): Record<string, Entry> {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof stored !== 'object' || stored === null) return {}
    const entries = Object.entries(stored).filter(
      ([, entry]) => Array.isArray(entry) && entry.length === 2,
    )
    return Object.fromEntries(entries) as Record<string, Entry>
  } catch {
    return {}
  }
}
