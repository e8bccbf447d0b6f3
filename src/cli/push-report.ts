/**
 * Output of `strata push`: readable sentences, or with `--json` one JSON object per line on
 * standard output. Prints each finding, each planned change, and finally the counts.
 */

import type { Diagnostic, FileRecord } from '../core/config/types.ts'
import { findingLines } from './check.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

type Finding = Pick<Diagnostic, 'severity' | 'code' | 'message'> & { readonly hint?: string | null }

/** Maximum number of warnings printed per push. */
const NAMED_WARNINGS = 20

export class PushReport {
  readonly #terminal: Terminal
  readonly #isJson: boolean
  readonly #notesBefore: Set<string>
  /**
   * Number of files that are not sent, or not read by the server, although their author expects so.
   */
  unread = 0
  #warnings = 0

  constructor(terminal: Terminal, isJson: boolean, notesBefore = new Set<string>()) {
    this.#terminal = terminal
    this.#isJson = isJson
    this.#notesBefore = notesBefore
  }

  /**
   * Reports a finding. `sentence` is the readable text; undefined if similar findings were already
   * printed.
   */
  finding(path: string, finding: Finding, sentence: string | undefined): void {
    if (finding.severity === 'warning') this.unread += 1
    const line = `${path}: ${sentence}`
    // Errors are printed at every push attempt.
    if (finding.severity === 'error') this.#terminal.err(line)
    else if (sentence !== undefined) this.note(line)
    if (this.#isJson) this.#terminal.out(jsonLine({ path, hint: null, ...finding }))
  }

  /**
   * Reports the errors and warnings that `strata check` found in a file; prints only the first
   * warnings.
   */
  checked(record: FileRecord): void {
    const { layer, path, status, diagnostics } = record
    // No loader reads this file. Files that their author may expect to be read are reported by name
    // elsewhere.
    if (status === 'ignored') return
    for (const finding of diagnostics.filter(({ severity }) => severity !== 'note')) {
      if (this.#isJson) this.#terminal.out(jsonLine({ ...finding, path: layer + path }))
      if (finding.severity === 'warning') this.#warnings += 1
      if (finding.severity === 'warning' && this.#warnings > NAMED_WARNINGS) continue
      const { err, finding: inColor = (_, line) => err(line) } = this.#terminal
      for (const line of findingLines({ ...record, diagnostics: [finding] }))
        inColor(finding.severity, line)
    }
  }

  /** Prints a note that is not about a single file. */
  note(sentence: string): void {
    if (this.#notesBefore.has(sentence)) return
    this.#notesBefore.add(sentence)
    this.#terminal.err(sentence)
  }

  planned(action: 'add' | 'replace' | 'delete', path: string): void {
    this.#terminal.out(this.#isJson ? jsonLine({ path, action }) : `would ${action} ${path}`)
  }

  end(sentence: string, counts: Readonly<Record<string, unknown>>): void {
    const more = this.#warnings - NAMED_WARNINGS
    if (more > 0) this.note(`${more} more warnings; run strata check to list them`)
    this.#terminal.out(this.#isJson ? jsonLine({ ...counts, unread: this.unread }) : sentence)
  }
}
