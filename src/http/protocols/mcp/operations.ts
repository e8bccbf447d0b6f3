/**
 * Offers operations of the registry as MCP tools. The same registry serves models and management
 * routes.
 */

import {
  isMemoryOperation,
  MEMORY_OPERATIONS,
  type MemoryOperation,
  memorySchema,
} from '../../../core/manage/memory.ts'
import {
  inputSchema,
  OPERATIONS,
  type Operation,
  type OperationName,
} from '../../../core/manage/operations.ts'
import {
  isScheduleOperation,
  SCHEDULE_OPERATIONS,
  type ScheduleOperation,
  scheduleSchema,
} from '../../../core/manage/schedules.ts'
import { advanceSchedule } from '../../../engine/fire/advance.ts'
import { manage, memoryOperation, scheduleOperation } from '../../../engine/manage/index.ts'
import type { OperationContext } from '../../../engine/manage/place.ts'

type Name = OperationName | MemoryOperation | ScheduleOperation
const TABLE: Readonly<Record<string, Operation>> = {
  ...OPERATIONS,
  ...MEMORY_OPERATIONS,
  ...SCHEDULE_OPERATIONS,
}
export const OPERATION_NAMES = Object.keys(TABLE) as Name[]
export const isOperationName = (tool: string): tool is Name => Object.hasOwn(TABLE, tool)

/** Returns the scope that a key needs for an operation. */
export const scopeOf = (name: Name): string =>
  `${areaOf(name)}:${TABLE[name]!.writes ? 'write' : 'read'}`

const areaOf = (name: Name): string =>
  isMemoryOperation(name) ? 'memory' : isScheduleOperation(name) ? 'schedules' : 'layers'

export function perform(context: OperationContext, name: Name, input: object) {
  if (isMemoryOperation(name)) return memoryOperation(context, name, input)
  if (!isScheduleOperation(name)) return manage(context, name, input)
  return scheduleOperation({ ...context, advance: advanceSchedule }, name, input)
}

export function operationTool(name: Name) {
  const { description, writes } = TABLE[name]!
  const schema = schemaOf(name) as { type: 'object' }
  const idempotentHint = name !== 'schedules_run'
  const annotations = { readOnlyHint: !writes, destructiveHint: writes, idempotentHint }
  return { name, description, inputSchema: schema, annotations }
}

function schemaOf(name: Name): object {
  if (isMemoryOperation(name)) return memorySchema(name)
  return isScheduleOperation(name) ? scheduleSchema(name) : inputSchema(name)
}
