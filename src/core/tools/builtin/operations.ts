/**
 * Management operations as tools, derived from the operations table. Read-only operations are
 * repeatable.
 */

import {
  inputSchema,
  OPERATIONS,
  type Operation,
  type OperationName,
  type serverFields,
} from '../../manage/operations.ts'
import type { ManagingName } from '../../manage/registry.ts'
import {
  SCHEDULE_OPERATIONS,
  type ScheduleOperation,
  scheduleSchema,
} from '../../manage/schedules.ts'
import type { BuiltinTool, ToolMode } from './tool.ts'

/** Accepted parameter aliases that the schema does not show. */
const OLDER_NAMES = {
  headers: 'http_headers',
  timeoutSeconds: 'startup_timeout_sec',
  toolTimeoutSeconds: 'tool_timeout_sec',
} as const satisfies Readonly<Partial<Record<keyof typeof serverFields, keyof typeof serverFields>>>

/** Other products' names for the scheduling tools and their parameters. */
const SCHEDULING: Readonly<
  Partial<Record<ScheduleOperation, Pick<BuiltinTool, 'foreign' | 'parameters'>>>
> = {
  schedules_list: { foreign: 'CronList' },
  schedules_put: { foreign: 'CronCreate', parameters: { prompt: 'input' } },
  schedules_delete: { foreign: 'CronDelete', parameters: { id: 'name' } },
}

const modeOf = ({ writes }: Operation): ToolMode => (writes ? 'once' : 'repeatable')

const OF_LAYERS = (Object.keys(OPERATIONS) as OperationName[]).map((name) => ({
  name,
  ...(name === 'mcp_put_server' ? { parameters: OLDER_NAMES } : {}),
  mode: modeOf(OPERATIONS[name]),
  thing: 'files' as const,
  description: OPERATIONS[name].description,
  input_schema: inputSchema(name),
}))

const OF_SCHEDULES = (Object.keys(SCHEDULE_OPERATIONS) as ScheduleOperation[]).map((name) => ({
  name,
  ...SCHEDULING[name],
  mode: modeOf(SCHEDULE_OPERATIONS[name]),
  thing: 'schedules' as const,
  description: SCHEDULE_OPERATIONS[name].description,
  input_schema: scheduleSchema(name),
}))

export const OPERATION_TOOLS: readonly (BuiltinTool & { readonly name: ManagingName })[] = [
  ...OF_LAYERS,
  ...OF_SCHEDULES,
]
