/**
 * Memory settings of a run, from the agent file (`memory`) or else the tenant's policy. A run
 * without memory has no memory tools and loads no notes. An agent whose tool list names a memory
 * tool has memory without further settings.
 */

import type { AgentEntry } from '../config/types.ts'
import { LIMITS } from '../limits.ts'
import { isMemoryOperation } from '../manage/memory.ts'
import type { Policy } from '../policy.ts'
import { type MemoryOwner, memoryFolder } from './scope.ts'

/** Memory settings pinned for a run. Folders are relative to `memory/` and end with a slash. */
export interface RunMemory {
  readonly write: string
  /** Memory folders that the run reads, including the folder that it writes. */
  readonly read: readonly string[]
  readonly flush: boolean
  /** Maximum size in bytes of the notes loaded when the run starts; null to load none. */
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
