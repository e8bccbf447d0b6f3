/** Where the arrows lead among the spans of a timeline. */

import type { RunLine } from './spans.ts'

/** The span that an arrow leads to: in its line, or nearest in time in the next one. */
export function neighbour(
  lines: readonly RunLine[],
  at: number,
  chosen: string | undefined,
  key: string,
) {
  const line = lines[at]
  if (!key.startsWith('Arrow')) return undefined
  if (!line) {
    const [span] = lines[0]?.spans ?? []
    return span && { line: 0, span }
  }
  const spans = [...line.spans].sort((one, other) => one.from - other.from)
  const index = spans.findIndex(({ id }) => id === chosen)
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const span = spans[index + (key === 'ArrowRight' ? 1 : -1)]
    return span && { line: at, span }
  }
  const step = key === 'ArrowDown' ? 1 : -1
  const from = spans[index]?.from ?? 0
  for (let to = at + step; to >= 0 && to < lines.length; to += step) {
    const near = [...lines[to]!.spans].sort(
      (one, other) => Math.abs(one.from - from) - Math.abs(other.from - from),
    )[0]
    if (near) return { line: to, span: near }
  }
  return undefined
}
