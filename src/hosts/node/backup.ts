/**
 * Copies a data folder while it is written. The database is copied before the files, because a row
 * is written after its bodies. The server defers deletes of bodies until the copy ends. All data is
 * from one moment, except files that people and runs change; each such file is complete.
 *
 * The copy is renamed once it is complete and synced; a killed backup leaves a folder with another
 * name.
 */

import { constants, type Dirent, existsSync } from 'node:fs'
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  utimes,
} from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { writeAtRest } from './active-partitions.ts'
import { askForBackup, type CopiedDatabase } from './backup-socket.ts'
import { hasCode, syncFolders } from './folders.ts'
import { LockHeld } from './lock.ts'
import { isTrouble } from './machine-failures.ts'
import { openSqlite } from './sqlite.ts'

export const DATABASE = 'strata.db'
const OBJECTS = 'objects'
const MASTER_KEY = 'master.key'
const AT_WORK = 'at-work'
/** Names of the key files, including the key of `strata dev`. */
const KEY_FILES = [MASTER_KEY, 'dev-key']

export interface Backup {
  readonly databaseBytes: number
  readonly files: number
  readonly bytes: number
  /** Number of skipped links and devices in the objects folder, which a server does not read. */
  readonly skipped: number
  readonly hasMasterKey: boolean
}

/**
 * Creates a backup. Throws a one-line error; in that case, no folder with the destination's name
 * exists.
 */
export async function backUp(dataDir: string, destination: string): Promise<Backup> {
  if (!existsSync(join(dataDir, DATABASE)))
    throw new Error(`${dataDir} does not contain ${DATABASE}; it is not a server's data folder.`)
  const target = await freeTarget(dataDir, destination)
  let partial: string | undefined
  try {
    partial = await mkdtemp(`${target}.partial-`)
    const result = await copyAll(dataDir, partial)
    // The rename replaces an empty folder with the destination's name.
    await rename(partial, target)
    await syncFolders([dirname(target)])
    return result
  } catch (error) {
    if (partial) await rm(partial, { recursive: true, force: true }).catch(() => {})
    throw new Error(sentenceOf(error, destination), { cause: error })
  }
}

async function copyAll(dataDir: string, partial: string): Promise<Backup> {
  const path = join(partial, DATABASE)
  const copied = (await askForBackup(dataDir, path)) ?? (await copyStopped(dataDir, path))
  try {
    const counts = { files: 0, bytes: 0, skipped: 0 }
    await copyFolder(join(dataDir, OBJECTS), join(partial, OBJECTS), counts)
    const keyFiles = KEY_FILES.filter((name) => existsSync(join(dataDir, name)))
    for (const name of keyFiles) await copyOne(join(dataDir, name), join(partial, name))
    // Run clocks exclude the time between the copy of the database and the start of a server on the
    // copy.
    writeAtRest(join(partial, AT_WORK), copied.at)
    const { size } = await stat(path)
    await syncFolders([partial])
    return { databaseBytes: size, ...counts, hasMasterKey: keyFiles.includes(MASTER_KEY) }
  } finally {
    await copied.release()
  }
}

interface Copied extends Omit<CopiedDatabase, 'release'> {
  release(): void | Promise<void>
}

/** Copies the database without a server; the lock stays owned until the files are copied. */
async function copyStopped(dataDir: string, path: string): Promise<Copied> {
  try {
    const store = await openSqlite(join(dataDir, DATABASE), 0)
    await store.copyTo(path)
    return { at: Date.now(), release: () => store.close() }
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error
    throw new Error(
      `${dataDir} is in use by a process that does not respond on its socket. If the ` +
        'process is a server that is starting, retry the backup; if its log reports that it ' +
        'has no socket, stop the server first.',
    )
  }
}

interface Counts {
  files: number
  bytes: number
  skipped: number
}

/** Copies a folder and preserves modification times, because the sweep depends on them. */
async function copyFolder(from: string, to: string, counts: Counts): Promise<void> {
  let entries: Dirent[]
  try {
    entries = await readdir(from, { withFileTypes: true })
  } catch (error) {
    // A folder is removed together with its last file, so it may no longer exist.
    if (hasCode(error, ['ENOENT'])) return
    throw error
  }
  await mkdir(to, { mode: 0o700 })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target, counts)
    else if (entry.isFile()) {
      const size = await copyOne(source, target)
      if (size === undefined) continue
      counts.files += 1
      counts.bytes += size
    } else counts.skipped += 1
  }
  await syncFolders([to])
}

/** Copies a file and returns its size; undefined if the file no longer exists. */
async function copyOne(source: string, target: string): Promise<number | undefined> {
  try {
    await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  } catch (error) {
    if (hasCode(error, ['ENOENT']) && !existsSync(source)) return undefined
    throw error
  }
  const original = await open(source).catch(() => undefined)
  const file = await open(target, 'r+')
  try {
    const times = original && (await original.stat())
    if (times) await utimes(target, times.atime, times.mtime)
    await file.sync()
    return (await file.stat()).size
  } finally {
    await Promise.all([original?.close(), file.close()])
  }
}

/** Returns the absolute path of the backup, in an existing folder outside of the data folder. */
async function freeTarget(dataDir: string, destination: string): Promise<string> {
  const path = resolve(destination)
  let parent: string
  try {
    parent = await realpath(dirname(path))
  } catch {
    throw new Error(`${dirname(path)} does not exist or cannot be read. Create it, then retry.`)
  }
  const target = join(parent, basename(path))
  const fromData = relative(await realpath(dataDir), target)
  if (fromData.split(sep)[0] !== '..')
    throw new Error(`${destination} is inside ${dataDir}. Choose a folder outside the data folder.`)
  const existing = await readdir(target).catch((error: unknown) => {
    if (hasCode(error, ['ENOENT'])) return []
    throw new Error(`${destination} exists and is not an empty folder. Choose another name.`)
  })
  if (existing.length > 0)
    throw new Error(`${destination} is not empty. Choose another name, or move the existing files.`)
  return target
}

function sentenceOf(error: unknown, destination: string): string {
  const text = error instanceof Error ? error.message : String(error)
  if (hasCode(error, ['ENOSPC', 'EDQUOT']) || /disk is full/.test(text))
    return (
      `The disk of ${destination} is full. The partial backup was removed. Free some space, ` +
      'or choose another disk.'
    )
  if (hasCode(error, ['EACCES', 'EPERM', 'EROFS']) || isTrouble(error))
    return `The backup to ${destination} failed: ${text}. The partial backup was removed.`
  return text
}
