/** `memory_write`: performs the operation `memory_write` on the run's memory. */

import { MEMORY_OPERATIONS, memorySchema } from '../../manage/memory.ts'
import { memoryText, NO_MEMORY } from './memory-text.ts'
import type { BuiltinTool } from './tool.ts'

const { description } = MEMORY_OPERATIONS.memory_write

export const memoryWrite = {
  name: 'memory_write',
  mode: 'write',
  thing: 'memory',
  matched: 'path',
  foreign: 'memoryWrite memory_save save_memory memory_append remember',
  description,
  offered: { text: (run) => memoryText(description, run), otherwise: NO_MEMORY },
  input_schema: memorySchema('memory_write'),
} as const satisfies BuiltinTool
