/**
 * The memory index in the bucket, outside of every layer. Files are assigned to parts by path
 * digest, and the number of parts depends on the size of the files. The index contains only data
 * from the files: each read compares ETags, reads changed files, rebuilds the affected parts, and
 * stores them on a best-effort basis. The index can be deleted at any time.
 *
 *     <tenant>/index/memory/<digest of the folder>/<parts>-<part>
 */

import { LRUCache } from 'lru-cache'
import { LIMITS } from '../../core/limits.ts'
import { sha256 } from '../../lib/digest.ts'
import { indexKey } from '../../lib/key.ts'
import type { ObjectInfo } from '../../ports/world.ts'
import { deleteFile, type FileInfo, type FileSpace, readFile } from '../layers/files.ts'
import { processMemory } from '../partition/process.ts'
import { memoryFiles, memoryKey } from './files.ts'
import { type IndexedFile, indexedFile, parseSegment, type Segment, segmentOf } from './segment.ts'
import { VECTORS } from './vectors.ts'

/** Maximum stored size of cached index parts in bytes. They use about four times as much memory. */
const KEPT_BYTES = 16 * 1_048_576
const AT_ONCE = 16

const keptOf = processMemory('memory', () => new LRUCache<string, Segment>({ maxSize: KEPT_BYTES }))

export interface Look {
  readonly files: number
  readonly passages: number
  /** Number of changed files that the search did not read. */
  readonly unread: number
  /** Number of files excluded from the search: too many files, or too much text. */
  readonly beyond: number
  /** Paths of the memory files that are not text. */
  readonly skipped: readonly string[]
  /** Number of files that the search read and indexed. */
  readonly healed: number
  /** Size of the index parts in bytes. */
  readonly bytes: number
}

/** Number of changed files that a search may still read. */
export interface Room {
  files: number
}

/** Folder listing made by one search. Parts of the folder's index may be missing. */
interface FolderListing {
  readonly found: Awaited<ReturnType<typeof memoryFiles>>
  readonly stored?: readonly ObjectInfo[]
}
/** Listings made by one search, by folder. */
export type Listings = Map<string, FolderListing>

/**
 * Passes each index part of a folder (such as `shared/`) to `see`, one at a time, which bounds
 * memory. Folders in `listings` are not listed again.
 */
export async function lookThrough(
  space: FileSpace,
  folder: string,
  { room, listings }: { readonly room: Room; readonly listings: Listings },
  see: (segment: Segment, key: string) => unknown,
): Promise<Look> {
  const cached = listings.get(folder)
  const [listing, stored] = await Promise.all([
    cached?.found ?? memoryFiles(space, folder, LIMITS.memory_files),
    cached?.stored ?? storedParts(space, folder),
  ])
  const files = within(listing.files)
  const count = partsFor(files)
  const parts = Array.from({ length: count }, (): FileInfo[] => [])
  for (const file of files) parts[partOf(file.path, count)]!.push(file)
  let look: Look = {
    files: files.length,
    passages: 0,
    unread: 0,
    beyond: listing.files.length - files.length + (listing.isWhole ? 0 : 1),
    skipped: [],
    healed: 0,
    bytes: 0,
  }
  for (const [at, partFiles] of parts.entries()) {
    const name = `${count}-${at}`
    if (partFiles.length === 0) continue
    const part = await partNow(
      space,
      { key: folderKey(space, folder) + name, stored, wanted: partFiles },
      room,
    )
    await see(part.segment, folderKey(space, folder) + name)
    look = {
      ...look,
      passages:
        look.passages + part.segment.files.reduce((n, f) => n + (f.passages?.length ?? 0), 0),
      unread: look.unread + part.unread,
      healed: look.healed + part.healed,
      bytes: look.bytes + part.segment.size,
      skipped: [...look.skipped, ...part.segment.files.flatMap((f) => (f.passages ? [] : f.path))],
    }
  }
  const live = new Set(
    parts.flatMap((partFiles, at) => (partFiles.length > 0 ? `${count}-${at}` : [])),
  )
  await dropOldParts(space, stored, (key) => !live.has(partIn(key)))
  // The listing of stored parts is not kept if parts were rebuilt, because their ETags changed.
  listings.set(
    folder,
    look.healed === 0 && look.unread === 0 ? { found: listing, stored } : { found: listing },
  )
  return look
}

/** Returns the name of an index part from its key or the key of its vectors. */
const partIn = (key: string): string => {
  const name = key.slice(key.lastIndexOf('/') + 1)
  return name.endsWith(VECTORS) ? name.slice(0, -VECTORS.length) : name
}

