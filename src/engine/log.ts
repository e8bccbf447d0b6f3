/**
 * A run's partition as rows and as state. Rows of facts are never changed; a read counts only when
 * they cover 1…head.seq without a gap (protocol rule 7), because some stores give no snapshot.
 */

import { LRUCache } from 'lru-cache'
import { evolve } from '../core/run/evolve.ts'
import type { RunFact, Stamped } from '../core/run/facts.ts'
import type { Debts, Lease, RunState } from '../core/run/state.ts'
import { INITIAL } from '../core/run/state.ts'
import type { RunView } from '../core/run/view.ts'
import { assert } from '../lib/assert.ts'
import type { Listing, Row, Store, World } from '../ports/world.ts'
import { HEAD } from '../ports/world.ts'
import { LETTERS } from './names.ts'

/** The format of rows that this version writes, and the newest that it reads (protocol rule 36). */
export const FORMAT = 1

/** The head row: what changes without facts, and what lists show. */
export interface Head {
  /** The oldest reader version that may advance this log. */
  readonly format: number
  readonly seq: number
  /** Time of the last fact. */
  readonly at: number
  /** Names the commit that wrote this head, so that an ambiguous one can be settled. */
  readonly commit: string
  readonly epoch: number
  readonly lease: Lease | null
  readonly debts: Debts
  readonly wake_at: number | null
  /** How often the tick has sent this partition again without a fact since. */
  readonly resends: number
  readonly listed: Listing | null
  readonly view: RunView
}

export interface FactRow {
  readonly commit: string
  readonly epoch: number
  readonly at: number
  readonly first: number
  readonly facts: readonly RunFact[]
}

export interface Letter {
  readonly key: string
  readonly fact: RunFact
}

/** A run as committed: everything that the log says at one version of its head. */
export interface Committed {
  readonly version: number
  readonly head: Head
  readonly state: RunState
  /** The key of the last row of facts, where the next read may begin. */
  readonly lastKey: string
  readonly letters: readonly Letter[]
}

export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat'
}

/** Enough for the runs that are being moved; what has ended is read again when asked for. */
const CACHED_FACTS = 10_000
const READS = 8
const REREAD_MS = 25

/** Folded logs by partition. A log only grows, so an older fold is a valid beginning. */
const caches = new WeakMap<Store, LRUCache<string, Committed>>()

function cacheOf(store: Store): LRUCache<string, Committed> {
  let cache = caches.get(store)
  if (!cache) {
    cache = new LRUCache({ maxSize: CACHED_FACTS, sizeCalculation: (run) => run.state.seq + 10 })
    caches.set(store, cache)
  }
  return cache
}

/** Reads and folds a run; undefined when there is none. Throws on a format of the future. */
export async function readRun(world: World, partition: string): Promise<Committed | undefined> {
  const cached = cacheOf(world.store).get(partition)
  for (let attempt = 0; attempt < READS; attempt += 1) {
    const from = attempt === 0 ? cached : undefined
    const read = assemble(await world.store.read(partition, from?.lastKey), from)
    if (read === 'none') return undefined
    if (read !== 'torn') return remember(world.store, partition, read)
    if (attempt > 0) await world.clock.sleep(REREAD_MS * attempt)
  }
  throw new Error(`the log of ${partition} could not be read without a gap`)
}

/**
 * The run as it was last committed, for those who only look. Where no other process can write, what
 * this one has committed is all there is, and nothing needs to be read.
 */
export async function lookAtRun(world: World, partition: string): Promise<Committed | undefined> {
  const known = world.settings.exclusive ? cacheOf(world.store).get(partition) : undefined
  return known ?? readRun(world, partition)
}

export function remember(store: Store, partition: string, run: Committed): Committed {
  cacheOf(store).set(partition, run)
  return run
}

export const forget = (store: Store, partition: string): void => {
  cacheOf(store).delete(partition)
}

function assemble(rows: readonly Row[], from: Committed | undefined): Committed | 'none' | 'torn' {
  const headRow = rows.find((row) => row.key === HEAD)
  if (!headRow) return from ? 'torn' : 'none'
  const head = JSON.parse(headRow.body) as Head
  if (head.format > FORMAT) throw new UnknownFormat(`format ${head.format} is newer than ${FORMAT}`)
  const facts: Stamped<RunFact>[] = []
  let lastKey = from?.lastKey ?? ''
  for (const row of rows) {
    if (!row.key.startsWith('f/')) break
    const { first, at, facts: inRow } = JSON.parse(row.body) as FactRow
    if (first > head.seq) break
    lastKey = row.key
    inRow.forEach((fact, index) => {
      facts.push({ seq: first + index, at, fact })
    })
  }
  const base = from?.state ?? INITIAL
  const dense = facts.every((stamped, index) => stamped.seq === base.seq + 1 + index)
  if (!dense || base.seq + facts.length !== head.seq) return 'torn'
  const folded = evolve({ ...base, busy: 0 }, facts)
  const state = { ...folded, epoch: head.epoch, debts: head.debts }
  return { version: headRow.version, head, state, lastKey, letters: lettersIn(rows) }
}

function lettersIn(rows: readonly Row[]): Letter[] {
  return rows
    .filter((row) => row.key.startsWith(LETTERS))
    .map((row) => ({ key: row.key, fact: JSON.parse(row.body) as RunFact }))
}

/** The dense facts of a partition after `seq`, for readers of the stream. */
export function factsAfter(rows: readonly Row[], seq: number): Stamped<RunFact>[] {
  const headRow = rows.find((row) => row.key === HEAD)
  if (!headRow) return []
  const end = (JSON.parse(headRow.body) as Head).seq
  const out: Stamped<RunFact>[] = []
  let next = seq + 1
  for (const row of rows) {
    if (!row.key.startsWith('f/')) break
    const { first, at, facts } = JSON.parse(row.body) as FactRow
    assert(first >= 1, 'facts count from 1')
    for (const [index, fact] of facts.entries()) {
      const at_seq = first + index
      if (at_seq < next) continue
      if (at_seq > next || at_seq > end) return out
      out.push({ seq: at_seq, at, fact })
      next += 1
    }
  }
  return out
}
