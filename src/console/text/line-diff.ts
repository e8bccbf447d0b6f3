/** Differences of two texts: lines in pairs, with the words that differ, and equal lines folded. */

import { diffArrays, diffWordsWithSpace } from 'diff'

interface LinePiece {
  readonly text: string
  readonly isChanged: boolean
}

export interface Line {
  /** Number of the line in its text, from 1. */
  readonly number: number
  readonly pieces: readonly LinePiece[]
}

export interface LinePair {
  /** Whether the lines of both texts are equal. */
  readonly isSame: boolean
  readonly left: Line | undefined
  readonly right: Line | undefined
}

export interface TextDiff {
  readonly pairs: readonly LinePair[]
  /** Whether the texts differ too much to find all of their equal lines. */
  readonly isCoarse: boolean
}

/** Number of differing lines after which the search for equal lines ends. */
const MAX_LINES = 1_000
const MAX_WORDS = 200
/** Longest line, in characters, whose words are compared. */
const MAX_LINE = 4_000
/** Smallest share of equal characters with which single words are marked. */
const LEAST_SHARE = 0.3

export function diffTexts(left: string, right: string): TextDiff {
  const lines = { left: linesOf(left), right: linesOf(right) }
  const changes = diffArrays([...lines.left], [...lines.right], { maxEditLength: MAX_LINES })
  if (!changes) return { pairs: changedPairs(lines.left, lines.right, 0, 0), isCoarse: true }
  const pairs: LinePair[] = []
  let [atLeft, atRight] = [0, 0]
  let removed: readonly string[] = []
  const flush = (added: readonly string[]): void => {
    pairs.push(...changedPairs(removed, added, atLeft, atRight))
    atLeft += removed.length
    atRight += added.length
    removed = []
  }
  for (const change of changes) {
    if (change.removed) removed = change.value
    else if (change.added) flush(change.value)
    else {
      flush([])
      for (const text of change.value) {
        const pieces = [{ text, isChanged: false }]
        const [left, right] = [++atLeft, ++atRight].map((number) => ({ number, pieces }))
        pairs.push({ isSame: true, left, right })
      }
    }
  }
  flush([])
  return { pairs, isCoarse: false }
}

/** An empty text has no line. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'))

/** Pairs the lines of two blocks by their positions. */
function changedPairs(
  left: readonly string[],
  right: readonly string[],
  beforeLeft: number,
  beforeRight: number,
): readonly LinePair[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const pieces = piecesOfPair(left[at], right[at])
    return {
      isSame: false,
      left: pieces.left && { number: beforeLeft + at + 1, pieces: pieces.left },
      right: pieces.right && { number: beforeRight + at + 1, pieces: pieces.right },
    }
  })
}

interface PiecesOfPair {
  readonly left: readonly LinePiece[] | undefined
  readonly right: readonly LinePiece[] | undefined
}

function piecesOfPair(left: string | undefined, right: string | undefined): PiecesOfPair {
  const isShort = Math.max(left?.length ?? 0, right?.length ?? 0) <= MAX_LINE
  const changes =
    left === undefined || right === undefined || !isShort
      ? undefined
      : diffWordsWithSpace(left, right, { maxEditLength: MAX_WORDS })
  const equal = (changes ?? []).filter(({ added, removed }) => !added && !removed)
  const count = equal.reduce((sum, { value }) => sum + value.trim().length, 0)
  const isSimilar = count >= LEAST_SHARE * Math.max(left?.length ?? 0, right?.length ?? 0)
  if (!changes || !isSimilar) return { left: plainPieces(left), right: plainPieces(right) }
  const side = (skipped: 'added' | 'removed'): readonly LinePiece[] =>
    joinedPieces(
      changes
        .filter((change) => !change[skipped])
        .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed })),
    )
  return { left: side('added'), right: side('removed') }
}

/** Joins changed words with the space between them. */
function joinedPieces(pieces: readonly LinePiece[]): readonly LinePiece[] {
  const joined: LinePiece[] = []
  for (const [at, piece] of pieces.entries()) {
    const last = joined.at(-1)
    const isSpace = piece.text.trim() === '' && pieces[at + 1]?.isChanged === true
    if (last?.isChanged && (piece.isChanged || isSpace)) {
      joined[joined.length - 1] = { text: last.text + piece.text, isChanged: true }
    } else joined.push(piece)
  }
  return joined
}

const plainPieces = (text: string | undefined): readonly LinePiece[] | undefined =>
  text === undefined ? undefined : [{ text, isChanged: false }]

export interface Block {
  readonly isFolded: boolean
  readonly pairs: readonly LinePair[]
}

/** Equal lines shown before and after a difference. */
const CONTEXT = 3

/** Splits the lines of a difference into blocks; equal lines far from a change are folded. */
export function blocksOf(pairs: readonly LinePair[]): readonly Block[] {
  const changed = pairs.flatMap(({ isSame }, at) => (isSame ? [] : [at]))
  const blocks: { readonly isFolded: boolean; readonly pairs: LinePair[] }[] = []
  let next = 0
  for (const [at, pair] of pairs.entries()) {
    while (next < changed.length && changed[next]! < at) next += 1
    const after = (changed[next] ?? Number.POSITIVE_INFINITY) - at
    const since = at - (changed[next - 1] ?? Number.NEGATIVE_INFINITY)
    const isFolded = pair.isSame && after > CONTEXT && since > CONTEXT
    const last = blocks.at(-1)
    if (last?.isFolded === isFolded) last.pairs.push(pair)
    else blocks.push({ isFolded, pairs: [pair] })
  }
  // A fold takes a line itself.
  return blocks.map((block) => (block.pairs.length === 1 ? { ...block, isFolded: false } : block))
}
