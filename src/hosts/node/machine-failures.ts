/**
 * Classifies machine failures: a full disk, no free file descriptors, an unwritable folder, or a
 * corrupt database. During a request, such a failure may be temporary (503). At startup, it
 * produces a one-line error.
 */

import { hasCode } from './folders.ts'

/** System error codes for exhausted resources and failed disks. */
const SYSTEM = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EROFS', 'ENOMEM', 'EFBIG']
/** SQLite's primary result codes READONLY, IOERR, FULL, and CANTOPEN. */
const SQLITE: ReadonlySet<number> = new Set([8, 10, 13, 14])
/** SQLite's primary result codes CORRUPT and NOTADB. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])

/** Returns SQLite's primary result code (the low byte), or 0 for other errors. */
const sqliteCode = (error: unknown): number =>
  ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff

/**
 * Reports whether the error is a machine failure, so that a retry may succeed after the operator
 * frees resources.
 */
export const isTrouble = (error: unknown): boolean =>
  error instanceof Error && (hasCode(error, SYSTEM) || SQLITE.has(sqliteCode(error)))

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']

/**
 * Returns a one-line explanation of why the server cannot start with this data folder, or undefined
 * for other errors.
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
