/**
 * Memory settings of a run, from the agent's file (`memory`) or else the tenant's policy. A run
 * without memory has no memory tools and loads no notes. An agent whose tool list names a memory
 * tool has memory without further settings.
 */

import type { AgentEntry } from '../config/types.ts'
import { LIMITS } from '../limits.ts'
import { isMemoryOperation } from '../manage/memory.ts'
import type { Policy } from '../policy.ts'
import { type MemoryOwner, memoryFolder } from './scope.ts'

/** Memory of a run as pinned. Folders are below `memory/` and end with a slash. */
export interface RunMemory {
  readonly write: string
  /** Folders to read, including the folder to write. */
  readonly read: readonly string[]
  readonly flush: boolean
  /** Maximum bytes of notes loaded at the start; null to load none. */
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
