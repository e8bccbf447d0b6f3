/**
 * The log port: the operator's view of a deployment without the API. Entries are names, numbers and
 * short sentences; bodies, prompts, arguments and secrets are never among them.
 */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LogEntry {
  readonly level: LogLevel
  /** The event: `request`, `run.ended`, `model.failed` … */
  readonly event: string
  readonly [field: string]: string | number | null | undefined
}

export interface Log {
  /** Never throws and is not awaited: the line can be written a little later. */
  write(entry: LogEntry): void
}
