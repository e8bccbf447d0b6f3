/**
 * Cancels the child of a call, created or not. A missing child is created with its cancellation in
 * one commit, so that a later creation fails (PROTOCOL.md rule 16).
 */

import { childId } from '../../../../core/run/decide/child.ts'
import { assert } from '../../../../lib/assert.ts'
import { command } from '../../../logs/run.ts'
import { runPartition } from '../../../partition/keys.ts'
import type { EffectResult } from '../../../partition/log-type.ts'
import type { Context } from '../context.ts'
import { tombstone } from './tombstone.ts'

const REASON = 'the parent stopped waiting'

export async function performCancel(
  context: Pick<Context, 'world' | 'tenant' | 'state'>,
  callId: string,
): Promise<EffectResult> {
  const { world, tenant, state } = context
  const call = state.calls.get(callId)
  assert(call && state.spec, `call ${callId} not found`)
  const id = childId(state.spec, call)
  const acknowledged = { to: 'child', call: callId } as const
  const requested = { type: 'cancel.requested', by: 'parent', reason: REASON } as const
  const partition = runPartition(tenant, id)
  if (await command(world, partition, [requested])) return { acknowledged }
  const { fresh } = await tombstone(context, call, REASON)
  // Another worker has created the child in the meantime, so an ordinary cancellation follows.
  if (!fresh) await command(world, partition, [requested])
  return { acknowledged }
}
