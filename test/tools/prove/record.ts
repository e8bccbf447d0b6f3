/** Reads and writes `test/proofs.json`: the last completed run of each proof. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './guarded.ts'

export interface ProofRecord {
  /** The hash of the guarded files when the proof began; see `Contents`. */
  readonly contents: string
  /** The UTC day on which the proof ended, as `2026-11-28`. */
  readonly date: string
  /** The seed that was drawn; absent for a proof that takes none. */
  readonly seed?: number
  readonly result: 'green' | 'red'
  readonly seconds: number
}
export type Records = Readonly<Record<string, ProofRecord>>

/** Thrown when a record cannot be read or written. The message names the file and the cause. */
export class RecordError extends Error {}

export const RECORDS = join(ROOT, 'test/proofs.json')

/** Returns the records of a file, or none if it does not exist. Throws `RecordError` if it is not JSON. */
export function readRecords(path = RECORDS): Records {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new RecordError(`${path} could not be read: ${(error as Error).message}`)
  }
  try {
    return JSON.parse(text) as Records
  } catch (error) {
    throw new RecordError(`${path} is not JSON: ${(error as Error).message}`)
  }
}

/** Adds or replaces the record of one proof. Throws `RecordError`. */
export function writeRecord(name: string, record: ProofRecord, path = RECORDS): void {
  const records = { ...readRecords(path), [name]: record }
  const sorted = Object.entries(records).sort(([one], [other]) => (one < other ? -1 : 1))
  replaceFile(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}

/** Replaces a file atomically. On failure the file is unchanged and `RecordError` is thrown. */
export function replaceFile(path: string, text: string): void {
  const temporary = `${path}.new`
  try {
    writeFileSync(temporary, text)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw new RecordError(`${path} could not be written: ${(error as Error).message}`)
  }
}

/** The state of a proof for the present contents of its files. */
export type Standing =
  | { readonly state: 'green' | 'red'; readonly date: string }
  | { readonly state: 'due'; readonly since: string | undefined }

/** Returns the recorded result, or `due` if the guarded files have changed since. */
export function standing(record: ProofRecord | undefined, contents: string): Standing {
  if (record?.contents !== contents) return { state: 'due', since: record?.date }
  return { state: record.result, date: record.date }
}
