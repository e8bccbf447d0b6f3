/**
 * Part of a memory's index: passages of some files with a minisearch index. The part is a pure
 * function of these files, so incremental updates equal a rebuild. It is stored as JSON. A corrupt
 * or foreign object counts as missing.
 */

import type MiniSearch from 'minisearch'
import type { Options, SearchResult } from 'minisearch'
import { type Passage, passagesOf } from '../../core/memory/passages.ts'
import { isUnspaced, termsOf } from '../../core/memory/terms.ts'
import { decodeStrict, encode } from '../../lib/bytes.ts'

/**
 * Format version of an index part. Increase it when passages, terms, or the library change, so that
 * older parts are rebuilt.
 */
const MAGIC = 'strata-memory-index-1'

export interface IndexedFile {
  readonly path: string
  readonly etag: string
  /** Passages of the file; null if the file is not searchable text. */
  readonly passages: readonly Passage[] | null
}

export interface Segment {
  /** Files in this index part, ordered by path. */
  readonly files: readonly IndexedFile[]
  readonly index: MiniSearch<Indexed>
  /** Passage locations by document number. */
  readonly places: readonly PassageRef[]
  /** Approximate memory use of the index part, in bytes. */
  readonly size: number
}

interface PassageRef {
  readonly path: string
  readonly passage: Passage
}

interface Indexed {
  readonly id: number
  readonly text: string
  readonly heading: string
  readonly path: string
}

const OPTIONS: Options<Indexed> = {
  fields: ['text', 'heading', 'path'],
  tokenize: (text) => termsOf(text).map(({ term }) => term),
  processTerm: (term) => term,
  searchOptions: { boost: { heading: 2 } },
}

/** Loads the minisearch library on the first search, because most processes never search. */
const load = async () => (await import('minisearch')).default

export const indexedFile = (path: string, etag: string, body: Uint8Array): IndexedFile => {
  const text = decodeStrict(body)
  return { path, etag, passages: text === undefined ? null : passagesOf(text) }
}

export async function segmentOf(files: readonly IndexedFile[]): Promise<{
  readonly segment: Segment
  readonly body: Uint8Array
}> {
  const Search = await load()
  const ordered = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  const index = new Search<Indexed>(OPTIONS)
  index.addAll(
    placesOf(ordered).map(({ path, passage: { text, heading } }, id) => ({
      id,
      text,
      heading,
      path,
    })),
  )
  const body = encode(JSON.stringify({ magic: MAGIC, files: ordered, index }))
  return { segment: { files: ordered, index, places: placesOf(ordered), size: body.length }, body }
}

const placesOf = (files: readonly IndexedFile[]): readonly PassageRef[] =>
  files.flatMap(({ path, passages }) => (passages ?? []).map((passage) => ({ path, passage })))

export async function parseSegment(body: Uint8Array): Promise<Segment | undefined> {
  const Search = await load()
  try {
    const read = JSON.parse(decodeStrict(body) ?? '') as {
      magic: string
      files: IndexedFile[]
      index: Parameters<typeof Search.loadJS<Indexed>>[0]
    }
    if (read.magic !== MAGIC) return undefined
    return {
      files: read.files,
      index: Search.loadJS<Indexed>(read.index, OPTIONS),
      places: placesOf(read.files),
      size: body.length,
    }
  } catch {
    return undefined
  }
}

export interface Hit {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly heading: string
  readonly text: string
  /** Query words that match the passage. */
  readonly terms: readonly string[]
  readonly score: number
}

/** Orders hits by descending score, then by position. */
export function byScore(a: Hit, b: Hit): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.from - b.from
}

/** Search query, with the match mode of each word. */
export interface SegmentQuery {
  readonly query: string
  readonly most: number
  readonly isWanted: (path: string) => boolean
  /** Query words without an exact match. They match by prefix and with typing errors. */
  readonly unknown?: ReadonlySet<string>
}

/** Returns an index part's best passages; adds matched query words to `matchedTerms`. */
export function searchSegment(
  { places, index }: Segment,
  { query, most, isWanted, unknown = new Set() }: SegmentQuery,
  matchedTerms: Set<string>,
): Hit[] {
  const searchTerms = termsOf(query).map(({ term }) => term)
  const words = new Set(searchTerms)
  const last = searchTerms.at(-1)
  const results: SearchResult[] = index.search(query, {
    // Prefix matches need three characters; character pairs match exactly.
    prefix: (term) => (unknown.has(term) || term === last) && hasBeginnings(term),
    fuzzy: (term) => unknown.has(term) && errorsIn(term),
  })
  const hits: Hit[] = []
  for (const { id, score, terms, queryTerms } of results) {
    if (matchedTerms.size < words.size) for (const term of queryTerms) matchedTerms.add(term)
    else if (hits.length >= most) break
    if (hits.length >= most) continue
    const { path, passage } = places[id as number]!
    if (!isWanted(path)) continue
    hits.push({ path, ...passage, terms, score: Number(score.toPrecision(6)) })
  }
  return hits
}

const hasBeginnings = (term: string): boolean =>
  isUnspaced(term) ? [...term].length === 1 : term.length >= 3

/**
 * Returns the number of typing errors allowed in a query word: one from five characters, two from
 * seven (a transposition counts as two).
 */
const errorsIn = (term: string): number | false =>
  isUnspaced(term) || term.length < 5 ? false : term.length < 7 ? 1 : 2
