/** Creates folders on demand, removes them with their last file, and survives a crash. */

import { close, fsync, lstatSync, mkdirSync, open, realpathSync, rmdirSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { promisify } from 'node:util'

export const syncFile = promisify(fsync)
const openFile = promisify(open)
const closeFile = promisify(close)

export const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? '')

/**
 * Checks that no part of the path is a link. Throws ENOENT or ENOTDIR if the path does not exist.
 */
export const isReal = (folder: string): boolean => realpathSync.native(folder) === folder

/**
 * Creates every folder from `base` down to `folder`. Returns the folders with a new entry;
 * `conflict` if a file or a link is in the way.
 */
export function makeFolders(base: string, folder: string): string[] | 'conflict' {
  const changedFolders: string[] = []
  let parent = base
  for (const name of relative(base, folder).split(sep)) {
    const child = name === '' ? base : `${parent}${sep}${name}`
    try {
      mkdirSync(child)
      changedFolders.push(parent)
    } catch (error) {
      if (!hasCode(error, ['EEXIST'])) throw error
      if (!lstatSync(child).isDirectory()) return 'conflict'
    }
    parent = child
  }
  return changedFolders
}

/** Removes empty folders below `base`. Returns the first remaining folder. */
export function pruneFolders(base: string, folder: string): string {
  while (folder !== base) {
    try {
      rmdirSync(folder)
    } catch (error) {
      if (hasCode(error, ['ENOTEMPTY', 'EEXIST', 'EBUSY'])) return folder
      throw error
    }
    folder = dirname(folder)
  }
  return base
}

/** Syncs folders so that renames are durable. Deleted folders are skipped. */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    try {
      const handle = await openFile(folder, 'r')
      await syncFile(handle).finally(() => closeFile(handle))
    } catch (error) {
      if (!hasCode(error, ['ENOENT'])) throw error
    }
  }
}
