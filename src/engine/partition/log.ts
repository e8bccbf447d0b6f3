/**
 * A partition that keeps a log, as rows and as state. Rows of facts are never changed; a read
 * counts only when they cover 1…head.seq without a gap (protocol rule 7), because some stores give
 * no snapshot.
 */

import { LRUCache } from 'lru-cache'
import { NO_LATE_RESULTS } from '../../core/late-results.ts'
import type { LoggedFact, RunFact } from '../../core/run/log/facts.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { assert } from '../../lib/assert.ts'
import { boundedCache } from '../../lib/lru-cache.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { Row, Store, World } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import type { Head } from './format.ts'
import { FORMAT, UnknownFormat } from './format.ts'
import type { AnyFact, AnyState, FoldedState, LogType } from './log-type.ts'
import { type Mail, mailIn } from './mailbox.ts'
import { processMemory } from './process.ts'
import { factsOf, headOf } from './stored.ts'

/** The committed state: everything that the log says at one version of its head. */
export interface Committed<S extends AnyState = RunState, F extends AnyFact = RunFact> {
  readonly version: number
  readonly head: Head<unknown>
  readonly state: S
  /** The key of the last row of facts, where the next read may begin. */
  readonly lastKey: string
  /** Characters of its rows of facts: about what it takes of the memory. */
  readonly length: number
  readonly mail: readonly Mail<F>[]
}

/** Enough for the runs that are being moved; what has ended is read again when asked for. */
const CACHED_FACTS = 10_000
/** A fact of so many characters counts once more: most are shorter by far. */
const FACT_LENGTH = 2_400
const READS = 8
const REREAD_MS = 25

/** So many deleted partitions are remembered, for passes that come back after the deletion. */
const MAX_DELETED = 10_000
/** Logs that were created and whose first pass has not begun. */
const MAX_UNSTARTED = 1_000

/** Folded logs by partition. A log only grows, so an older fold is a valid beginning. */
type Cache = LRUCache<string, Committed<AnyState, AnyFact>>
const cachesOf = processMemory('logs', () => {
  const sizeCalculation = ({ state, length }: Committed<AnyState, AnyFact>) =>
    state.seq + 10 + Math.ceil(length / FACT_LENGTH)
  const foldedLogs: Cache = new LRUCache({ maxSize: CACHED_FACTS, sizeCalculation })
  return {
    folded: foldedLogs,
    gone: boundedCache<true>(MAX_DELETED),
    handed: boundedCache<true>(MAX_UNSTARTED),
  }
})
const cacheOf = (store: Store): Cache => cachesOf(store).folded

/**
 * Reads and folds a log; undefined when there is none. Throws on a newer format. `facts`: estimated
 * number of its facts, if known.
 */
export async function readLog<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  facts = Number.POSITIVE_INFINITY,
): Promise<Committed<S, F> | undefined> {
  const cached = cachedLog<S, F>(world.store, partition)
  const snapshot = cached || !kind.snapshot?.mayBe(world, facts) ? undefined : kind.snapshot
  for (let attempt = 0; attempt < READS; attempt += 1) {
    const from = attempt > 0 ? undefined : (cached ?? (await snapshot?.find(world, partition)))
    const read = assemble(kind, await world.store.read(partition, from?.lastKey), from)
    if (read === 'none') return undefined
    if (read !== 'torn') return remember(world.store, partition, read)
    if (attempt > 0) await world.clock.sleep(REREAD_MS * attempt)
  }
  throw new Unavailable(`the log of ${partition} could not be read without a gap`)
}

/**
 * The process that just created this log makes the next pass over it and need not read what it
 * wrote. If another worker was faster, its first commit is refused, and then it reads.
 */
export const handOver = (store: Store, partition: string): void => {
  if (cacheOf(store).has(partition)) cachesOf(store).handed.set(partition, true)
}

/** The log for a pass: as it was handed over, else read. */
export async function readForPass<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  facts?: number,
): Promise<Committed<S, F> | undefined> {
  const isFirstPass = cachesOf(world.store).handed.delete(partition)
  const cached = isFirstPass ? cachedLog<S, F>(world.store, partition) : undefined
  return cached ?? readLog(world, kind, partition, facts)
}

