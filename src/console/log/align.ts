/** Alignment of two lists: pairs of items that correspond, in order. */

export interface Pair<T> {
  /** Item of the left list; undefined if only the right list has one here. */
  readonly left: T | undefined
  readonly right: T | undefined
}

/** Largest number of table cells for which the alignment is exact. */
const CELLS = 4_000_000

/**
 * Aligns two lists by keys, from the most exact key to the least: items with equal keys form pairs,
 * and the items between two pairs are aligned by the next key. The remaining items form pairs by
 * their positions. Swapping the lists swaps the sides of each pair.
 */
export function aligned<T>(
  left: readonly T[],
  right: readonly T[],
  keys: readonly ((item: T) => string)[],
): readonly Pair<T>[] {
  const [keyOf, ...nextKeys] = keys
  if (left.length === 0 || right.length === 0 || !keyOf) return zipped(left, right)
  const names = [left.map(keyOf), right.map(keyOf)] as const
  const pairs: Pair<T>[] = []
  let [fromLeft, fromRight] = [0, 0]
  for (const [atLeft, atRight] of [...matches(...names), [left.length, right.length] as const]) {
    const gap = [left.slice(fromLeft, atLeft), right.slice(fromRight, atRight)] as const
    for (const pair of aligned(...gap, nextKeys)) pairs.push(pair)
    if (atLeft < left.length) pairs.push({ left: left[atLeft], right: right[atRight] })
    fromLeft = atLeft + 1
    fromRight = atRight + 1
  }
  return pairs
}

const zipped = <T>(left: readonly T[], right: readonly T[]): readonly Pair<T>[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, at) => ({
    left: left[at],
    right: right[at],
  }))

type Match = readonly [left: number, right: number]

/** Returns the positions of a longest common subsequence. */
function matches(left: readonly string[], right: readonly string[]): readonly Match[] {
  // Several subsequences can be equally long; a fixed order of the lists selects the same one.
  if (isAfter(left, right)) return matches(right, left).map(([i, j]) => [j, i])
  let start = 0
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1
  let end = 0
  const most = Math.min(left.length, right.length) - start
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end += 1
  const inner = [left.slice(start, left.length - end), right.slice(start, right.length - end)]
  const [innerLeft = [], innerRight = []] = inner
  return [
    ...Array.from({ length: start }, (_, at): Match => [at, at]),
    ...longest(innerLeft, innerRight).map(([i, j]): Match => [i + start, j + start]),
    ...Array.from(
      { length: end },
      (_, at): Match => [left.length - end + at, right.length - end + at],
    ),
  ]
}

function isAfter(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return left.length > right.length
  const at = left.findIndex((name, index) => name !== right[index])
  return at >= 0 && (left[at] ?? '') > (right[at] ?? '')
}

/** Returns no positions if the lists are too long; their items are then aligned by the other keys. */
function longest(left: readonly string[], right: readonly string[]): readonly Match[] {
  const width = right.length + 1
  if ((left.length + 1) * width > CELLS) return []
  const lengths = new Uint16Array((left.length + 1) * width)
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        left[i] === right[j]
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
  const positions: Match[] = []
  let [i, j] = [0, 0]
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) positions.push([i++, j++])
    else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1
    else j += 1
  }
  return positions
}
