/**
 * Finds the name that the user probably intended: the name with the fewest edits (Levenshtein
 * distance).
 */

/**
 * Returns the nearest name, ignoring case; the first of several equally near names. Returns
 * undefined only if `names` is empty.
 */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  const target = word.slice(0, LONGEST).toLowerCase()
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const name of names) {
    const edits = distance(target, name.slice(0, LONGEST).toLowerCase())
    if (edits >= least) continue
    best = name
    least = edits
  }
  return best
}

/** Returns the nearest name if at most a third of it differs, otherwise undefined. */
export function close(word: string, names: Iterable<string>): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3))
  const near = [...names].filter((name) => Math.abs(name.length - word.length) <= most)
  const best = nearest(word, near)
  if (best === undefined) return undefined
  return distance(word.toLowerCase(), best.toLowerCase()) <= most ? best : undefined
}

/** Maximum number of characters compared; longer words are compared by their start. */
const LONGEST = 64

export function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const substitution = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
