/**
 * Order in which the calls of one answer run. Calls on different resources run concurrently. Two
 * calls on the same resource run in the model's order if either call changes the resource.
 */

import { BUILTINS } from '../../tools/builtin/index.ts'
import type { BuiltinTool } from '../../tools/builtin/tool.ts'
import { mayProceed } from '../human-input/approval.ts'
import type { Call } from '../state/state.ts'

const TOOLS: ReadonlyMap<string, BuiltinTool> = new Map(BUILTINS.map((tool) => [tool.name, tool]))

/**
 * Returns whether a call waits neither for an approval nor for an earlier call on the same
 * resource. `calls` are the calls of the same answer, in order.
 */
export const isInTurn = (calls: readonly Call[], call: Call): boolean =>
  mayProceed(call) && !isQueued(calls, call)

/** Returns whether a call waits only for an earlier call that has no result yet. */
export function isQueued(calls: readonly Call[], call: Call): boolean {
  const tool = TOOLS.get(call.tool)
  if (tool?.thing === undefined || call.result !== null || !mayProceed(call)) return false
  return calls.some((earlier) => {
    if (earlier.result !== null || earlier.index >= call.index) return false
    const other = TOOLS.get(earlier.tool)
    return other !== undefined && other.thing === tool.thing && (isChange(other) || isChange(tool))
  })
}

const isChange = ({ mode, changes }: BuiltinTool): boolean => changes ?? mode !== 'repeatable'
