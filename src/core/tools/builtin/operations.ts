/**
 * The management operations as tools, derived from their own table; those that only read may be
 * repeated.
 */

import {
  inputSchema,
  OPERATIONS,
  type OperationName,
  type serverFields,
} from '../../manage/operations.ts'
import type { BuiltinTool } from './tool.ts'

interface OperationTool extends BuiltinTool {
  readonly name: OperationName
}

/** Second names that its schema does not show. */
const OLDER_NAMES = {
  headers: 'http_headers',
  timeoutSeconds: 'startup_timeout_sec',
  toolTimeoutSeconds: 'tool_timeout_sec',
} as const satisfies Readonly<Partial<Record<keyof typeof serverFields, keyof typeof serverFields>>>

export const OPERATION_TOOLS: readonly OperationTool[] = (
  Object.keys(OPERATIONS) as OperationName[]
).map((name) => ({
  name,
  ...(name === 'mcp_put_server' ? { parameters: OLDER_NAMES } : {}),
  mode: OPERATIONS[name].writes ? 'once' : 'repeatable',
  description: OPERATIONS[name].description,
  input_schema: inputSchema(name),
}))
