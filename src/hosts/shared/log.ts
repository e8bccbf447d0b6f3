/**
 * Writes a deployment's log, with the same lines on every platform: one for each request, each
 * ended run, and each failure. Lines are JSON, or text for a terminal; the platform chooses the
 * destination. No line contains a body, a query, a header, or a control character.
 */

import type { SeenRequest } from '../../http/request/request-log.ts'
import { cut } from '../../lib/bytes.ts'
import { jsonVisible, oneLine, visible } from '../../lib/invisible-characters.ts'
import type { Log, LogEntry, LogLevel } from '../../ports/world.ts'
import { systemClock } from './clock.ts'

/** Log levels; the first level is the default. */
export const LOG_LEVELS = ['info', 'debug', 'warn', 'error', 'silent'] as const
export type LogThreshold = (typeof LOG_LEVELS)[number]

const RANK: Readonly<Record<LogThreshold, number>> = {
  debug: 0,
  info: 1,
  warn: 2,
  error: 3,
  silent: 4,
}
const FIELD_BYTES = 2_000

export interface LogOptions {
  readonly level: LogThreshold
  /** Receives a log line without its line break. */
  readonly sink: (line: string, level: LogLevel) => void
  readonly pretty?: boolean
}

export function createLog({ level, sink, pretty = false }: LogOptions): Log {
  const line = pretty ? prettyLine : jsonLine
  return {
    write(entry) {
      if (RANK[entry.level] >= RANK[level]) sink(line(entry), entry.level)
    },
  }
}

export const jsonLine = (entry: LogEntry): string => jsonVisible(JSON.stringify(logFields(entry)))

/** Returns the fields of a log line, including its time; unknown fields are omitted. */
export function logFields(entry: LogEntry): Record<string, string | number> {
  const fields: Record<string, string | number> = { time: timeOf(systemClock.now()) }
  for (const [name, value] of Object.entries(entry)) {
    if (value === undefined || value === null) continue
    fields[name] = typeof value === 'string' ? cut(value, FIELD_BYTES) : value
  }
  return fields
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

function prettyLine(entry: LogEntry): string {
  const { time, level, event, error, ...fields } = logFields(entry)
  const pairs = Object.entries(fields).map(([name, value]) => {
    const text = oneLine(String(value))
    return `${name}=${/[\s"]/.test(text) ? JSON.stringify(text) : text}`
  })
  const head = [String(time).slice(11, 23), String(level).padEnd(5), event, ...pairs].join(' ')
  // The stack trace has several lines and follows the log entry.
  return error === undefined ? head : `${head}\n${visible(String(error)).text}`
}

/**
 * Creates the log entry of a failure from the error and its location: a request, a partition, or a
 * part of the platform.
 */
export function failureEntry(where: string, error: unknown): LogEntry {
  const [tenant, kind, id] = where.split('/')
  const isPartition = id !== undefined && /^[a-z]+$/.test(kind ?? '')
  return {
    level: 'error',
    event: 'error',
    where,
    ...(where.startsWith('req_') ? { request_id: where } : {}),
    ...(isPartition ? { tenant, [`${kind}_id`]: id } : {}),
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}

/** Logs each request; health probes are logged only at the most verbose level. */
export const requestLog =
  (log: Log) =>
  ({ status, path, route: _, ...request }: SeenRequest): void =>
    log.write({
      level: status >= 500 ? 'warn' : PROBES.has(path) ? 'debug' : 'info',
      event: 'request',
      ...request,
      path: cut(path, PATH_BYTES),
      status,
    })
const PATH_BYTES = 300
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])
