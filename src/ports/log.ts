/**
 * The log port: operator logs of a deployment. Entries are names, numbers, and short sentences,
 * never bodies, prompts, arguments, or secrets.
 */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogEntry {
  readonly level: LogLevel
  /** The event: `request`, `run.ended`, `model.failed` … */
  readonly event: string
  readonly [field: string]: string | number | null | undefined
}

export interface Log {
  /** Writes an entry, possibly later. Never throws and is not awaited. */
  write(entry: LogEntry): void
}
