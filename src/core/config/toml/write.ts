/** Formats values and keys as single-line TOML. */

import { isDate } from './parse.ts'

export type Table = Readonly<Record<string, unknown>>

export const renderKey = (key: string): string =>
  /^[A-Za-z0-9_-]+$/.test(key) ? key : renderText(key)

export const renderPath = (path: readonly string[]): string => path.map(renderKey).join('.')

/** Formats any parsed TOML value; tables are written inline. */
export function renderValue(value: unknown): string {
  if (typeof value === 'string') return renderText(value)
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`
  if (isDate(value)) return (value as { toISOString(): string }).toISOString()
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${renderKey(key)} = ${renderValue(member)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/**
 * Formats a string as TOML. JSON escapes are valid in TOML, except that TOML also requires DEL to
 * be escaped.
 */
const renderText = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f')
