/**
 * The operations that manage later runs: on layers (`operations.ts`) and on schedules. A model
 * reads freely and is watched when it writes; a subagent has none that nobody named for it.
 */

import { OPERATIONS, type OperationName } from './operations.ts'
import { SCHEDULE_OPERATIONS, type ScheduleOperation } from './schedules.ts'

export const MANAGING = { ...OPERATIONS, ...SCHEDULE_OPERATIONS } as const

export type ManagingName = OperationName | ScheduleOperation

export const isManaging = (tool: string): tool is ManagingName => Object.hasOwn(MANAGING, tool)