/**
 * Keeps the last files by name, up to the size limit. Names of notes are dates, and listings have
 * no creation time.
 */
function within(files: readonly FileInfo[]): readonly FileInfo[] {
  let remaining: number = LIMITS.memory_index_bytes
  const selected: FileInfo[] = []
  for (const file of [...files].reverse()) {
    remaining -= file.size
    if (remaining < 0) break
    selected.push(file)
  }
  return selected.reverse()
}

/** Returns the number of index parts, a power of two, so that growth rarely changes it. */
function partsFor(files: readonly FileInfo[]): number {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  let count = 1
  while (count * LIMITS.memory_shard_bytes < bytes) count *= 2
  return count
}

/** Assigns a file to an index part by FNV-1a, which is fast enough to run for each file. */
function partOf(path: string, count: number): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < path.length; at += 1) {
    hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0) % count
}

const folderKey = ({ tenant }: FileSpace, folder: string): string =>
  indexKey(tenant, `memory/${sha256(folder).slice(0, 32)}/`)

async function storedParts(space: FileSpace, folder: string): Promise<readonly ObjectInfo[]> {
  return (await space.world.objects.list(folderKey(space, folder))).objects
}

interface Part {
  readonly key: string
  readonly stored: readonly ObjectInfo[]
  readonly wanted: readonly FileInfo[]
}

async function partNow(space: FileSpace, { key, stored, wanted: partFiles }: Part, room: Room) {
  const { objects } = space.world
  const cache = keptOf(objects)
  const info = stored.find((object) => object.key === key)
  const previous = info && (cache.get(`${key} ${info.etag}`) ?? (await loaded(space, info)))
  const indexed = new Map((previous?.files ?? []).map((file) => [file.path, file]))
  const same: IndexedFile[] = []
  const changed: FileInfo[] = []
  for (const file of partFiles) {
    const entry = indexed.get(file.path)
    if (entry?.etag === file.etag) same.push(entry)
    else changed.push(file)
  }
  if (previous && changed.length === 0 && same.length === previous.files.length) {
    return { segment: previous, unread: 0, healed: 0 }
  }
  const due = changed.reverse().slice(0, room.files)
  room.files -= due.length
  const read = await readAll(space, due)
  const { segment, body } = await segmentOf([...same, ...read])
  // An index part is written only if files were read or removed. Unread files alone cause no write.
  if (read.length > 0 || same.length + changed.length < indexed.size) {
    const expect = info ? { etag: info.etag } : 'absent'
    const put = await objects.put(key, body, expect).catch(() => 'conflict' as const)
    if (put !== 'conflict') cache.set(`${key} ${put.etag}`, segment, { size: segment.size })
  }
  return { segment, unread: changed.length - due.length, healed: read.length }
}

async function loaded(space: FileSpace, { key }: ObjectInfo): Promise<Segment | undefined> {
  const object = await space.world.objects.get(key)
  const segment = object ? await parseSegment(object.body) : undefined
  if (object && segment) {
    keptOf(space.world.objects).set(`${key} ${object.etag}`, segment, { size: segment.size })
  }
  return segment
}

/** Reads memory files, skipping files deleted in the meantime. */
async function readAll(space: FileSpace, files: readonly FileInfo[]): Promise<IndexedFile[]> {
  const read: IndexedFile[] = []
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE)
    const bodies = await Promise.all(some.map(({ path }) => readFile(space, memoryKey(path))))
    for (const [index, body] of bodies.entries()) {
      if (body) read.push(indexedFile(some[index]!.path, body.etag, body.body))
    }
  }
  return read
}

async function dropOldParts(
  { world }: FileSpace,
  stored: readonly ObjectInfo[],
  isOld: (key: string) => boolean,
): Promise<void> {
  const old = stored.filter(({ key }) => isOld(key))
  // A concurrent reader that needs the deleted parts rebuilds them.
  await Promise.allSettled(old.map(({ key }) => world.objects.delete(key, 'any')))
}

/** Deletes a memory's files and its index. */
export async function forgetMemory(space: FileSpace, folder: string): Promise<void> {
  for (;;) {
    const { files, isWhole } = await memoryFiles(space, folder, FORGOTTEN)
    for (const { path } of files) await deleteFile(space, memoryKey(path), 'any')
    if (isWhole || files.length === 0) break
  }
  await dropIndex(space, folder)
}

/** Number of memory files listed per page for deletion. */
const FORGOTTEN = 1_000

/** Deletes the memory index of a folder. */
export async function dropIndex(space: FileSpace, folder: string): Promise<void> {
  await dropOldParts(space, await storedParts(space, folder), () => true)
}
