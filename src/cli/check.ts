/**
 * `strata check <dir>`: runs the loader over a directory, file by file, without a server. Prints
 * one line per finding with file, line, problem, and suggested line, or one record per file.
 * `--loose` classifies files outside of any layer by content, for checking a whole library.
 */

import { checkListing, isUnread } from '../core/config/layer/folder-check.ts'
import type { Diagnostic, FileRecord } from '../core/config/types.ts'
import { jsonVisible, oneLine } from '../lib/invisible-characters.ts'
import { type Listing, listingOf } from './listing.ts'
import type { Environment, Print } from './terminal.ts'

export interface CheckOptions {
  /** Whether to print one JSON object per file, each on its own line. */
  readonly json: boolean
  readonly loose: boolean
  /** Whether to also print notes about ignored files. */
  readonly verbose?: boolean
  /** Environment variables; STRATA_PROVIDERS enables the model check. */
  readonly env?: Environment
}

/**
 * Returns the exit code: 0 when everything loads, 2 when the directory does not exist. Returns 1
 * when a file is rejected, has an error, or is unexpectedly unread (links, AGENTS.md).
 */
export async function check(
  dir: string,
  options: CheckOptions,
  print: Print,
  err: Print = print,
): Promise<number> {
  const modelLack = options.env?.STRATA_PROVIDERS
    ? (await import('./known-models.ts')).modelLackIn(options.env)
    : undefined
  let listing: Listing
  try {
    listing = listingOf(dir)
  } catch {
    err(`strata: ${dir} is not a readable folder`)
    return 2
  }
  const { records, leftOut: unread } = checkListing(listing, { loose: options.loose, modelLack })
  for (const record of records) {
    if (options.json) print(jsonVisible(JSON.stringify(record)))
    else for (const line of findingLines(record, options.verbose)) print(line)
  }
  if (!options.json) {
    print(summary(records, unread))
    const isAllIgnored =
      records.length > 0 && records.every((record) => record.status === 'ignored')
    if (isAllIgnored && !options.loose) print(`no layer found; try strata check ${dir} --loose`)
  }
  return records.some(hasFailed) ? 1 : 0
}

/** Whether a file fails to load, or is not read although its author expects so. */
const hasFailed = (record: FileRecord): boolean =>
  record.status === 'rejected' ||
  isUnread(record) ||
  record.diagnostics.some((diagnostic) => diagnostic.severity === 'error')

/** Returns one line per finding about a file, with the corrected line if known. */
export function findingLines(record: FileRecord, isVerbose = false): string[] {
  const { layer, path, status, diagnostics } = record
  // Whether to show a finding. Most files of a library are unrelated; only files meant for Strata
  // have a hint.
  const tells = ({ severity, hint }: Diagnostic) => severity !== 'note' || hint !== null
  const isShown = isVerbose || status !== 'ignored'
  const visible = diagnostics.filter((diagnostic) => isShown || tells(diagnostic))
  return visible.map(({ severity, code, line, message, hint }) => {
    const place = `${layer}${path}${line === null ? '' : `:${line}`}`
    const instead = hint === null ? '' : `\n    write: ${oneLine(hint)}`
    return oneLine(`${place}: ${severity}: ${message} [${code}]`) + instead
  })
}

function summary(records: readonly FileRecord[], unread: number): string {
  const count = (status: FileRecord['status']) =>
    records.filter((record) => record.status === status).length
  return (
    `${records.length} files: ${count('loaded')} loaded, ` +
    `${count('loaded_with_warnings')} loaded with warnings, ` +
    `${count('rejected')} rejected, ${count('ignored')} ignored` +
    (unread === 0 ? '' : `, ${unread} ignored by git`)
  )
}
