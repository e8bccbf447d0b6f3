/** Reads the fields of one server entry; `server.ts` checks how they are combined. */

import { error, warning } from '../diagnostic.ts'
import type { Diagnostic } from '../types.ts'
import type { RawServer } from './file.ts'

/** Reads the fields of a single server entry and collects errors, with their lines where known. */
export class Reader {
  readonly server: RawServer
  readonly errors: Diagnostic[] = []
  readonly findings: Diagnostic[] = []

  constructor(server: RawServer) {
    this.server = server
  }

  value<T>(key: string, fallback: T): T {
    return (this.server.fields[key] as T | undefined) ?? fallback
  }

  /** Reads a string field; a blank string counts as absent. */
  text(key: string): string | null {
    const text = this.value(key, '').trim()
    return text === '' ? null : text
  }

  names(key: string): readonly string[] {
    const trimmed = this.value<readonly string[]>(key, []).map((name) => name.trim())
    const names = [...new Set(trimmed.filter((name) => name !== ''))]
    if (names.length < trimmed.length) {
      this.warn('duplicate_tool', key, `\`${key}\` contains empty or repeated names`)
    }
    return names
  }

  has(key: string): boolean {
    const value = this.server.fields[key]
    if (value === undefined) return false
    if (typeof value === 'string') return value.trim() !== ''
    return typeof value !== 'object' || value === null || Object.keys(value).length > 0
  }

  error(code: string, key: string, message: string, hint: string | null = null): void {
    this.errors.push(
      error(code, `server ${this.server.name}: ${message}`, { line: this.line(key), hint }),
    )
  }

  warn(code: string, key: string, message: string): void {
    this.findings.push(
      warning(code, `server ${this.server.name}: ${message}`, { line: this.line(key) }),
    )
  }

  private line(key: string): number | null {
    return this.server.lines.get(key) ?? this.server.line
  }
}
