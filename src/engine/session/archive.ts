/**
 * Session archive: ended runs, and transcript segments covered by a summary. Turns do not need
 * them, so they move from the head to a tree of small lists in the bucket, addressed by digest.
 * Each turn therefore reads and writes a constant amount.
 */

import type { ArchivePart, SessionState, Ticket } from '../../core/session/session.ts'
import type { World } from '../../ports/world.ts'
import type { Home } from '../partition/home.ts'
import { stored } from '../partition/stored.ts'
import { getBlob, putBlob } from '../tenant/blobs.ts'

/** Threshold for archiving: maximum number of runs in the head, and of lists per tree level. */
const WIDTH = 64

interface Leaf {
  readonly runs: readonly Ticket[]
  readonly segments: readonly string[]
}
interface Branch {
  readonly parts: readonly ArchivePart[]
}

/**
 * Returns the state without its archived parts; the parts are written to the bucket before the head
 * references them.
 */
export async function archived(
  world: World,
  home: Home,
  state: SessionState,
): Promise<SessionState> {
  const { ran = [], segments, compacted, archive = [] } = state
  if (ran.length < WIDTH) return state
  const upto = compacted?.upto ?? 0
  const leaf: Leaf = { runs: ran, segments: segments.slice(0, upto) }
  const digest = await putBlob(world, home, JSON.stringify(leaf))
  const part = { digest, level: 0, runs: ran.length, segments: upto }
  return {
    ...state,
    ran: undefined,
    segments: segments.slice(upto),
    compacted: compacted && { ...compacted, upto: 0 },
    archive: await foldParts(world, home, [...archive, part]),
  }
}

/** Combines the lists of each full tree level into one list of the next level. */
async function foldParts(
  world: World,
  home: Home,
  parts: readonly ArchivePart[],
): Promise<readonly ArchivePart[]> {
  const last = parts.slice(-WIDTH)
  const level = last.at(-1)?.level ?? 0
  if (last.length < WIDTH || last.some((part) => part.level !== level)) return parts
  const branch: Branch = { parts: last }
  const merged = {
    digest: await putBlob(world, home, JSON.stringify(branch)),
    level: level + 1,
    runs: last.reduce((sum, { runs }) => sum + runs, 0),
    segments: last.reduce((sum, { segments }) => sum + segments, 0),
  }
  return foldParts(world, home, [...parts.slice(0, -WIDTH), merged])
}

/** Returns the number of runs or segments in the session's archive. */
export const archivedCount = ({ archive = [] }: SessionState, list: keyof Leaf): number =>
  archive.reduce((sum, part) => sum + part[list], 0)

/**
 * Returns the archived entries from index `from` (inclusive) to `to` (exclusive); reads only the
 * lists that contain them.
 */
export async function archivedSlice<W extends keyof Leaf>(
  at: { readonly world: World; readonly home: Home },
  parts: readonly ArchivePart[],
  list: W,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Leaf[W][number][]> {
  const entries: Leaf[W][number][] = []
  let begin = 0
  for (const part of parts) {
    const [first, length] = [begin, part[list]]
    begin += length
    if (begin <= from || first >= to) continue
    const within = { from: Math.max(0, from - first), to: Math.min(length, to - first) }
    const text = (await getBlob(at.world, at.home, part.digest)) ?? '{}'
    if (part.level > 0) {
      const { parts: below } = stored<Branch>('an archive part', text, { parts: 'object' })
      entries.push(...(await archivedSlice(at, below, list, within)))
    } else {
      const leaf = stored<Leaf>('an archive part', text, {
        runs: 'object',
        segments: 'object',
      })
      entries.push(...(leaf[list] as Leaf[W][number][]).slice(within.from, within.to))
    }
  }
  return entries
}
