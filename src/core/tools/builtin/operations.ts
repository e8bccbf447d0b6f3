/**
 * The management operations as tools, derived from their own table; those that only read may be
 * repeated.
 */

import { inputSchema, OPERATIONS, type OperationName } from '../../manage/operations.ts'
import type { BuiltinTool } from './tool.ts'

interface OperationTool extends BuiltinTool {
  readonly name: OperationName
}

export const OPERATION_TOOLS: readonly OperationTool[] = (
  Object.keys(OPERATIONS) as OperationName[]
).map((name) => ({
  name,
  mode: OPERATIONS[name].writes ? 'once' : 'repeatable',
  description: OPERATIONS[name].description,
  input_schema: inputSchema(name),
}))
