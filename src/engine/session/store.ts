/** Session partition: reads and writes the session's small state under compare-and-swap. */

import { preview } from '../../core/message.ts'
import { isFanoutId, runOf } from '../../core/run/decide/child.ts'
import type { RunSpec } from '../../core/run/log/facts.ts'
import { remembered, rememberedShort } from '../../core/run/prompt/transcript.ts'
import { isTerminal, type RunState } from '../../core/run/state/state.ts'
import type { SessionState, TurnResult } from '../../core/session/session.ts'
import { newSession, withLeft } from '../../core/session/session.ts'
import { cut } from '../../lib/bytes.ts'
import { sha256 } from '../../lib/digest.ts'
import { isId } from '../../lib/id.ts'
import { oneLine } from '../../lib/invisible-characters.ts'
import { iso } from '../../lib/time.ts'
import type { Row, World, Write } from '../../ports/world.ts'
import { HEAD } from '../../ports/world.ts'
import { readRun } from '../logs/run.ts'
import type { AlarmedHead } from '../partition/format.ts'
import { homeOfRun, homeOfSession } from '../partition/home.ts'
import {
  activeSessionsList,
  parsePartition,
  runPartition,
  sessionPartition,
  sessionsList,
} from '../partition/keys.ts'
import { stored } from '../partition/stored.ts'
import { putBlob } from '../tenant/blobs.ts'
import { carry } from '../tenant/media.ts'

export interface SessionHead extends AlarmedHead {
  readonly session: SessionState
}

export const sessionHeadOf = (body: string): SessionHead =>
  stored<SessionHead>('a session', body, { session: 'object' })

export interface StoredSession {
  readonly partition: string
  /** Stored version of the session; null before the session is created. */
  readonly version: number | null
  readonly state: SessionState
  /** Whether the session's head has an alarm, set for a run to be notified, or by the tick. */
  readonly alarmed: boolean
  readonly rows: readonly Row[]
  /** Ended run that defines an unstored session and stores its messages. */
  readonly unstored?: RunState | undefined
}

const CHANGES = 'event/'
export const changeKey = (id: string): string => `${CHANGES}${id}`
export const isChange = ({ key }: { readonly key: string }): boolean => key.startsWith(CHANGES)

/**
 * Key of the session's row in the list of active sessions; each state write moves the row in the
 * list.
 */
const ACTIVE = 'active'

/** Interval between passes while a session has a pending outbox entry, in milliseconds. */
export const SESSION_ALARM_MS = 60_000

export async function readSession(
  world: World,
  partition: string,
): Promise<StoredSession | undefined> {
  const rows = await world.store.read(partition)
  const row = rows.find(({ key }) => key === HEAD)
  if (!row) return undefined
  const { session: state, wake_at } = sessionHeadOf(row.body)
  const alarmed = wake_at !== null && wake_at !== keptUntil(state)
  return { partition, version: row.version, state, alarmed, rows }
}

/** Returns the end of the session's retention; undefined without one, or while a run is active. */
function keptUntil({ retention_ms, active_at, ...state }: SessionState): number | undefined {
  const idle = state.current === null && state.queue.length === 0
  if (!idle || state.deleted || retention_ms === undefined) return undefined
  return (active_at ?? state.created_at) + retention_ms
}

export const isOver = (state: SessionState, now: number): boolean =>
  now >= (keptUntil(state) ?? Number.MAX_SAFE_INTEGER)

/** Finds a session by ID; the implicit session of a run is found although it is not stored. */
export async function findSession(
  world: World,
  tenant: string,
  id: string,
): Promise<StoredSession | undefined> {
  // The ID may come from a request body; an invalid ID must not select a partition.
  if (!isId('ses', id)) return undefined
  const partition = sessionPartition(tenant, id)
  const session = await readSession(world, partition)
  if (session) return session.state.deleted ? undefined : session
  const run = await readRun(world, runPartition(tenant, runOf(id)))
  if (run?.state.spec?.session_id !== id) return undefined
  const state = ownSession(run.state)
  const unstored = isTerminal(run.state) ? run.state : undefined
  const leaving = unstored ? leavingOf(unstored).left : { segment: null }
  return {
    partition,
    version: null,
    state: withLeft(state, leaving),
    alarmed: false,
    rows: [],
    unstored,
  }
}

function ownSession(run: RunState): SessionState {
  const spec = run.spec!
  const { kind, parent } = spec
  const by = parent && !isFanoutId(parent.run_id) ? parent.run_id : null
  const origin = {
    run_id: spec.id,
    parent_session_id: parent?.session_id ?? null,
    created_by_run_id: by,
  }
  const { created_at } = run
  const agent = run.started?.agent ?? spec.agent
  const base = newSession({
    id: spec.session_id,
    kind,
    agent,
    metadata: {},
    created_at,
    own: origin,
  })
  const state = { ...base, subject: spec.subject, opening: openingOf(spec) }
  return isTerminal(run) ? state : { ...state, current: { ticket: 0, run_id: spec.id } }
}

