/**
 * Creates folders on demand and removes them with their last file. A crash leaves a consistent
 * state.
 */

import { close, fsync, lstatSync, mkdirSync, open, realpathSync, rmdirSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { promisify } from 'node:util'

export const syncFile = promisify(fsync)
const openFile = promisify(open)
const closeFile = promisify(close)

export const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? '')

/**
 * Reports whether no part of the folder path is a symbolic link. Throws ENOENT or ENOTDIR if the
 * path does not exist.
 */
export const isReal = (folder: string): boolean => realpathSync.native(folder) === folder

/**
 * Creates every folder from `base` down to `folder`. Returns the folders that gained an entry, or
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

/** Removes empty folders from `folder` up to `base`. Returns the first folder that remains. */
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

/** Syncs folders so that renames in them are durable. Deleted folders are skipped. */
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