/** As it ended in this process, which is how it stays, else as it stands in the store. */
export async function readEnd<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
): Promise<Committed<S, F> | undefined> {
  const cached = cachedLog<S, F>(world.store, partition)
  return cached && cached.state.ended_at !== null ? cached : readLogCached(world, kind, partition)
}

/**
 * The log as it was last committed, for readers. Where no other process can write, what this one
 * has committed is all there is, and nothing needs to be read.
 */
export async function readLogCached<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
): Promise<Committed<S, F> | undefined> {
  const cached = world.settings.singleProcess ? cachedLog<S, F>(world.store, partition) : undefined
  return cached ?? readLog(world, kind, partition)
}

/** The head alone, of a run or a fan-out; undefined when the partition is gone. */
export async function readHeadCached(
  world: World,
  partition: string,
): Promise<Head<unknown> | undefined> {
  const cached = world.settings.singleProcess ? cacheOf(world.store).get(partition) : undefined
  if (cached) return cached.head
  const [row] = await world.store.heads([partition])
  return row ? headOf(row.body) : undefined
}

/** Its name says of which kind a partition is, for ever. */
const cachedLog = <S extends AnyState, F extends AnyFact>(store: Store, partition: string) =>
  cacheOf(store).get(partition) as Committed<S, F> | undefined

/**
 * Never an older one over a newer one: a read may come back after a commit that it did not see, or
 * after the deletion.
 */
export function remember<S extends AnyState, F extends AnyFact>(
  store: Store,
  partition: string,
  run: Committed<S, F>,
): Committed<S, F> {
  const { folded: cache, gone: deleted } = cachesOf(store)
  if (deleted.has(partition)) return run
  if (run.version >= (cache.get(partition)?.version ?? 0)) cache.set(partition, run)
  return run
}

/** Forgets a partition that is dropped. */
export const forget = (store: Store, partition: string): void => {
  const { folded: cache, gone: deleted } = cachesOf(store)
  deleted.set(partition, true)
  cache.delete(partition)
}

function assemble<S extends AnyState, F extends AnyFact>(
  kind: LogType<S, F>,
  rows: readonly Row[],
  from: FoldedState<S> | undefined,
): Committed<S, F> | 'none' | 'torn' {
  const headRow = rows.find((row) => row.key === HEAD)
  if (!headRow) return from ? 'torn' : 'none'
  const head = headOf(headRow.body)
  if (head.format > FORMAT) throw new UnknownFormat(`format ${head.format} is newer than ${FORMAT}`)
  const facts: LoggedFact<F>[] = []
  let { lastKey, length } = from ?? { lastKey: '', length: 0 }
  for (const row of rows) {
    if (!row.key.startsWith('f/')) break
    const { first, at, facts: inRow } = factsOf<F>(row.body)
    if (first > head.seq) break
    lastKey = row.key
    length += row.body.length
    inRow.forEach((fact, index) => {
      facts.push({ seq: first + index, at, fact })
    })
  }
  const base = from?.state ?? kind.machine.initial
  const dense = facts.every((stampedFact, index) => stampedFact.seq === base.seq + 1 + index)
  if (!dense || base.seq + facts.length !== head.seq) return 'torn'
  const evolved = kind.machine.evolve({ ...base, busy: 0 }, facts)
  const { epoch, outbox, late_results = NO_LATE_RESULTS } = head
  const state = { ...evolved, epoch, outbox, late_results }
  return { version: headRow.version, head, state, lastKey, length, mail: mailIn(rows) }
}

/** Whether the row of facts at this key was written by this commit. */
export async function isWrittenBy(
  world: World,
  partition: string,
  key: string | undefined,
  commit: string,
): Promise<boolean> {
  if (key === undefined) return false
  const rows = await world.store.read(partition, key.slice(0, -1))
  const row = rows.find((candidate) => candidate.key === key)
  return row !== undefined && factsOf(row.body).commit === commit
}

/** The dense facts of a partition after `seq`, for readers of the stream. */
export function factsAfter<F = RunFact>(rows: readonly Row[], seq: number): LoggedFact<F>[] {
  const headRow = rows.find((row) => row.key === HEAD)
  if (!headRow) return []
  const end = headOf(headRow.body).seq
  const out: LoggedFact<F>[] = []
  let next = seq + 1
  for (const row of rows) {
    if (!row.key.startsWith('f/')) break
    const { first, at, facts } = factsOf<F>(row.body)
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
