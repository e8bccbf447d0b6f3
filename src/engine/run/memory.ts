/** Memory of a run, defined by its spec. */

import type { AgentEntry } from '../../core/config/types.ts'
import { dayNote } from '../../core/memory/scope.ts'
import { type RunMemory, runMemory } from '../../core/memory/settings.ts'
import type { Policy } from '../../core/policy.ts'
import type { RunSpec } from '../../core/run/log/facts.ts'
import type { Pin } from '../../core/run/log/pin.ts'
import type { RunState } from '../../core/run/state/state.ts'
import type { Folder } from '../tools/tool.ts'

export const memoryFor = (
  spec: RunSpec,
  agent: AgentEntry,
  policy: Pick<Policy, 'memory'>,
): RunMemory | undefined =>
  runMemory(agent, policy, {
    agent: agent.id,
    role: spec.role,
    session: spec.owner_session ?? spec.parent?.session_id ?? spec.session_id,
  })

/**
 * Returns the memory for the run's tools. Its day is the day on which the run started, even on
 * retries.
 */
export function memoryOfRun(
  { spec, started_at, created_at }: RunState,
  { memory }: Pick<Pin, 'memory'>,
): Pick<Folder, 'memory'> {
  if (memory === undefined) return {}
  return { memory: { ...memory, today: dayNote(started_at ?? created_at), by: spec!.id } }
}
