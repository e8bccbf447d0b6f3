/**
 * Operations that manage later runs: on layers (`operations.ts`) and on schedules. Models read
 * freely and need an approval to write; subagents have only operations granted by name.
 */

import { OPERATIONS, type OperationName } from './operations.ts'
import { SCHEDULE_OPERATIONS, type ScheduleOperation } from './schedules.ts'

export const MANAGING = { ...OPERATIONS, ...SCHEDULE_OPERATIONS } as const

export type ManagingName = OperationName | ScheduleOperation

export const isManaging = (tool: string): tool is ManagingName => Object.hasOwn(MANAGING, tool)
