/**
 * The output of `strata push`: sentences for people, and with `--json` one JSON object per line on
 * the standard output: each finding, each planned change, and at last the counts.
 */

import type { Diagnostic } from '../core/config/types.ts'
import { jsonLine } from './run.ts'
import type { Terminal } from './terminal.ts'

type Finding = Pick<Diagnostic, 'severity' | 'code' | 'message'> & { readonly hint?: string | null }

export class PushReport {
  readonly #terminal: Terminal
  readonly #isJson: boolean
  /** Files that their author expects on the server, or to be read there, and that are not. */
  unread = 0

  constructor(terminal: Terminal, isJson: boolean) {
    this.#terminal = terminal
    this.#isJson = isJson
  }

  /** `sentence`: for people; undefined: others like it were named. */
  finding(path: string, finding: Finding, sentence: string | undefined): void {
    if (finding.severity === 'warning') this.unread += 1
    if (sentence !== undefined) this.note(`${path}: ${sentence}`)
    if (this.#isJson) this.#terminal.out(jsonLine({ path, hint: null, ...finding }))
  }

  /** A sentence that concerns no single file. */
  note(sentence: string): void {
    this.#terminal.err(sentence)
  }

  planned(action: 'add' | 'replace' | 'delete', path: string): void {
    this.#terminal.out(this.#isJson ? jsonLine({ path, action }) : `would ${action} ${path}`)
  }

  end(sentence: string, counts: Readonly<Record<string, unknown>>): void {
    this.#terminal.out(this.#isJson ? jsonLine({ ...counts, unread: this.unread }) : sentence)
  }
}
