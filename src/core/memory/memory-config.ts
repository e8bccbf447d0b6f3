/** Memory as agent files and policies write it. */

import type { MemoryScope } from './scope.ts'

/** The `memory` of an agent file; absent members: as the policy says. */
export interface AgentMemory {
  /** False: none, whatever the policy says. */
  readonly enabled: boolean
  /** The folder that it writes to, and those that it reads. */
  readonly scope?: MemoryScope
  /** Others that it reads, too. */
  readonly read?: readonly MemoryScope[]
  /** Whether its runs begin with `MEMORY.md` and the notes of two days. */
  readonly start?: boolean
  readonly start_bytes?: number
  /** Whether its model is asked to write down what must last before a conversation is shortened. */
  readonly flush?: boolean
}

/** The same of a tenant, for agents whose files say nothing. */
export interface MemoryPolicy {
  /** Null: these agents have no memory. */
  readonly scope: MemoryScope | null
  readonly start: boolean
}
