/** Management operations as tools for a model. Permission was checked earlier. */

import type { OperationName } from '../../core/manage/operations.ts'
import type { ScheduleOperation } from '../../core/manage/schedules.ts'
import type { Refusal } from '../../core/problem.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { type Manager, manage, scheduleOperation } from '../manage/index.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'
import type { Caller } from './tool.ts'

type Args = Record<string, unknown>

export const manageTool = async (manager: Manager, operation: OperationName, args: Args) =>
  toAnswer(await manage(manager, operation, args))

export async function scheduleTool(caller: Caller, operation: ScheduleOperation, args: Args) {
  const { tenant, state, call: once } = caller
  const { id, session_id, key } = state.spec!
  // A request that waits may perform this pass; its key has not started the run.
  const world = { ...caller.world, keyId: undefined, runKey: key }
  const run = { id, session_id }
  return toAnswer(await scheduleOperation({ world, tenant, by: id, run, once }, operation, args))
}

export function toAnswer(result: Outcome<object, Refusal>): ToolAnswer {
  if (result.ok) return good(JSON.stringify({ success: true, ...result.value }))
  const { code, detail, errors } = result.error
  return bad(JSON.stringify({ success: false, code, error: detail, ...(errors ? { errors } : {}) }))
}
