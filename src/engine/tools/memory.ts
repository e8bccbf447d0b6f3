/**
 * Memory tools: the operations of the same names (`manage/memory.ts`) on the memories that the run
 * pinned. Writes are planned and committed before they are made (PROTOCOL.md rule 49).
 */

import type { MemoryInput, MemoryOperation } from '../../core/manage/memory.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import { memoryGet as getTool } from '../../core/tools/builtin/memory-get.ts'
import { memoryList as listTool } from '../../core/tools/builtin/memory-list.ts'
import { memorySearch as searchTool } from '../../core/tools/builtin/memory-search.ts'
import { memoryWrite as writeTool } from '../../core/tools/builtin/memory-write.ts'
import { assert } from '../../lib/assert.ts'
import { type MemoryContext, memoryOperation, planMemory, writeMemory } from '../manage/memory.ts'
import type { ToolAnswer } from './answer.ts'
import { toAnswer } from './manage.ts'
import { type Folder, performed } from './tool.ts'

export const memorySearch = performed(searchTool, reading('memory_search'))
export const memoryGet = performed(getTool, reading('memory_get'))
export const memoryList = performed(listTool, reading('memory_list'))
export const memoryWrite = performed(writeTool, { plan, perform: write })

type Write = MemoryInput<'memory_write'>

function contextOf({ world, place, memory }: Folder): MemoryContext {
  assert(memory, 'memory tools require a run with memory')
  return { world, tenant: place.tenant, by: memory.by, run: memory }
}

function reading(operation: MemoryOperation) {
  const perform = async (folder: Folder, args: Record<string, unknown>): Promise<ToolAnswer> =>
    toAnswer(await memoryOperation(contextOf(folder), operation, args))
  return { perform }
}

async function plan(folder: Folder, args: Write): Promise<WritePlan | ToolAnswer> {
  const planned = await planMemory(contextOf(folder), args)
  return planned.ok ? planned.value : toAnswer(planned)
}

async function write(
  folder: Folder,
  args: Write,
  storedPlan: WritePlan | null,
): Promise<ToolAnswer> {
  return toAnswer(await writeMemory(contextOf(folder), args, storedPlan))
}
