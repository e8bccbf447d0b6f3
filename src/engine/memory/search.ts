/**
 * Searches memories. Changed files are indexed first. Unread files are reported (`stale`), so that
 * an empty result never hides an incomplete search.
 */

import { LIMITS } from '../../core/limits.ts'
import { folderOf } from '../../core/memory/scope.ts'
import { highlightsOf, termsOf } from '../../core/memory/terms.ts'
import type { FileSpace } from '../layers/files.ts'
import { memoryFiles } from './files.ts'
import { dropIndex, type Listings, type Look, lookThrough, type Room } from './index-store.ts'
import { byScore, type Hit, searchSegment } from './segment.ts'
import { SemanticSearch } from './semantic-search.ts'

interface MemoryPassage {
  readonly path: string
  readonly lines: { readonly from: number; readonly to: number }
  readonly heading: string
  readonly text: string
  /** Ranges of matching text in UTF-16 units, with exclusive ends. */
  readonly highlights: readonly { readonly from: number; readonly to: number }[]
  readonly score: number
}

export interface MemoryFound {
  readonly passages: readonly MemoryPassage[]
  /** Whether the search result omits changed files. */
  readonly stale: boolean
  /** Notes about all files and matches that the result omits. */
  readonly notes: readonly string[]
}

export interface MemoryQuery {
  readonly query: string
  /** Path prefix to which the search is restricted. */
  readonly prefix?: string | undefined
  readonly limit: number
}

const RESULTS_DEFAULT = 8
export const resultsOf = (limit: number | undefined): number =>
  Math.min(limit ?? RESULTS_DEFAULT, LIMITS.memory_results)

/** Searches the memories in `folders`, for example `shared/` or `agents/helper/`. */
export async function searchMemory(
  space: FileSpace,
  folders: readonly string[],
  { query, prefix = '', limit }: MemoryQuery,
  listings: Listings = new Map(),
): Promise<MemoryFound> {
  const room: Room = { files: LIMITS.memory_heal_files }
  const scans: Look[] = []
  let best: Hit[] = []
  const isWanted = (path: string): boolean => path.startsWith(prefix)
  const searchedFolders = folders
    .slice(0, LIMITS.memory_folders)
    .filter((folder) => folder.startsWith(prefix) || prefix.startsWith(folder))
  const matchedTerms = new Set<string>()
  const semantic = await SemanticSearch.of(space, query)
  const through = async (unknown?: ReadonlySet<string>): Promise<void> => {
    const most = semantic ? Math.max(limit, FUSED) : limit
    const segmentQuery = { query, most, isWanted, ...(unknown ? { unknown } : {}) }
    best = []
    scans.length = 0
    semantic?.forget()
    for (const folder of searchedFolders) {
      const look = await lookThrough(space, folder, { room, listings }, async (segment, key) => {
        best = ranked([...best, ...searchSegment(segment, segmentQuery, matchedTerms)]).slice(
          0,
          segmentQuery.most,
        )
        await semantic?.see(segment, key, isWanted)
      })
      scans.push(look)
    }
  }
  await through()
  // Fuzzy and prefix matches of query words that also match exactly would only add worse passages.
  const unknown = termsOf(query).filter(({ term }) => !matchedTerms.has(term))
  if (unknown.length > 0) await through(new Set(unknown.map(({ term }) => term)))
  const fused = semantic ? semantic.fused(best, limit) : best
  return {
    passages: fused.map(({ path, from, to, heading, text, terms, score }) => ({
      path,
      lines: { from, to },
      heading,
      text,
      highlights: highlightsOf(text, new Set(terms)).map(([at, end]) => ({ from: at, to: end })),
      score,
    })),
    stale: scans.some(({ unread }) => unread > 0),
    notes: [...notesOf(scans), ...foldersNote(folders), ...(semantic?.notes ?? [])],
  }
}

/** Number of results of each ranking that are fused. */
const FUSED = 50

const ranked = (hits: Hit[]): Hit[] => hits.sort(byScore)

function notesOf(scans: readonly Look[]): string[] {
  const unread = scans.reduce((sum, look) => sum + look.unread, 0)
  const excess = scans.reduce((sum, look) => sum + look.beyond, 0)
  const skipped = scans.flatMap((look) => look.skipped)
  const notes: string[] = []
  if (unread > 0) notes.push(`${unread} changed files are not indexed yet; repeat the search.`)
  if (excess > 0) notes.push(`At least ${excess} files exceed the memory search limit.`)
  if (skipped.length > 0) {
    notes.push(`Not searched (not UTF-8 text): ${skipped.slice(0, 5).join(', ')}.`)
  }
  return notes
}

const foldersNote = ({ length }: readonly string[]): string[] =>
  length > LIMITS.memory_folders
    ? [`${length - LIMITS.memory_folders} memories were not searched; pass a prefix.`]
    : []

/** Lists the tenant's memories with files below a path prefix. */
export async function foldersBelow(
  space: FileSpace,
  prefix: string,
): Promise<{ readonly folders: readonly string[]; readonly listings: Listings }> {
  const { files, isWhole } = await memoryFiles(space, prefix, LIMITS.memory_files)
  const byFolder = Map.groupBy(files, ({ path }) => folderOf(path)!)
  const listings: Listings = new Map()
  for (const [folder, below] of byFolder) {
    if (isWhole && folder.startsWith(prefix))
      listings.set(folder, { found: { files: below, isWhole } })
  }
  return { folders: [...byFolder.keys()], listings }
}

export interface MemoryStatus {
  readonly folder: string
  readonly files: number
  readonly passages: number
  readonly index_bytes: number
  readonly stale: boolean
  readonly healed: number
  readonly notes: readonly string[]
}

interface StatusOptions {
  readonly heal: number
  readonly reset?: boolean
  readonly listings: Listings
}

/** Reports the index status of each memory; reads at most `room` changed files. */
export async function memoryStatus(
  space: FileSpace,
  folders: readonly string[],
  { heal, reset = false, listings }: StatusOptions,
): Promise<readonly MemoryStatus[]> {
  const room: Room = { files: heal }
  const all: MemoryStatus[] = []
  for (const folder of folders.slice(0, LIMITS.memory_folders)) {
    if (reset) await dropIndex(space, folder)
    const look = await lookThrough(space, folder, { room, listings }, () => {})
    const { files, passages, bytes: index_bytes, unread, healed: reindexed } = look
    const notes = notesOf([look])
    all.push({ folder, files, passages, index_bytes, stale: unread > 0, healed: reindexed, notes })
  }
  return all
}
