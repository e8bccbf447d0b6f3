/** `memory_search`: performs the operation `memory_search` on the run's memory. */

import { MEMORY_OPERATIONS, memorySchema } from '../../manage/memory.ts'
import { memoryText, NO_MEMORY } from './memory-text.ts'
import type { BuiltinTool } from './tool.ts'

const { description } = MEMORY_OPERATIONS.memory_search

export const memorySearch = {
  name: 'memory_search',
  mode: 'repeatable',
  thing: 'memory',
  foreign: 'memory_recall recall search_memory memorySearch',
  description,
  offered: { text: (run) => memoryText(description, run), otherwise: NO_MEMORY },
  input_schema: memorySchema('memory_search'),
} as const satisfies BuiltinTool
