/** Creates, reads and deletes sessions. */

import type { Message } from '../../core/message.ts'
import type { Refusal } from '../../core/problem.ts'
import { refusal } from '../../core/problem.ts'
import { remembered } from '../../core/run/transcript.ts'
import type { SessionState } from '../../core/session/session.ts'
import { newSession } from '../../core/session/session.ts'
import { random } from '../../lib/id.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { fail, ok } from '../../lib/outcome.ts'
import type { World } from '../../ports/world.ts'
import { type Home, homeOfRun, homeOfSession } from '../partition/home.ts'
import { sessionPartition } from '../partition/keys.ts'
import { update } from '../partition/update.ts'
import { type Asker, audit } from '../tenant/audit.ts'
import { getBlob } from '../tenant/blobs.ts'
import { GONE_MS, type Keyed, lookUp, reserve } from '../tenant/idempotency.ts'
import { advanceSession } from './advance.ts'
import { findSession, readSession, type StoredSession, writeSession } from './store.ts'

/** `keyed`: the same key and body mean the same session, however often they come. */
export async function createSession(
  world: World,
  tenant: string,
  of: Pick<SessionState, 'agent' | 'metadata'>,
  keyed?: Keyed,
): Promise<Outcome<{ state: SessionState; replayed: boolean }, Refusal>> {
  const fresh = random('ses', world.clock.random(17))
  const key = keyed ? await lookUp(world, tenant, keyed) : ok(undefined)
  if (!key.ok) return key
  const reserved = key.value
    ? await reserve(world, tenant, key.value, fresh)
    : ok({ id: fresh, reserved_at: world.clock.now() })
  if (!reserved.ok) return reserved
  const { id, reserved_at } = reserved.value
  const partition = sessionPartition(tenant, id)
  const replayed = id !== fresh
  const before = replayed ? await readSession(world, partition) : undefined
  const late = replayed && world.clock.now() >= reserved_at + GONE_MS
  if (before?.state.deleted || (late && !before)) {
    const detail = `The session ${id} of this Idempotency-Key has been deleted.`
    return fail(refusal('gone', detail))
  }
  if (before) return ok({ state: before.state, replayed })
  // Whoever comes with the same key finishes what the first one has begun.
  const state = newSession({ ...of, id, kind: 'main', created_at: reserved_at })
  return update(world, `the session ${id}`, async () => {
    const stored = await writeSession(world, { partition, version: null }, state)
    if (stored) return ok({ state, replayed })
    // A refusal alone may be the store's trouble (protocol rule 6).
    const found = await readSession(world, partition)
    return found && ok({ state: found.state, replayed })
  })
}

/** Everything that was said in it, oldest first, and where its bodies lie. */
export async function sessionMessages(
  world: World,
  tenant: string,
  { state, unstored }: StoredSession,
): Promise<{ readonly messages: readonly Message[]; readonly home: Home }> {
  if (unstored) return { messages: remembered(unstored), home: homeOfRun(tenant, unstored.spec) }
  const home = homeOfSession(tenant, state.id)
  const texts = await Promise.all(state.segments.map((digest) => getBlob(world, home, digest)))
  return { messages: texts.flatMap((text) => JSON.parse(text ?? '[]') as Message[]), home }
}

/** Ids of its runs, oldest first, those that wait included. */
export function runsOf({ rows, state }: StoredSession): string[] {
  const ran = rows
    .filter(({ key }) => key.startsWith('r/'))
    .map(({ body }) => JSON.parse(body) as string)
  const live = [state.current, ...state.queue].flatMap((held) => (held ? [held.run_id] : []))
  return [...new Set([...(state.own ? [state.own.run_id] : []), ...ran, ...live])]
}

/** Cancels what lives in it and forgets it; the runs themselves stay. False: there is none. */
export async function deleteSession({ world, tenant, by }: Asker, id: string): Promise<boolean> {
  const gone = await update(world, `the session ${id}`, async () => {
    const found = await findSession(world, tenant, id)
    if (!found) return false
    // First nobody can come in any more, then those who are in it go.
    if (!(await writeSession(world, found, { ...found.state, deleted: true }))) return undefined
    await advanceSession(world, found.partition)
    return true
  })
  const about = { kind: 'session', name: id, action: 'delete', by, number: 0 } as const
  if (gone) await audit(world, tenant, about, 'delete')
  return gone
}
