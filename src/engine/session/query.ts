/** Making, finding and deleting sessions. */

import type { Message } from '../../core/message.ts'
import type { SessionState } from '../../core/session.ts'
import { newSession } from '../../core/session.ts'
import { random } from '../../lib/id.ts'
import type { World } from '../../ports/world.ts'
import { getBlob } from '../blob.ts'
import { command } from '../command.ts'
import { runPartition, sessionPartition } from '../names.ts'
import { readSession, type StoredSession, writeSession } from './store.ts'

export async function createSession(
  world: World,
  tenant: string,
  of: Pick<SessionState, 'agent' | 'metadata'>,
): Promise<SessionState> {
  const id = random('ses', world.clock.random(17))
  const state = newSession({ ...of, id, kind: 'main', created_at: world.clock.now() })
  const partition = sessionPartition(tenant, id)
  if (await writeSession(world, { partition, version: null }, state)) return state
  const found = await readSession(world, partition)
  if (!found) throw new Error('a new session could not be stored')
  return found.state
}

/** Everything that was said in it, oldest first. */
export async function sessionMessages(
  world: World,
  tenant: string,
  { segments }: SessionState,
): Promise<Message[]> {
  const texts = await Promise.all(segments.map((digest) => getBlob(world, tenant, digest)))
  return texts.flatMap((text) => JSON.parse(text ?? '[]') as Message[])
}

/** Ids of its runs, oldest first, those that wait included. */
export function runsOf({ rows, state }: StoredSession): string[] {
  const ran = rows
    .filter(({ key }) => key.startsWith('r/'))
    .map(({ body }) => JSON.parse(body) as string)
  const live = [state.current, ...state.queue].flatMap((held) => (held ? [held.run_id] : []))
  return [...new Set([...ran, ...live])]
}

/** Cancels what lives in it and forgets it; the runs themselves stay. */
export async function deleteSession(world: World, tenant: string, id: string): Promise<boolean> {
  const partition = sessionPartition(tenant, id)
  for (;;) {
    const found = await readSession(world, partition)
    if (!found) return false
    // First nobody can come in any more, then those who are in it go.
    if (
      !found.state.deleted &&
      !(await writeSession(world, found, { ...found.state, deleted: true }))
    )
      continue
    const reason = 'its session was deleted'
    const requested = { type: 'cancel.requested', by: 'api', reason } as const
    const { current, queue } = found.state
    for (const held of [current, ...queue]) {
      if (held) await command(world, runPartition(tenant, held.run_id), [requested])
    }
    await world.store.drop(partition)
    return true
  }
}
