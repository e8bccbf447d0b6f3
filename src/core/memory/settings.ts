/**
 * Which memory a run has. The agent's file says it (`memory`), else the tenant's policy, else it
 * has none: a run without memory is offered no tool for it and reads nothing of it. An agent whose
 * list of tools names a memory tool has memory without a further setting.
 */

import type { AgentEntry } from '../config/types.ts'
import { LIMITS } from '../limits.ts'
import { isMemoryOperation } from '../manage/memory.ts'
import type { Policy } from '../policy.ts'
import { type MemoryOwner, memoryFolder } from './scope.ts'

/** The memory of a run, as it is pinned. Folders lie below `memory/` and end with a slash. */
export interface RunMemory {
  readonly write: string
  /** The folder that it writes is among them. */
  readonly read: readonly string[]
  readonly flush: boolean
  /** Bytes of notes that it begins with; null: it begins with none. */
  readonly start_bytes: number | null
}

export function runMemory(
  agent: Pick<AgentEntry, 'memory' | 'tools'>,
  policy: Pick<Policy, 'memory'>,
  owner: MemoryOwner,
): RunMemory | undefined {
  const { memory } = agent
  if (memory?.enabled === false) return undefined
  const hasMemoryTool = (agent.tools ?? []).some((grant) => isMemoryOperation(grant))
  const isRequested = memory !== undefined || hasMemoryTool
  const scope = memory?.scope ?? policy.memory.scope ?? (isRequested ? 'shared' : null)
  if (scope === null) return undefined
  const write = memoryFolder(scope, owner)
  const readFolders = (memory?.read ?? []).map((readScope) => memoryFolder(readScope, owner))
  return {
    write,
    read: [...new Set([write, ...readFolders])],
    flush: memory?.flush ?? true,
    start_bytes:
      (memory?.start ?? policy.memory.start)
        ? (memory?.start_bytes ?? LIMITS.memory_start_bytes_default)
        : null,
  }
}
