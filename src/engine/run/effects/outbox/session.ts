/** Sends the result of an ended run to its session, so that the next run gets the turn. */

import { ticketOf } from '../../../../core/session/session.ts'
import { assert } from '../../../../lib/assert.ts'
import type { World } from '../../../../ports/world.ts'
import { mailKey, sessionPartition } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import { post } from '../../../partition/mailbox.ts'
import type { EndLetter } from '../../../session/advance.ts'
import { leftBy, readSession, sessionHeadOf } from '../../../session/store.ts'
import { type Context, retryLater } from '../context.ts'

const SENT: EffectResult = { acknowledged: { to: 'session' } }

export async function performSession(context: Context): Promise<EffectResult> {
  const { world, tenant, state } = context
  const spec = state.spec
  assert(spec && state.ended_at !== null, 'the session cannot be notified before the run ends')
  const partition = sessionPartition(tenant, spec.session_id)
  const [head] = await world.store.heads([partition])
  // A deleted session does not need to be notified of the end.
  if (!head || sessionHeadOf(head.body).session.deleted) return SENT
  // A session that was never stored is lost with its run. The input would be lost too, even that of
  // an unstarted run.
  const began = spec.turn === null || state.started_at !== null
  const leaving = began ? (await leftBy(world, tenant, state)).left : { segment: null }
  const mail: EndLetter = { run_id: spec.id, ...leaving }
  const posted = await post(world, {
    partition,
    key: mailKey(spec.id),
    mail,
    lane: 'main',
    arrived: () => arrived(world, partition, spec.id),
  })
  return posted === 'posted' ? SENT : retryLater(context)
}

async function arrived(world: World, partition: string, runId: string): Promise<boolean> {
  const session = await readSession(world, partition)
  if (!session || !ticketOf(session.state, runId)) return true
  return session.rows.some(({ key }) => key === mailKey(runId))
}
