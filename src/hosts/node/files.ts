/**
 * Stores objects as files in one folder. Each key is a path, so people can edit API files with
 * other tools. A body is written next to the folder, synced, and renamed atomically, so a reader
 * sees either the old or the new file. Links are neither followed nor listed.
 *
 * Calls that affect only names (stat, readdir, rename) run on this thread. They need a few
 * microseconds, several times less than through the thread pool. Comparing an ETag and renaming is
 * therefore one atomic step. However, a slow network disk blocks all requests. Only syncs, which
 * are always slow, use the pool.
 */

import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { assert } from '../../lib/assert.ts'
import type { Expect, ListedObject, ObjectPage, Objects } from '../../ports/world.ts'
import { hasCode, isReal, makeFolders, pruneFolders, syncFile, syncFolders } from './folders.ts'
import { walk } from './walk.ts'

const PAGE = 1_000

/**
 * Opens the objects folder and creates it if missing. `<root>.tmp` is emptied and used for writing,
 * so the caller must own the data lock (see lock.ts).
 */
export function openFiles(root: string): Objects {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const base = realpathSync.native(root)
  const drafts = `${base}.tmp`
  rmSync(drafts, { recursive: true, force: true })
  mkdirSync(drafts, 0o700)
  const draft = drafter(drafts)
  const pathOf = (key: string): string => join(base, checked(key))
  const { pages, forget } = shared(base)

  return {
    async get(key) {
      return read(pathOf(key))
    },
    async put(key, body, expect) {
      const path = pathOf(key)
      if (!asExpected(path, expect)) return 'conflict'
      const { path: draftPath, etag } = await draft(body)
      try {
        const changedFolders = place(base, draftPath, path, expect)
        forget()
        if (changedFolders === 'conflict') return 'conflict'
        await syncFolders(changedFolders)
        return { etag }
      } finally {
        rmSync(draftPath, { force: true })
      }
    },
    async delete(key, expect) {
      const path = pathOf(key)
      const stats = fileAt(path)
      if (!matches(stats, expect)) return 'conflict'
      if (!stats) return 'ok'
      unlinkSync(path)
      forget()
      await syncFolders([pruneFolders(base, dirname(path))])
      return 'ok'
    },
    async list(prefix, cursor) {
      return pages(prefix, cursor)
    },
  }
}

/**
 * Shares pages of listings within one turn of the event loop, during which other writers cannot be
 * ordered. Runs that start together list the same folders. A write through this store ends the
 * sharing.
 */
function shared(base: string) {
  const pageCache = new Map<string, ObjectPage>()
  const forget = (): void => pageCache.clear()
  const pages = (prefix: string, cursor: string | undefined): ObjectPage => {
    const slot = `${prefix}\0${cursor ?? ''}`
    const cached = pageCache.get(slot)
    if (cached) return cached
    if (pageCache.size === 0) setImmediate(forget)
    const fresh = page(base, prefix, cursor)
    pageCache.set(slot, fresh)
    return fresh
  }
  return { pages, forget }
}

/** Checks that a key stays inside the folder, in case of a bug; keys are already validated. */
function checked(key: string): string {
  assert(staysInside(key), `invalid key: ${JSON.stringify(key)}`)
  return key
}

const staysInside = (key: string): boolean =>
  !key.includes('\0') &&
  key.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/**
 * Builds the ETag from inode, time, and size, which change if a file is replaced, edited, or
 * truncated.
 */
const etagOf = ({ ino, mtimeNs, size }: BigIntStats): string =>
  [ino, mtimeNs, size].map((part) => part.toString(36)).join('-')

const ABSENT = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO']

/** Returns the stat of a file; undefined if the path has no regular file or contains a link. */
function fileAt(path: string): BigIntStats | undefined {
  try {
    return isReal(dirname(path)) ? plainFile(path) : undefined
  } catch (error) {
    if (hasCode(error, ABSENT)) return undefined
    throw error
  }
}

function plainFile(path: string): BigIntStats | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats?.isFile() ? stats : undefined
}

function matches(stats: BigIntStats | undefined, expect: Expect): boolean {
  if (expect === 'any') return true
  if (expect === 'absent') return stats === undefined
  return stats !== undefined && etagOf(stats) === expect.etag
}

const asExpected = (path: string, expect: Expect): boolean => matches(fileAt(path), expect)

/** Reads a file's etag before its bytes, so a concurrent edit makes the etag stale, never wrong. */
function read(path: string): { body: Uint8Array; etag: string } | null {
  let file: number
  try {
    if (!isReal(dirname(path))) return null
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    if (hasCode(error, ABSENT)) return null
    throw error
  }
  try {
    const stats = fstatSync(file, { bigint: true })
    if (!stats.isFile()) return null
    const { buffer, byteOffset, byteLength } = readFileSync(file)
    return { body: new Uint8Array(buffer, byteOffset, byteLength), etag: etagOf(stats) }
  } finally {
    closeSync(file)
  }
}

/** Writes and syncs an object body to a temporary file; the later rename keeps the etag. */
function drafter(folder: string) {
  let count = 0
  let last = 0
  return async (body: Uint8Array): Promise<{ path: string; etag: string }> => {
    const path = join(folder, String((count += 1)))
    const file = openSync(path, 'wx', 0o600)
    try {
      writeFileSync(file, body)
      // File times must increase by at least one microsecond. Kernel file times have millisecond
      // resolution, and inodes are reused, so two bodies could otherwise share an etag.
      last = Math.max(last + 1, Date.now() * 1_000)
      futimesSync(file, last / 1e6, last / 1e6)
      await syncFile(file)
      return { path, etag: etagOf(fstatSync(file, { bigint: true })) }
    } catch (error) {
      rmSync(path, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
  }
}

const IN_THE_WAY = ['EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'ELOOP']

/** Renames the draft to its final path and returns the folders to sync for durability. */
function place(base: string, draft: string, path: string, expect: Expect): string[] | 'conflict' {
  // Another writer may have changed the file while the draft was written.
  if (!asExpected(path, expect)) return 'conflict'
  const changedFolders = makeFolders(base, dirname(path))
  if (changedFolders === 'conflict') return 'conflict'
  try {
    // Creating a hard link fails atomically if the name already exists.
    if (expect === 'absent') linkSync(draft, path)
    else renameSync(draft, path)
  } catch (error) {
    if (hasCode(error, IN_THE_WAY)) return 'conflict'
    throw error
  }
  return [...changedFolders, dirname(path)]
}

function page(base: string, prefix: string, cursor: string | undefined): ObjectPage {
  const objects: ListedObject[] = []
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  // No object key can start with this prefix, so the listing is empty.
  if (folder !== '' && !staysInside(folder.slice(0, -1))) return { objects }
  for (const key of walk(base, folder, prefix.slice(folder.length), cursor)) {
    if (objects.length === PAGE) return { objects, cursor: objects.at(-1)!.key }
    const stats = plainFile(join(base, key))
    if (!stats) continue
    const { size, mtimeMs } = stats
    objects.push({ key, etag: etagOf(stats), size: Number(size), modified: Number(mtimeMs) })
  }
  return { objects }
}
