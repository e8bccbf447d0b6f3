/**
 * Tombstone: a child created and cancelled in one commit, so that a concurrent creation fails
 * (PROTOCOL.md rule 16).
 */

import { childId, childSpec } from '../../../../core/run/decide/child.ts'
import type { RunFact } from '../../../../core/run/log/facts.ts'
import type { Call } from '../../../../core/run/state/state.ts'
import { createRun } from '../../../logs/run.ts'
import type { Created } from '../../../partition/create.ts'
import type { Context } from '../context.ts'

/** Creates a tombstone for a call's child; `fresh` is false if the child already exists. */
export function tombstone(
  { world, tenant, state }: Pick<Context, 'world' | 'tenant' | 'state'>,
  call: Call,
  reason: string,
): Promise<Created> {
  const spec = childSpec(state, call, {
    request: { task: '' },
    agent: call.child?.agent ?? 'general',
    agent_entry: null,
    role: null,
    repo_dir: null,
    input: '',
  })
  const facts: RunFact[] = [
    { type: 'run.created', run: spec },
    { type: 'run.cancelled', stop_reason: 'cancelled', reason },
  ]
  // The wake announces the child's end immediately. The parent counts the child only once the end
  // is announced.
  return createRun(world, tenant, childId(state.spec!, call), facts, { wakes: true })
}
