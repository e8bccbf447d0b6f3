/** `memory_list`: performs the operation `memory_list` on the run's memory. */

import { MEMORY_OPERATIONS, memorySchema } from '../../manage/memory.ts'
import { memoryText, NO_MEMORY } from './memory-text.ts'
import type { BuiltinTool } from './tool.ts'

const { description } = MEMORY_OPERATIONS.memory_list

export const memoryList = {
  name: 'memory_list',
  mode: 'repeatable',
  thing: 'memory',
  foreign: 'memoryList list_memory',
  description,
  offered: { text: (run) => memoryText(description, run), otherwise: NO_MEMORY },
  input_schema: memorySchema('memory_list'),
} as const satisfies BuiltinTool
