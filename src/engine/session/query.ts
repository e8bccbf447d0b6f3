/** Creates, reads, and deletes sessions. */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import type { SessionState } from '../../core/session/session.ts'
import { newSession } from '../../core/session/session.ts'
import { random } from '../../lib/id.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { sessionPartition } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import type { Asker } from '../tenant/audit.ts'
import { GONE_MS, lookUp, type RequestKey, reserve } from '../tenant/idempotency.ts'
import { advanceSession, deletion } from './advance.ts'
import { changeRows, type SessionEvent, settleChanges } from './changes.ts'
import { findSession, readSession, writeSession } from './store.ts'

type RequestedField = 'agent' | 'metadata' | 'title' | 'retention_ms' | 'subject'
type Forked = 'segments' | 'compacted' | 'forked_from' | 'opening' | 'subject'
export interface NewSession extends Pick<SessionState, RequestedField> {
  readonly fork?: Fork | undefined
}
interface Fork {
  /** ID of the API key that makes the request. */
  readonly by: string
  /** Stores all content with which the session starts, before the session itself is stored. */
  begin(id: string): Promise<Pick<SessionState, Forked>>
}

/**
 * Creates one session for all requests with the same idempotency key (`keyed`) and body, regardless
 * of how often they arrive.
 */
export async function createSession(
  world: World,
  tenant: string,
  of: NewSession,
  requestKey?: RequestKey,
): Promise<Outcome<{ state: SessionState; replayed: boolean }, Refusal>> {
  const fresh = random('ses', world.clock.random(17))
  const key = requestKey ? await lookUp(world, tenant, requestKey) : ok(undefined)
  if (!key.ok) return key
  const reserved = key.value
    ? await reserve(world, tenant, key.value, fresh)
    : ok({ id: fresh, reserved_at: world.clock.now() })
  if (!reserved.ok) return reserved
  const { id, reserved_at } = reserved.value
  const partition = sessionPartition(tenant, id)
  const replayed = id !== fresh
  const existing = replayed ? await readSession(world, partition) : undefined
  const late = replayed && world.clock.now() >= reserved_at + GONE_MS
  if (existing?.state.deleted || (late && !existing)) {
    const detail = `The session ${id} created with this Idempotency-Key has been deleted.`
    return fail(refusal('gone', detail))
  }
  if (existing) return ok({ state: existing.state, replayed })
  // A retry with the same key completes what an earlier request started.
  const { fork, title, retention_ms, ...fields } = of
  const base = newSession({ ...fields, id, kind: 'main', created_at: reserved_at })
  const optional = { ...(title ? { title } : {}), ...(retention_ms ? { retention_ms } : {}) }
  const state = { ...base, ...optional, ...(await fork?.begin(id)) }
  const stored = await storeNew(world, tenant, state, beginning(state, fork))
  return stored.ok ? ok({ state: stored.value, replayed }) : stored
}

/** Stores a new session; succeeds if a session with the same ID already exists. */
export function storeNew(
  world: World,
  tenant: string,
  state: SessionState,
  event: SessionEvent,
): Promise<Outcome<SessionState, Refusal>> {
  const { id } = state
  const partition = sessionPartition(tenant, id)
  return update(world, `the session ${id}`, async () => {
    const rows = await changeRows(world, { partition, version: null }, event)
    const absent = { partition, version: null, rows: [] }
    if (await writeSession(world, absent, state, rows)) {
      if (rows.length > 0) await settleChanges(world, partition)
      return ok(state)
    }
    // A rejected write can also be a storage failure (PROTOCOL.md rule 6).
    const existing = await readSession(world, partition)
    return existing && ok(existing.state)
  })
}

/**
 * Returns the creation event. Plain creation is not audited, like the start of a run; a fork is
 * audited because it copies content.
 */
function beginning(state: SessionState, fork: Fork | undefined): SessionEvent {
  if (!(fork && state.forked_from)) return { type: 'session.created', state }
  const { session_id, position } = state.forked_from
  const detail = `from ${session_id} at ${position}`
  const more = { forked_from: state.forked_from }
  return { type: 'session.forked', state, more, audited: { action: 'fork', by: fork.by, detail } }
}

/**
 * Cancels the session's active runs and deletes the session; the runs are kept. Returns false if
 * the session does not exist.
 */
export async function deleteSession({ world, tenant, by }: Asker, id: string): Promise<boolean> {
  let isOurs = false
  return update(world, `the session ${id}`, async () => {
    const session = await findSession(world, tenant, id)
    // An earlier attempt may have deleted the session although its response was lost.
    if (!session && isOurs) await advanceSession(world, sessionPartition(tenant, id))
    if (!session) return isOurs
    isOurs = true
    // The session is first closed to new runs, and then its runs are cancelled.
    const state = { ...session.state, deleted: true }
    const rows = await changeRows(world, session, deletion(state, { by, reason: 'requested' }))
    if (!(await writeSession(world, session, state, rows))) return undefined
    await advanceSession(world, session.partition)
    return true
  })
}
