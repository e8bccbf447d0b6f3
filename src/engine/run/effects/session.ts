/** Hands the result of an ended run to its session, so that the next run gets the turn. */

import { RECHECK_MS } from '../../../core/run/machine.ts'
import { ticketOf } from '../../../core/session/session.ts'
import { assert } from '../../../lib/assert.ts'
import type { World } from '../../../ports/world.ts'
import { mailKey, sessionPartition } from '../../partition/keys.ts'
import type { EffectResult } from '../../partition/log-type.ts'
import type { EndLetter } from '../../session/advance.ts'
import { leftBy, readSession, type SessionHead } from '../../session/store.ts'
import { type Context, retryLater } from './context.ts'

const SENT: EffectResult = { acknowledged: { to: 'session' } }

export async function performSession(context: Context): Promise<EffectResult> {
  const { world, tenant, state } = context
  const spec = state.spec
  assert(spec && state.ended_at !== null, 'a session is told of the end')
  const partition = sessionPartition(tenant, spec.session_id)
  const [head] = await world.store.heads([partition])
  // A session that was deleted is owed nothing.
  if (!head || (JSON.parse(head.body) as SessionHead).session.deleted) return SENT
  // With its own session goes what it was asked, begun or not.
  const began = spec.turn === null || state.started_at !== null
  const left = began ? await leftBy(world, tenant, state) : { segment: null }
  const mail: EndLetter = { run_id: spec.id, ...left }
  const alarm = { at: world.clock.now() + RECHECK_MS, lane: 'main', started: true } as const
  const key = mailKey(spec.id)
  const result = await world.store.commit(partition, [
    { op: 'put', key, body: JSON.stringify(mail), expect: 'absent', alarm },
  ])
  if (result !== 'ok' && !(await arrived(world, partition, spec.id))) return retryLater(context)
  await world.queue.send([{ partition, lane: 'main', started: true, staleCount: 0 }])
  return SENT
}

/** Whether the letter lies there or was read: a refusal alone may be the store's trouble (rule 6). */
async function arrived(world: World, partition: string, runId: string): Promise<boolean> {
  const session = await readSession(world, partition)
  if (!session || !ticketOf(session.state, runId)) return true
  return session.rows.some(({ key }) => key === mailKey(runId))
}
