/**
 * Creates a run or a fan-out: one commit with its facts under a predetermined name, which makes
 * creation idempotent. The 202 response follows this commit (promise 1). The wake is best effort
 * (PROTOCOL.md rule 31).
 */

import { isOutboxEmpty } from '../../core/outbox.ts'
import type { RunFact } from '../../core/run/log/facts.ts'
import { RECHECK_MS } from '../../core/run/machine.ts'
import type { RunState } from '../../core/run/state/state.ts'
import { base64url } from '../../lib/bytes.ts'
import { Unavailable } from '../../lib/unavailable.ts'
import type { Listing, World, Write } from '../../ports/world.ts'
import type { Head } from './format.ts'
import { FIRST_TURN, FORMAT } from './format.ts'
import { tagged } from './head.ts'
import { parsePartition } from './keys.ts'
import type { Committed } from './log.ts'
import { readLog, remember } from './log.ts'
import type { AnyFact, AnyState, LogType } from './log-type.ts'
import { alarmOf, factRows, lengthOf, objectsNamed } from './rows.ts'

export interface Created<S extends AnyState = RunState, F extends AnyFact = RunFact> {
  readonly run: Committed<S, F>
  /** Whether the run is new. If not, the caller checks the existing run of this name. */
  readonly fresh: boolean
}

/** Maximum number of attempts to create the log. The fixed name makes a retry safe. */
const TRIES = 3
const PAUSE_MS = 50

interface Creation<S> {
  readonly list: (state: S) => Listing | null
  /** Additional rows to write in the same commit. */
  readonly extra: readonly Write[]
  /** Whether to wake the run, in the same commit where the store supports this. */
  readonly wakes?: boolean | undefined
}

/** Creates a log with its first facts, idempotently. */
export async function createLog<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  facts: readonly F[],
  creation: Creation<S>,
): Promise<Created<S, F>> {
  const created = await commitFirst(world, kind, partition, facts, creation)
  const isWoken = created.fresh && world.settings.wakesWithCommit
  if (creation.wakes && !isWoken) await wakeLog(world, kind, partition, created.run.state)
  return created
}

async function commitFirst<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  facts: readonly F[],
  { list, extra, wakes }: Creation<S>,
): Promise<Created<S, F>> {
  const now = world.clock.now()
  const stampedFacts = facts.map((fact, index) => ({ seq: index + 1, at: now, fact }))
  const subscribed = await kind.subscribedTypes(world, parsePartition(partition).tenant)
  const state = kind.machine.evolve({ ...kind.machine.initial, subscribed }, stampedFacts)
  const commit = base64url(world.clock.random(12))
  const place = list(state)
  const listing = place && tagged(kind, place, state)
  const rows = factRows(stampedFacts, { commit, epoch: 0 })
  const head = {
    ...firstHead(kind, state, now, { commit, listed: listing }),
    ...objectsNamed(rows),
  }
  for (let attempt = 1; ; attempt += 1) {
    const result = await world.store.commit(partition, [...rows, ...extra], {
      expect: null,
      body: JSON.stringify(head),
      alarm: alarmOf(kind, head.wake_at, state),
      listed: head.listed ?? undefined,
      ...(wakes ? { wakes } : {}),
    })
    if (result === 'ok') {
      const lastKey = rows.at(-1)?.key ?? ''
      const run = { version: 1, head, state, lastKey, length: lengthOf(rows), mail: [] }
      return { run: remember(world.store, partition, run), fresh: true }
    }
    const existing = await readLog(world, kind, partition)
    if (existing) return { run: existing, fresh: existing.head.commit === commit }
    if (attempt === TRIES)
      throw new Unavailable(
        `could not create ${partition}: ${result}, but the partition does not exist`,
      )
    await world.clock.sleep(PAUSE_MS * attempt)
  }
}

function firstHead<S extends AnyState, F extends AnyFact>(
  kind: LogType<S, F>,
  state: S,
  now: number,
  { commit, listed: listing }: Pick<Head, 'commit' | 'listed'>,
): Head<unknown> {
  const needsWorker = state.ended_at === null || !isOutboxEmpty(state.outbox)
  const head: Head<unknown> = {
    format: FORMAT,
    seq: state.seq,
    at: now,
    commit,
    epoch: 0,
    lease: null,
    outbox: state.outbox,
    wake_at: needsWorker ? now + RECHECK_MS : null,
    redeliveries: 0,
    listed: listing,
    turn: kind.turnOf(state) ?? FIRST_TURN,
    view: kind.view(state),
  }
  // The alarm of a delayed start is due at the start time.
  const at = kind.machine.wakeAt(state, now)
  return head.wake_at === null || at === undefined ? head : { ...head, wake_at: at }
}

/** Requests a pass over a log. A lost wake is not retried; `wakeAt` recovers it. */
export function wakeLog<S extends AnyState, F extends AnyFact>(
  world: World,
  kind: LogType<S, F>,
  partition: string,
  state: S,
  delayMs = 0,
): Promise<'ok' | 'lost'> {
  const lane = kind.turnOf(state) ?? FIRST_TURN
  return world.queue.send([{ partition, ...lane, staleCount: 0, facts: state.seq }], delayMs)
}
