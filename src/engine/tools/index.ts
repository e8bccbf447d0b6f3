/** Built-in tools that run inside the engine: one function per tool in the core's table. */

import { isOperation } from '../../core/manage/operations.ts'
import { isScheduleOperation } from '../../core/manage/schedules.ts'
import type { WritePlan } from '../../core/run/log/facts.ts'
import type { OwnTool } from '../../core/tools/builtin/index.ts'
import { assert } from '../../lib/assert.ts'
import type { ToolAnswer } from './answer.ts'
import { attachFile } from './attach-file.ts'
import { contentSearch } from './content-search.ts'
import { fileEdit } from './file-edit.ts'
import { fileList } from './file-list.ts'
import { fileRead } from './file-read.ts'
import { fileSearch } from './file-search.ts'
import { fileWrite } from './file-write.ts'
import { manageTool, scheduleTool } from './manage.ts'
import { memoryGet, memoryList, memorySearch, memoryWrite } from './memory.ts'
import { scheduleWakeup } from './schedule-wakeup.ts'
import { shellExecute } from './shell-execute.ts'
import { shellKill, shellRead, shellStart, shellWrite } from './shell-processes.ts'
import { skill } from './skill.ts'
import { subagents } from './subagents.ts'
import { todo } from './todo.ts'
import type { Caller, Folder, Performed } from './tool.ts'
import { toolSearch } from './tool-search.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'

const PERFORMED = byName([
  fileRead,
  fileList,
  fileSearch,
  contentSearch,
  fileWrite,
  fileEdit,
  attachFile,
  webFetch,
  webSearch,
  shellExecute,
  shellStart,
  shellRead,
  shellWrite,
  shellKill,
  memorySearch,
  memoryGet,
  memoryList,
  memoryWrite,
  todo,
  scheduleWakeup,
  skill,
  subagents,
  toolSearch,
])

type Lacking<L extends readonly Performed[]> = Exclude<OwnTool['name'], L[number]['name']>

/** Maps tool names to functions; fails to compile if a tool of the table has no function here. */
function byName<const L extends readonly Performed[]>(
  list: L & ([Lacking<L>] extends [never] ? unknown : { readonly lacking: Lacking<L> }),
): ReadonlyMap<string, Performed> {
  return new Map(list.map((entry) => [entry.name, entry]))
}

/** Performs a built-in tool; `given` is already validated against the tool's schema. */
export function builtin(
  caller: Caller,
  tool: string,
  args: Record<string, unknown>,
  write: WritePlan | null,
): Promise<ToolAnswer> {
  const { world, tenant, state } = caller
  if (isOperation(tool)) return manageTool({ world, tenant, by: state.spec!.id }, tool, args)
  if (isScheduleOperation(tool)) return scheduleTool(caller, tool, args)
  const performed = PERFORMED.get(tool)
  assert(performed, `no built-in tool ${tool}`)
  // The arguments were validated when the model's answer arrived.
  return performed.perform(caller, args as never, write)
}

/** Plans the change of a writing tool, or returns the tool's error. Changes nothing. */
export function planned(
  folder: Folder,
  tool: string,
  args: Record<string, unknown>,
): Promise<WritePlan | ToolAnswer> {
  const plan = PERFORMED.get(tool)?.plan
  assert(plan, `${tool} is not a write tool`)
  return plan(folder, args as never)
}
