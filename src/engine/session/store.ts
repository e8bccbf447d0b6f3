/** A session's partition: reading and writing its small state under compare-and-swap. */

import { runOf } from '../../core/run/child.ts'
import { isTerminal } from '../../core/run/state.ts'
import { remembered } from '../../core/run/transcript.ts'
import type { SessionState } from '../../core/session.ts'
import { newSession } from '../../core/session.ts'
import { iso } from '../../lib/time.ts'
import type { Row, World, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { putBlob } from '../blob.ts'
import { readRun } from '../log.ts'
import { parsePartition, runPartition, sessionPartition, sessionsList } from '../names.ts'
import type { AlarmedHead } from '../tick.ts'

export interface SessionHead extends AlarmedHead {
  readonly session: SessionState
}
export interface StoredSession {
  readonly partition: string
  /** Null: the session is about to be created. */
  readonly version: number | null
  readonly state: SessionState
  /** The head has an alarm: a turn is owed, or the tick has given it one. */
  readonly alarmed: boolean
  readonly rows: readonly Row[]
}

/** While something is owed, the session is looked at again after so long. */
export const SESSION_ALARM_MS = 60_000

export async function readSession(
  world: World,
  partition: string,
): Promise<StoredSession | undefined> {
  const rows = await world.store.read(partition)
  const row = rows.find(({ key }) => key === HEAD)
  if (!row) return undefined
  const { session: state, wake_at } = JSON.parse(row.body) as SessionHead
  return { partition, version: row.version, state, alarmed: wake_at !== null, rows }
}

/** The session, also the own one of a run that has ended; `live` when that run has not. */
export async function findSession(
  world: World,
  tenant: string,
  id: string,
): Promise<StoredSession | 'live' | undefined> {
  const partition = sessionPartition(tenant, id)
  const found = await readSession(world, partition)
  if (found) return found.state.deleted ? undefined : found
  const run = await readRun(world, runPartition(tenant, runOf(id)))
  if (!run?.state.spec || run.state.spec.session_id !== id) return undefined
  if (!isTerminal(run.state)) return 'live'
  const { kind } = run.state.spec
  const agent = run.state.started?.agent ?? run.state.spec.agent
  const created_at = run.state.created_at
  const state = newSession({ id, kind, agent, metadata: {}, created_at })
  const segment = await putBlob(world, tenant, JSON.stringify(remembered(run.state)))
  const remembers = { ...state, segments: [segment] }
  return { partition, version: null, state: remembers, alarmed: false, rows: [] }
}

/** Writes the state back as it was read, with these rows; false when somebody else was first. */
export async function writeSession(
  world: World,
  read: Pick<StoredSession, 'partition' | 'version'>,
  state: SessionState,
  writes: readonly Write[] = [],
): Promise<boolean> {
  const { tenant } = parsePartition(read.partition)
  const listed = { under: sessionsList(tenant), at: `${iso(state.created_at)} ${state.id}` }
  const wake_at = state.owes_turn ? world.clock.now() + SESSION_ALARM_MS : null
  const head: SessionHead = { wake_at, resends: 0, listed, session: state }
  const result = await world.store.commit(read.partition, writes, {
    expect: read.version,
    body: JSON.stringify(head),
    alarm: wake_at === null ? undefined : { at: wake_at, lane: 'main', started: true },
    listed,
  })
  // An ambiguous write counts as lost: whoever tries again reads first what became of it.
  return result === 'ok'
}
