/**
 * Defines the log port for the operator's logs. Entries contain names, numbers, and short
 * sentences, never bodies, prompts, arguments, or secrets.
 */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogEntry {
  readonly level: LogLevel
  /** Name of the logged event: `request`, `run.ended`, `model.failed` … */
  readonly event: string
  readonly [field: string]: string | number | null | undefined
}

export interface Log {
  /** Writes a log entry, possibly later. Never throws and is not awaited. */
  write(entry: LogEntry): void
}
