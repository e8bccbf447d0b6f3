/** Command-line tables: a header with the API's field names, then one row per entry. */

import { oneLine } from '../lib/invisible-characters.ts'

/** Cell text for a value that is null, absent, or empty. */
const EMPTY_CELL = '–'

type Cell = string | number | null | undefined

/**
 * Formats rows as a table, identically for terminals and pipes. Columns in `right` are
 * right-aligned.
 */
export function tableOf(
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  right: readonly number[] = [],
): string[] {
  const lines = [heads, ...rows].map((row) => row.map(textOf))
  const widths = heads.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const padded = (cell: string, at: number): string =>
    right.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
  return lines.map((line) => line.map(padded).join('  ').trimEnd())
}

function textOf(cell: Cell): string {
  const text = oneLine(String(cell ?? ''))
  return text === '' ? EMPTY_CELL : text
}
