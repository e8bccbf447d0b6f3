/**
 * Cancels an interrupted run by its ID, never as "the current run" (PROTOCOL.md rule 25). A
 * repeated cancel has no effect, and an ended run ignores the cancel.
 */

import type { World } from '../../ports/world.ts'
import { command } from '../logs/run.ts'
import { runPartition } from '../partition/keys.ts'
import { type StoredSession, writeSession } from './store.ts'

export async function interrupt(world: World, tenant: string, runId: string): Promise<void> {
  const reason = 'interrupted by the next run of the session'
  const requested = { type: 'cancel.requested', by: 'api', reason } as const
  await command(world, runPartition(tenant, runId), [requested])
}

/** Sends the session's pending cancels; every run with a ticket in `found` must already exist. */
export async function settleInterrupt(
  world: World,
  tenant: string,
  session: StoredSession,
): Promise<void> {
  const { interrupts, ...state } = session.state
  if (interrupts !== undefined) await interrupt(world, tenant, interrupts)
  await writeSession(world, session, state)
}
