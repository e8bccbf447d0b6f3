/**
 * Findings about files. A diagnostic's severity decides what happens to the file by default; the
 * two sets below list where strict mode differs from "warnings become errors" (POLICY.md).
 */

import { cut } from '../../lib/bytes.ts'
import { oneLine } from '../../lib/invisible-characters.ts'
import type { Diagnostic, FileStatus, Severity } from './types.ts'

/** Findings quote what stands in files: one line, bounded, nothing hidden in it. */
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

/** The finding about a `Skill.md` beside the file that is the skill, which alone is read. */
export function skillVariant(variant: string, main: string): Diagnostic {
  const [other, read] = [variant, main].map((path) => path.slice(path.lastIndexOf('/') + 1))
  const hint = `keep one of ${read} and ${other}`
  return error('skill_variant', `${other} is not read, because ${read} beside it is the skill`, {
    hint,
  })
}

/** Warnings that strict mode lets pass: the file is right, only this host or name is unusual. */
const STRICT_ACCEPTS: ReadonlySet<string> = new Set([
  'name_not_stem',
  'not_honoured',
  'timeout_capped',
  'placeholder_unfilled',
  'instructions_unread',
])

/** Notes that strict mode refuses. */
const STRICT_REFUSES: ReadonlySet<string> = new Set(['not_an_agent', 'file_name_variant'])

/** Whether strict mode refuses because of this finding. */
export function refusedWhenStrict(finding: Diagnostic): boolean {
  if (finding.severity === 'error') return true
  if (finding.severity === 'warning') return !STRICT_ACCEPTS.has(finding.code)
  return STRICT_REFUSES.has(finding.code)
}

export const hasError = (findings: readonly Diagnostic[]): boolean =>
  findings.some((finding) => finding.severity === 'error')

/** The status of a file by its findings, once it was understood to be an agent, skill or config. */
export function statusOf(findings: readonly Diagnostic[]): FileStatus {
  if (hasError(findings)) return 'rejected'
  return findings.some((finding) => finding.severity === 'warning')
    ? 'loaded_with_warnings'
    : 'loaded'
}
