/**
 * Table of the built-in tools, in the order shown to models. To add a tool, create its object next
 * to this file and add an entry here. Then add its function in `engine/tools/<name>.ts`, with an
 * entry in `engine/tools/index.ts`, which otherwise does not compile.
 */

import type { ManagingName } from '../../manage/registry.ts'
import { ABSENT } from './absent.ts'
import { askUser } from './ask-user.ts'
import { attachFile } from './attach-file.ts'
import { contentSearch } from './content-search.ts'
import { fileEdit } from './file-edit.ts'
import { fileList } from './file-list.ts'
import { fileRead } from './file-read.ts'
import { fileSearch } from './file-search.ts'
import { fileWrite } from './file-write.ts'
import { memoryGet } from './memory-get.ts'
import { memoryList } from './memory-list.ts'
import { memorySearch } from './memory-search.ts'
import { memoryWrite } from './memory-write.ts'
import { OPERATION_TOOLS } from './operations.ts'
import { scheduleWakeup } from './schedule-wakeup.ts'
import { sessionsSpawn } from './sessions-spawn.ts'
import { shellExecute } from './shell-execute.ts'
import { shellKill } from './shell-kill.ts'
import { shellRead } from './shell-read.ts'
import { shellStart } from './shell-start.ts'
import { shellWrite } from './shell-write.ts'
import { skill } from './skill.ts'
import { subagents } from './subagents.ts'
import { todo } from './todo.ts'
import type { BuiltinTool, KnownTool } from './tool.ts'
import { toolSearch } from './tool-search.ts'
import { webFetch } from './web-fetch.ts'
import { webSearch } from './web-search.ts'

const TABLE = [
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
  todo,
  askUser,
  memorySearch,
  memoryGet,
  memoryList,
  memoryWrite,
  scheduleWakeup,
  ...OPERATION_TOOLS,
  skill,
  sessionsSpawn,
  subagents,
  toolSearch,
] as const

type ListedTool = (typeof TABLE)[number]

/**
 * Names of the tools that have their own function. Management operations are performed by
 * engine/manage, a spawn is an effect, and a question waits for its answer.
 */
export type OwnTool = Exclude<
  ListedTool,
  { readonly name: ManagingName } | { readonly mode: 'spawn' | 'question' }
>

export const BUILTINS: readonly BuiltinTool[] = TABLE

/** All known tools by name, both built-in and absent. */
export const KNOWN_TOOLS: ReadonlyMap<string, KnownTool | BuiltinTool> = new Map(
  [...BUILTINS, ...ABSENT].map((tool) => [tool.name, tool]),
)
