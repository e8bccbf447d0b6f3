/**
 * Lists the files below a local folder, which may hold anything: links in a circle, names with
 * backslashes or in another encoding, sockets, files as large as the disk. Links are not followed,
 * as the server follows none. Files that cannot be read are reported, never left out.
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

/** The advice about a link that is not followed. */
export const LINK_HINT = 'replace it by the files themselves, or list it in .strataignore'

export interface Folder {
  /** Paths below the folder, with slashes, in key order. */
  readonly files: readonly string[]
  /** Whatever else has a name there, with the reason why it is not read. */
  readonly others: readonly Unread[]
}

export interface Unread {
  readonly path: string
  readonly why: string
  readonly link: boolean
  /** A folder that was not read, at the request of the caller. */
  readonly closed?: boolean
}

/**
 * Throws when the folder itself cannot be read. A folder (its path ends with a slash) for which
 * `closed` has a reason is one of the others, and is not read.
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
      // Packages may be a link to a folder elsewhere.
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
          unread.push({ path, why: 'an unreadable folder', link: false })
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
  if (entry.isSymbolicLink()) return 'a symbolic link, which is not followed'
  if (!entry.isFile()) return 'not a file'
  // A name in another encoding comes with replacement characters and finds nothing.
  if (!existsSync(path)) return 'its name is not UTF-8'
  try {
    accessSync(path, constants.R_OK)
    return undefined
  } catch {
    return 'an unreadable file'
  }
}

/** At most the first `max` bytes. */
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
