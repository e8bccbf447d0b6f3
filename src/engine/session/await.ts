/**
 * Waits for the run that opened a session. This run has no ticket, and so the session has no outbox
 * entry for it. The head of the run, not its log, records the waiting session, which receives the
 * result when the run ends.
 */

import { endTurn } from '../../core/session/session.ts'
import type { World } from '../../ports/world.ts'
import { runLogType, wakeRun } from '../logs/run.ts'
import { parsePartition, runPartition } from '../partition/keys.ts'
import { Transaction } from '../partition/transaction.ts'
import { type StoredSession, writeSession } from './store.ts'

/**
 * Registers the session to be notified when the run ends, idempotently. Returns false if the run is
 * deleted.
 */
export async function awaitEnd(world: World, tenant: string, runId: string): Promise<boolean> {
  const partition = runPartition(tenant, runId)
  const transaction = await Transaction.open(world, runLogType, partition)
  if (!transaction.committed) return false
  if (transaction.committed.state.outbox.session) return true
  transaction.enqueue({ to: 'session' })
  if (!(await transaction.commit(0, 'leave'))) return false
  const { state } = transaction.committed
  if (state.ended_at !== null) await wakeRun(world, partition, state)
  return true
}

/** Registers the session with the run that it awaits; if that run is deleted, ends the turn. */
export async function settleAwait(world: World, session: StoredSession): Promise<void> {
  const { awaits, ...state } = session.state
  if (awaits === undefined) return
  const { tenant } = parsePartition(session.partition)
  const runExists = await awaitEnd(world, tenant, awaits)
  await writeSession(world, session, runExists ? state : endTurn(state, awaits, { segment: null }))
}
