/**
 * Classifies machine failures: a full disk, no free file handles, an unwritable folder, or a
 * damaged database. During requests they may be temporary (503); at startup they result in a
 * sentence for the terminal.
 */

import { hasCode } from './folders.ts'

/** Codes for exhausted system resources and failed disks. */
const SYSTEM = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EROFS', 'ENOMEM', 'EFBIG']
/** SQLite's primary result codes READONLY, IOERR, FULL, and CANTOPEN. */
const SQLITE: ReadonlySet<number> = new Set([8, 10, 13, 14])
/** SQLite's result codes CORRUPT and NOTADB. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])

/** Returns the low byte of SQLite's code, or 0. */
const sqliteCode = (error: unknown): number =>
  ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff

/** Checks whether a retry may succeed after the operator has freed resources. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof Error && (hasCode(error, SYSTEM) || SQLITE.has(sqliteCode(error)))

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']

/**
 * Returns a sentence that explains why a server cannot start on this folder; undefined for other
 * errors.
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
    return `${dataDir} is not writable (${reason}). Make it writable, or choose another DATA_DIR.`
  }
  if (isTrouble(error)) return `${dataDir} cannot be used: ${error.message}.`
  return undefined
}
