/** Globs over paths: `*` and `?` within a folder, `**` across folders, `{a,b}` for either. */

const MAX_PATTERN = 200

/** A matcher, or undefined when the pattern is too long to be one. */
export function globMatcher(pattern: string): ((path: string) => boolean) | undefined {
  if (pattern.length > MAX_PATTERN) return undefined
  const wanted = alternatives(pattern).map((one) => one.split('/'))
  return (path) => {
    const segments = path.split('/')
    return wanted.some((pieces) => matchPath(pieces, segments))
  }
}

/** `{a,b}` written out; at most 64 alternatives, nested braces taken literally. */
function alternatives(pattern: string): string[] {
  const found = /\{([^{}]*)\}/.exec(pattern)
  if (!found) return [pattern]
  const [whole, inner = ''] = found
  const before = pattern.slice(0, found.index)
  const after = pattern.slice(found.index + whole.length)
  return inner
    .split(',')
    .slice(0, 8)
    .flatMap((piece) => alternatives(`${before}${piece}${after}`))
    .slice(0, 64)
}

/** Folder by folder with a table, so that no pattern takes more than product time. */
function matchPath(pieces: readonly string[], segments: readonly string[]): boolean {
  let reach = new Set([0])
  for (const [index, piece] of pieces.entries()) {
    const next = new Set<number>()
    for (const at of reach) {
      if (piece === '**') {
        const last = index === pieces.length - 1
        for (let to = at; to <= segments.length; to += 1) if (!last || to > at) next.add(to)
      } else if (at < segments.length && matchSegment(piece, segments[at]!)) next.add(at + 1)
    }
    reach = next
  }
  return reach.has(segments.length)
}

/** `*` and `?` by the two-pointer method: linear memory, no backtracking explosion. */
export function matchSegment(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let mark = 0
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p
      mark = t
      p += 1
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p += 1
      t += 1
    } else if (star >= 0) {
      p = star + 1
      mark += 1
      t = mark
    } else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}
