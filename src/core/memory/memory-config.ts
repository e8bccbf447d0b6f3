/** Memory settings in agent files and policies. */

import type { MemoryScope } from './scope.ts'

/** `memory` of an agent file; for absent members, the policy applies. */
export interface AgentMemory {
  /** Whether the agent has memory; false overrides the policy. */
  readonly enabled: boolean
  /** Folder that the agent writes to and reads. */
  readonly scope?: MemoryScope
  /** Additional folders that the agent reads. */
  readonly read?: readonly MemoryScope[]
  /** Whether runs start with `MEMORY.md` and the notes of two days. */
  readonly start?: boolean
  readonly start_bytes?: number
  /** Whether the model is asked to save lasting notes before a conversation is shortened. */
  readonly flush?: boolean
}

/** Memory settings of a tenant, for agents whose files do not define memory. */
export interface MemoryPolicy {
  /** Memory scope; null if these agents have no memory. */
  readonly scope: MemoryScope | null
  readonly start: boolean
}
