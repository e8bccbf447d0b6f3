/**
 * Snapshots of long runs, in a separate partition (best effort), overwritten while the run is idle.
 * A truncated, altered, or outdated snapshot is ignored. No decision depends on a snapshot alone.
 */

import { FOLD, restored, SNAPSHOT_FACTS, snapshotOf } from '../../core/run/state/snapshot.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { sha256 } from '../../lib/digest.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import type { World, Write } from '../../ports/world.ts'
import { homeOfRun } from '../partition/home.ts'
import { parsePartition, snapshotPartition } from '../partition/keys.ts'
import type { FoldedState } from '../partition/log-type.ts'
import { processMemory } from '../partition/process.ts'
import { stored } from '../partition/stored.ts'
import { putBlob } from '../tenant/blobs.ts'

interface SnapshotHead {
  readonly fold: number
  readonly seq: number
  /** Key of the last fact row that the snapshot includes. */
  readonly last_key: string
  /** Digest of the complete snapshot text. */
  readonly digest: string
  readonly parts: number
}

/** Maximum size of one snapshot row in UTF-16 units, each at most three bytes. */
const PART = 20_000
const partKey = (part: number): string => `p/${String(part).padStart(4, '0')}`
const HEAD_KEY = 'about'

/** Sequence number of the last fact in each partition's snapshot, if known to this process. */
const knownOf = processMemory('snapshots', () => boundedCache<number>(1_000))

/** Writes a snapshot if the log has grown enough since the last one. Never throws. */
export async function keepSnapshot(
  world: World,
  partition: string,
  { state, lastKey }: { readonly state: RunState; readonly lastKey: string },
): Promise<void> {
  const from = knownOf(world.store).get(partition) ?? 0
  // The interval grows with the log, so the total size of a run's snapshots stays proportional to
  // its log.
  const { snapshotFacts = SNAPSHOT_FACTS } = world.settings
  if (state.seq - from < Math.max(snapshotFacts, from)) return
  knownOf(world.store).set(partition, state.seq)
  const home = homeOfRun(parsePartition(partition).tenant, state.spec)
  const { text, bodies } = snapshotOf(state)
  const parts = Math.ceil(text.length / PART)
  const head: SnapshotHead = {
    fold: FOLD,
    seq: state.seq,
    last_key: lastKey,
    digest: digestOf(state.seq, lastKey, text),
    parts,
  }
  const put = (key: string, body: string): Write => ({ op: 'put', key, body, expect: 'any' })
  const rows = Array.from({ length: parts }, (_, part) =>
    put(partKey(part), JSON.stringify(text.slice(part * PART, (part + 1) * PART))),
  )
  try {
    for (const body of bodies.values()) await putBlob(world, home, body)
    await world.store.commit(snapshotPartition(partition), [
      ...rows,
      put(HEAD_KEY, JSON.stringify(head)),
    ])
  } catch {
    // Without a snapshot, the complete log is read, which is only slower.
  }
}

/** Returns whether a log with this number of facts can have a snapshot. */
export const mayHaveSnapshot = ({ settings }: World, facts: number): boolean =>
  facts >= (settings.snapshotFacts ?? SNAPSHOT_FACTS)

/** Finds where to start reading a long log. Undefined means at the log's beginning. */
export async function findSnapshot(
  world: World,
  partition: string,
): Promise<FoldedState<RunState> | undefined> {
  const rows = await world.store.read(snapshotPartition(partition))
  const row = rows.find(({ key }) => key === HEAD_KEY)
  if (!row) return undefined
  const { fold, seq, last_key, digest, parts } = stored<SnapshotHead>('a snapshot', row.body, {})
  if (fold !== FOLD) return undefined
  const texts = new Map(rows.map(({ key, body }) => [key, body]))
  const text = Array.from({ length: parts }, (_, part) => textIn(texts.get(partKey(part)))).join('')
  if (digestOf(seq, last_key, text) !== digest) return undefined
  knownOf(world.store).set(partition, seq)
  return { state: restored(text), lastKey: last_key, length: text.length }
}

const digestOf = (seq: number, lastKey: string, text: string): string =>
  sha256(`${seq} ${lastKey} ${text}`)

const textIn = (body: string | undefined): string =>
  body === undefined ? '' : (JSON.parse(body) as string)
