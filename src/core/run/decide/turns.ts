/**
 * The order of the calls of one answer. Those on different things are performed at the same time;
 * two on the same thing, of which one changes it, one after the other as the model wrote them.
 */

import { BUILTINS } from '../../tools/builtin/index.ts'
import type { BuiltinTool } from '../../tools/builtin/tool.ts'
import { mayProceed } from '../human-input/approval.ts'
import type { Call } from '../state/state.ts'

const TOOLS: ReadonlyMap<string, BuiltinTool> = new Map(BUILTINS.map((tool) => [tool.name, tool]))

/**
 * Returns whether nothing that the call must wait for is open: neither an approval nor an earlier
 * call of its answer on the same thing. `calls`: those of the answer, in their order.
 */
export const isInTurn = (calls: readonly Call[], call: Call): boolean =>
  mayProceed(call) && !isQueued(calls, call)

/** Returns whether the call may proceed but for an earlier one that has no result yet. */
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
