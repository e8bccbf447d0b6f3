/**
 * Lists the files below a local folder, which may contain circular links, invalid names, sockets,
 * and huge files. As on the server, links are not followed. Unreadable files are reported, never
 * omitted.
 */

import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FolderListing, Unread } from '../core/config/layer/folder-check.ts'

export type Folder = FolderListing['folder']

/**
 * Reads a folder; throws if the folder is unreadable. A subfolder (path with a trailing slash) for
 * which `closed` returns a reason is listed in `others` instead.
 */
export function readFolder(
  dir: string,
  closed: (folder: string) => string | undefined = () => undefined,
): Folder {
  const files: string[] = []
  const unread: Unread[] = []
  const descend = (below: string, entries: readonly Dirent[]): void => {
    for (const entry of entries) {
      const path = below + entry.name
      // The folder of installed packages may be a symbolic link.
      const isFolder = entry.isDirectory() || entry.isSymbolicLink()
      const closedReason = isFolder ? closed(`${path}/`) : undefined
      if (closedReason !== undefined) {
        unread.push({ path: `${path}/`, why: closedReason, link: false, closed: true })
        continue
      }
      if (entry.isDirectory()) {
        try {
          descend(`${path}/`, readdirSync(join(dir, path), { withFileTypes: true }))
        } catch {
          unread.push({ path, why: 'unreadable folder', link: false })
        }
        continue
      }
      const reason = fault(entry, join(dir, path))
      if (reason === undefined) files.push(path)
      else unread.push({ path, why: reason, link: entry.isSymbolicLink() })
    }
  }
  descend('', readdirSync(dir, { withFileTypes: true }))
  return { files: files.sort(), others: unread }
}

function fault(entry: Dirent, path: string): string | undefined {
  if (entry.isSymbolicLink()) return 'symbolic links are not followed'
  if (!entry.isFile()) return 'not a regular file'
  // A name in another encoding contains replacement characters, so its path does not exist.
  if (!existsSync(path)) return 'the name is not valid UTF-8'
  try {
    accessSync(path, constants.R_OK)
    return undefined
  } catch {
    return 'unreadable file'
  }
}

/** Reads at most the first `max` bytes of a file. */
export function readStart(path: string, max: number): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(Math.min(max, fstatSync(file).size + 1))
    let length = 0
    for (;;) {
      const read = readSync(file, bytes, length, bytes.length - length, null)
      length += read
      if (read === 0 || length === bytes.length) return bytes.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}
