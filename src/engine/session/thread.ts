/** Sessions by caller-defined thread ID: each thread has one session. */

import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { newSession } from '../../core/session/session.ts'
import { derivedId } from '../../lib/id.ts'
import { fail, type Outcome, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { sessionPartition } from '../partition/keys.ts'
import { storeNew } from './query.ts'
import { readSession, type StoredSession } from './store.ts'

export interface ThreadSession {
  readonly id: string
  /** Existing session of the thread; undefined if the thread is new. */
  readonly before: StoredSession | undefined
}

/** Returns the session ID derived from a caller's thread ID. */
export const sessionOfThread = (thread: string): string => derivedId('ses', 'thread', thread)

/**
 * Creates the thread's session on first use, with the thread ID in its metadata. A deleted session
 * is created anew; while its runs are being cancelled, requests are rejected as `gone`.
 */
export async function threadSession(
  world: World,
  tenant: string,
  thread: string,
): Promise<Outcome<ThreadSession, Refusal>> {
  const id = sessionOfThread(thread)
  const existing = await readSession(world, sessionPartition(tenant, id))
  if (existing?.state.deleted)
    return fail(refusal('gone', `The session ${id} for this thread is being deleted.`))
  if (existing) return ok({ id, before: existing })
  const created_at = world.clock.now()
  const of = { id, kind: 'main', agent: null, metadata: { thread }, created_at } as const
  const state = newSession(of)
  const stored = await storeNew(world, tenant, state, { type: 'session.created', state })
  return stored.ok ? ok({ id, before: undefined }) : stored
}
