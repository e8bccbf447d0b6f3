/** The management operations as tools of a model. Permission was settled before. */

import type { OperationName } from '../../core/manage/operations.ts'
import { type Manager, manage } from '../manage/index.ts'
import type { ToolAnswer } from './answer.ts'
import { bad, good } from './answer.ts'

export async function manageTool(
  manager: Manager,
  operation: OperationName,
  given: Record<string, unknown>,
): Promise<ToolAnswer> {
  const result = await manage(manager, operation, given)
  if (result.ok) return good(JSON.stringify({ success: true, ...result.value }))
  const { code, detail, errors } = result.error
  return bad(JSON.stringify({ success: false, code, error: detail, ...(errors ? { errors } : {}) }))
}
