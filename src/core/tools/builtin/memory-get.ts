/** `memory_get`: performs the operation `memory_get` on the run's memory. */

import { MEMORY_OPERATIONS, memorySchema } from '../../manage/memory.ts'
import { memoryText, NO_MEMORY } from './memory-text.ts'
import type { BuiltinTool } from './tool.ts'

const { description } = MEMORY_OPERATIONS.memory_get

export const memoryGet = {
  name: 'memory_get',
  mode: 'repeatable',
  thing: 'memory',
  matched: 'path',
  foreign: 'memoryGet memory_read read_memory',
  description,
  offered: { text: (run) => memoryText(description, run), otherwise: NO_MEMORY },
  input_schema: memorySchema('memory_get'),
} as const satisfies BuiltinTool
