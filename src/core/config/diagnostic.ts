/**
 * Diagnostics about files. The severity decides how a file is treated by default. Two sets below
 * list where strict mode differs from "warnings become errors" (POLICY.md).
 */

import { cut } from '../../lib/bytes.ts'
import { oneLine } from '../../lib/invisible-characters.ts'
import type { Diagnostic, FileStatus, Severity } from './types.ts'

/**
 * Maximum length of a diagnostic message in bytes; messages quote file content on one visible line.
 */
const MESSAGE_BYTES = 1_000

interface FilePlace {
  readonly line?: number | null
  readonly hint?: string | null
}

const make =
  (severity: Severity) =>
  (code: string, message: string, place: FilePlace = {}): Diagnostic => ({
    code,
    severity,
    line: place.line ?? null,
    message: oneLine(cut(message, MESSAGE_BYTES)),
    hint: place.hint == null ? null : oneLine(cut(place.hint, MESSAGE_BYTES)),
  })

export const note = make('note')
export const warning = make('warning')
export const error = make('error')

/** Returns the finding about a `Skill.md` next to the `SKILL.md` that is loaded. */
export function skillVariant(variant: string, main: string): Diagnostic {
  const [other, read] = [variant, main].map((path) => path.slice(path.lastIndexOf('/') + 1))
  const hint = `keep only one of ${read} and ${other}`
  return error(
    'skill_variant',
    `${other} is ignored because ${read} in the same folder defines the skill`,
    {
      hint,
    },
  )
}

/**
 * Codes of warnings that strict mode accepts: the file is valid, and only the platform or name is
 * unusual.
 */
const STRICT_ACCEPTS: ReadonlySet<string> = new Set([
  'name_not_stem',
  'not_honoured',
  'timeout_capped',
  'placeholder_unfilled',
  'instructions_unread',
])

/** Codes of notes that strict mode rejects. */
const STRICT_REFUSES: ReadonlySet<string> = new Set(['not_an_agent', 'file_name_variant'])

/** Whether strict mode rejects a file with this finding. */
export function refusedWhenStrict(finding: Diagnostic): boolean {
  if (finding.severity === 'error') return true
  if (finding.severity === 'warning') return !STRICT_ACCEPTS.has(finding.code)
  return STRICT_REFUSES.has(finding.code)
}

export const hasError = (findings: readonly Diagnostic[]): boolean =>
  findings.some((finding) => finding.severity === 'error')

/** Returns the status of a recognized file, based on its findings. */
export function statusOf(findings: readonly Diagnostic[]): FileStatus {
  if (hasError(findings)) return 'rejected'
  return findings.some((finding) => finding.severity === 'warning')
    ? 'loaded_with_warnings'
    : 'loaded'
}
