/**
 * Failures of the machine: a full disk, no more file handles, a folder that cannot be written, a
 * database that is damaged. While requests are answered they may pass (503); at the start they are
 * a sentence for the person at the terminal.
 */

import { hasCode } from './folders.ts'

/** The system has no more of something, or the disk does not obey. */
const SYSTEM = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EROFS', 'ENOMEM', 'EFBIG']
/** SQLite's primary result codes: READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE: ReadonlySet<number> = new Set([8, 10, 13, 14])
/** CORRUPT and NOTADB. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])

/** The low byte of SQLite's code, or 0. */
const sqliteCode = (error: unknown): number =>
  ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff

/** Whether the same may succeed once the operator has freed space. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof Error && (hasCode(error, SYSTEM) || SQLITE.has(sqliteCode(error)))

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']

/**
 * The reason why a server cannot start on this folder, as a sentence; undefined for anything else.
 */
export function startTrouble(error: unknown, dataDir: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (DAMAGED.has(sqliteCode(error))) {
    return (
      `${dataDir}/strata.db is damaged or is not a SQLite database (${error.message}). Set ` +
      'DATA_DIR to the folder of a backup, or to another folder.'
    )
  }
  const code = (error as { code?: string }).code ?? ''
  const isReadOnly = hasCode(error, NOT_WRITABLE) || SQLITE.has(sqliteCode(error))
  if (isReadOnly) {
    const reason = code.startsWith('E') && code !== 'ERR_SQLITE_ERROR' ? code : error.message
    return `${dataDir} cannot be written (${reason}). Make it writable, or choose another DATA_DIR.`
  }
  if (isTrouble(error)) return `${dataDir} cannot be used: ${error.message}.`
  return undefined
}
