/**
 * Creates folders when a file needs them, removes them with their last file, and survives a crash.
 */

import { close, fsync, lstatSync, mkdirSync, open, realpathSync, rmdirSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { promisify } from 'node:util'

export const syncFile = promisify(fsync)
const openFile = promisify(open)
const closeFile = promisify(close)

export const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? '')

/** Whether no part of the path is a link. Throws ENOENT or ENOTDIR when there is none. */
export const isReal = (folder: string): boolean => realpathSync.native(folder) === folder

/**
 * Makes every folder from `base` down to `folder`. Answers the folders that got a new entry;
 * `conflict` when a file or a link is in the way.
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

/** Removes folders that became empty, below `base` only. Answers the first that stays. */
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

/** A name lasts when its folder is synced. A folder that is gone by now needs nothing. */
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
