/**
 * Cached listing of a local folder for `strata check` and `strata push`; each file is read once.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gitRule, type LeftOut } from '../core/config/layer/ignore-rules.ts'
import { LIMITS } from '../core/limits.ts'
import { type Folder, readFolder, readStart } from './folder.ts'
import { leftOut } from './ignore-rules.ts'

type Read = (path: string) => Uint8Array<ArrayBuffer>

export interface Listing {
  readonly folder: Folder
  readonly rules: LeftOut
  /** Reads files, and caches each file's body until `take` returns it. */
  readonly read: Read
  readonly take: Read
}

/**
 * Lists the files of a folder; `include` contains patterns of ignored files to include. Throws if
 * the folder does not exist.
 */
export function listingOf(dir: string, include: readonly string[] = []): Listing {
  const rules = leftOut(dir, include)
  const bodies = new Map<string, Uint8Array<ArrayBuffer>>()
  // Reading one byte beyond the limit is enough to detect an oversized file.
  const load: Read = (path) =>
    new Uint8Array(readStart(join(dir, path), LIMITS.file_body_bytes + 1))
  return {
    folder: readFolder(dir, (below) => gitRule(rules.closed(below)) ?? dataOf(join(dir, below))),
    rules,
    read(path) {
      const body = bodies.get(path) ?? load(path)
      bodies.set(path, body)
      return body
    },
    take(path) {
      const body = bodies.get(path) ?? load(path)
      bodies.delete(path)
      return body
    },
  }
}

const DATABASE = 'strata.db'

/**
 * Detects the data folder of a server or of a backup. Such a folder contains keys and is not part
 * of a layer.
 */
const dataOf = (folder: string): string | undefined =>
  existsSync(join(folder, DATABASE)) ? DATABASE : undefined
