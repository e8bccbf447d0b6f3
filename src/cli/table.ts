/** Tables of the command line: a head with the names of the API's fields, then one row per entry. */

import { oneLine } from '../lib/invisible-characters.ts'

/** The cell of a value that is null, absent, or empty. */
const EMPTY_CELL = '–'

type Cell = string | number | null | undefined

/** The same lines on a terminal and in a pipe. Columns of `right` are aligned to the right. */
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