/** Returns the first message of the conversation as a preview for lists. */
export const openingOf = ({ input }: Pick<RunSpec, 'input'>): string =>
  oneLine(cut(preview(input.at(-1)?.text ?? ''), OPENING_BYTES))
const OPENING_BYTES = 200

/** Returns the digests and texts of the segments that a started run passes to its session. */
function leavingOf(run: RunState): {
  readonly left: TurnResult
  readonly texts: readonly string[]
} {
  const segment = JSON.stringify(remembered(run))
  const short = rememberedShort(run)
  if (!short) return { left: { segment: sha256(segment) }, texts: [segment] }
  const text = JSON.stringify(short)
  return { left: { segment: sha256(segment), short: sha256(text) }, texts: [segment, text] }
}

/**
 * Copies segments and their bodies to the session's prefix, because a session may outlive its runs.
 * `whole` reports whether all of them were found.
 */
export async function leftBy(
  world: World,
  tenant: string,
  run: RunState,
): Promise<{ readonly left: TurnResult; readonly whole: boolean }> {
  const { left: leaving, texts } = leavingOf(run)
  const home = homeOfSession(tenant, run.spec!.session_id)
  await Promise.all(texts.map((text) => putBlob(world, home, text)))
  const messages = [...remembered(run), ...(rememberedShort(run) ?? [])]
  return { left: leaving, whole: await carry(world, homeOfRun(tenant, run.spec), home, messages) }
}

/** Stores an implicit session; returns false if its run, and so the session, is being deleted. */
async function adopt(world: World, tenant: string, run: RunState): Promise<boolean> {
  const { whole: isWhole } = await leftBy(world, tenant, run)
  return isWhole || (await readRun(world, runPartition(tenant, run.spec!.id))) !== undefined
}

/** Reports whether the session must still notify a run. */
const isRunMissing = ({ turn_due, interrupts, awaits }: SessionState): boolean =>
  turn_due || interrupts !== undefined || awaits !== undefined

/** Reports whether changes remain to be sent after this write. */
function leavesChanges({ rows }: Pick<StoredSession, 'rows'>, writes: readonly Write[]): boolean {
  const pendingKeys = new Set(rows.filter(isChange).map(({ key }) => key))
  for (const { op, key } of writes.filter(isChange)) {
    if (op === 'put') pendingKeys.add(key)
    else pendingKeys.delete(key)
  }
  return pendingKeys.size > 0
}

/**
 * Writes the state and these rows if the stored version is still the version that was read; returns
 * false after a conflict. A deleted session is removed from all lists, and its passes continue
 * until its runs are cancelled.
 */
export async function writeSession(
  world: World,
  read: Pick<StoredSession, 'partition' | 'version' | 'rows' | 'unstored'>,
  nextState: SessionState,
  writes: readonly Write[] = [],
): Promise<boolean> {
  const { tenant } = parsePartition(read.partition)
  const { deleted, current, queue } = nextState
  if (read.unstored && !deleted && !(await adopt(world, tenant, read.unstored))) return false
  const now = world.clock.now()
  const state = { ...nextState, active_at: now }
  const at = `${iso(state.created_at)} ${state.id}`
  const listing = deleted ? null : { under: sessionsList(tenant), at }
  const hasRuns = deleted ? current !== null || queue.length > 0 : isRunMissing(state)
  const hasWork = hasRuns || leavesChanges(read, writes)
  const wake_at = hasWork ? now + SESSION_ALARM_MS : (keptUntil(state) ?? null)
  const head: SessionHead = { wake_at, redeliveries: 0, listed: listing, session: state }
  const { retentionMs } = world.settings
  const forgotten = deleted && wake_at === null && retentionMs !== null
  const result = await world.store.commit(read.partition, [...writes, activity(tenant, state)], {
    expect: read.version,
    body: JSON.stringify(head),
    alarm: wake_at === null ? undefined : { at: wake_at, lane: 'main', started: true },
    listed: listing ?? undefined,
    // When the tombstone expires, the run is also deleted and cannot recreate the session.
    ...(forgotten ? { expiresAt: now + 2 * retentionMs } : {}),
  })
  // An ambiguous write counts as failed: the retry first reads whether it succeeded.
  return result === 'ok'
}

function activity(tenant: string, { id, deleted, active_at }: SessionState): Write {
  if (deleted) return { op: 'delete', key: ACTIVE }
  const listing = { under: activeSessionsList(tenant), at: `${iso(active_at!)} ${id}` }
  return { op: 'put', key: ACTIVE, body: '', expect: 'any', listed: listing }
}
