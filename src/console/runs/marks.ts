/** Current row and marked rows of a list, by ID, so that they stay on their rows when others come. */

/** Returns the ID of the row `step` rows after the current one, within the list. */
export function moved(
  ids: readonly string[],
  current: string | undefined,
  step: number,
): string | undefined {
  const at = current === undefined ? -1 : ids.indexOf(current)
  if (at < 0) return step > 0 ? ids[0] : ids.at(-1)
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))]
}

export function withMark(marked: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(marked)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Marks all rows between two rows, including both. */
export function withRange(
  marked: ReadonlySet<string>,
  ids: readonly string[],
  [from, to]: readonly [from: string | undefined, to: string],
): ReadonlySet<string> {
  const end = ids.indexOf(to)
  const at = from === undefined ? -1 : ids.indexOf(from)
  const start = at < 0 ? end : at
  if (end < 0) return marked
  return new Set([...marked, ...ids.slice(Math.min(start, end), Math.max(start, end) + 1)])
}

/** Returns the IDs of two marked rows, the older row first; undefined for another number of rows. */
export function comparedPair(
  rows: readonly { readonly id: string }[],
  marked: ReadonlySet<string>,
): readonly [older: string, newer: string] | undefined {
  const [newer, older, third] = rows.filter(({ id }) => marked.has(id))
  return newer && older && !third ? [older.id, newer.id] : undefined
}
