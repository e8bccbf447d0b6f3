/**
 * A part of the index of a memory: the passages of some of its files, and minisearch's index over
 * them. It is a pure function of these files, so an index that was updated in parts equals a
 * rebuilt one. As an object of the bucket it is JSON; a corrupt or foreign one counts as missing.
 */

import type MiniSearch from 'minisearch'
import type { Options, SearchResult } from 'minisearch'
import { type Passage, passagesOf } from '../../core/memory/passages.ts'
import { isUnspaced, termsOf } from '../../core/memory/terms.ts'
import { decodeStrict, encode } from '../../lib/bytes.ts'

/** Counts on with passages, terms and the library: what an older one made is made anew. */
const MAGIC = 'strata-memory-index-1'

export interface IndexedFile {
  readonly path: string
  readonly etag: string
  /** Null: it is no text that can be searched. */
  readonly passages: readonly Passage[] | null
}

export interface Segment {
  /** Ordered by path. */
  readonly files: readonly IndexedFile[]
  readonly index: MiniSearch<Indexed>
  /** Passages by the number of the document. */
  readonly places: readonly PassageRef[]
  /** About how many bytes of memory it takes. */
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

/** Loaded by the first search: most processes need none. */
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
  /** Words of it that match. */
  readonly terms: readonly string[]
  readonly score: number
}

/** The best first; equal ones by their places. */
export function byScore(a: Hit, b: Hit): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.from - b.from
}

/** How the words of a query are looked for. */
export interface SegmentQuery {
  readonly query: string
  readonly most: number
  readonly isWanted: (path: string) => boolean
  /** Words that no file has as they are: their beginnings and typing errors count too. */
  readonly unknown?: ReadonlySet<string>
}

/** The best passages of this part. `found` is given each word of the query that some file has. */
export function searchSegment(
  { places, index }: Segment,
  { query, most, isWanted, unknown = new Set() }: SegmentQuery,
  matchedTerms: Set<string>,
): Hit[] {
  const searchTerms = termsOf(query).map(({ term }) => term)
  const words = new Set(searchTerms)
  const last = searchTerms.at(-1)
  const results: SearchResult[] = index.search(query, {
    // Beginnings from three characters on; pairs of characters as they are.
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

/** Allows an error in five characters, two in seven (a transposition counts as two). */
const errorsIn = (term: string): number | false =>
  isUnspaced(term) || term.length < 5 ? false : term.length < 7 ? 1 : 2
