/**
 * Partition with a log, as rows and as folded state. Fact rows are immutable. A read counts only if
 * it covers 1…head.seq without a gap (PROTOCOL.md rule 7), because some stores have no snapshot
 * reads.
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

/** Committed state of a log, folded at one version of its head row. */
export interface Committed<S extends AnyState = RunState, F extends AnyFact = RunFact> {
  readonly version: number
  readonly head: Head<unknown>
  readonly state: S
  /** Key of the last fact row read, where the next read may start. */
  readonly lastKey: string
  /** Total length of the fact rows in characters, an estimate of memory use. */
  readonly length: number
  readonly mail: readonly Mail<F>[]
}

/** Maximum number of cached facts. It is enough for active runs; ended runs are read on demand. */
const CACHED_FACTS = 10_000
/** Number of cached characters that count as one more fact. Most facts are much shorter. */
const FACT_LENGTH = 2_400
const READS = 8
const REREAD_MS = 25

/** Maximum number of deleted partitions remembered, so that late passes do not cache them. */
const MAX_DELETED = 10_000
/** Maximum number of created logs remembered until their first pass starts. */
const MAX_UNSTARTED = 1_000

/** Folded logs by partition. Logs only grow, so a read may start from an older fold. */
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
 * Reads and folds a log; returns undefined if the log does not exist. Throws on a newer format.
 * `facts`: estimated number of facts.
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
  throw new Unavailable(`every read of the log of ${partition} had a gap`)
}

/**
 * Passes a new log to this process's next pass, which then need not read it. If another worker was
 * faster, the first commit is rejected and the log is read.
 */
export const handOver = (store: Store, partition: string): void => {
  if (cacheOf(store).has(partition)) cachesOf(store).handed.set(partition, true)
}

/** Returns the log for a pass: from memory if this process just created it, else read. */
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

/**
 * Returns a log from this process's memory if it has ended, because an end is final; otherwise
 * reads it.
 */
export async function readEnd<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
): Promise<Committed<S, F> | undefined> {
  const cached = cachedLog<S, F>(world.store, partition)
  return cached && cached.state.ended_at !== null ? cached : readLogCached(world, kind, partition)
}

/**
 * Returns a log's last committed state for readers. The memory of a sole writer is complete, so no
 * read is needed.
 */
export async function readLogCached<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
): Promise<Committed<S, F> | undefined> {
  const cached = world.settings.singleProcess ? cachedLog<S, F>(world.store, partition) : undefined
  return cached ?? readLog(world, kind, partition)
}

/** Reads the head row of a run or a fan-out; returns undefined if the partition is deleted. */
export async function readHeadCached(
  world: World,
  partition: string,
): Promise<Head<unknown> | undefined> {
  const cached = world.settings.singleProcess ? cacheOf(world.store).get(partition) : undefined
  if (cached) return cached.head
  const [row] = await world.store.heads([partition])
  return row ? headOf(row.body) : undefined
}

/** Returns a partition's cached log. The partition's name determines its log type permanently. */
const cachedLog = <S extends AnyState, F extends AnyFact>(store: Store, partition: string) =>
  cacheOf(store).get(partition) as Committed<S, F> | undefined

/**
 * Caches a folded log unless a newer one is cached. A read may return after a commit that it
 * missed, or after the deletion.
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

/** Removes a deleted partition from the cache of logs. */
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

/** Returns whether a commit wrote the fact row at this key. */
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

/** Returns a partition's contiguous facts after `seq`, for stream readers. */
export function factsAfter<F = RunFact>(rows: readonly Row[], seq: number): LoggedFact<F>[] {
  const headRow = rows.find((row) => row.key === HEAD)
  if (!headRow) return []
  const end = headOf(headRow.body).seq
  const out: LoggedFact<F>[] = []
  let next = seq + 1
  for (const row of rows) {
    if (!row.key.startsWith('f/')) break
    const { first, at, facts } = factsOf<F>(row.body)
    assert(first >= 1, 'fact numbers must start at 1')
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
