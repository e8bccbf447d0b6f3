/**
 * Operations that affect later runs: on layers (`operations.ts`) and on schedules. Models may read
 * without approval and need an approval to write. Subagents have only operations that are granted
 * by name.
 */

import { OPERATIONS, type OperationName } from './operations.ts'
import { SCHEDULE_OPERATIONS, type ScheduleOperation } from './schedules.ts'

export const MANAGING = { ...OPERATIONS, ...SCHEDULE_OPERATIONS } as const

export type ManagingName = OperationName | ScheduleOperation

export const isManaging = (tool: string): tool is ManagingName => Object.hasOwn(MANAGING, tool)
