/** Memory settings in agent files and policies. */

import type { MemoryScope } from './scope.ts'

/** `memory` settings of an agent file; for absent members, the tenant's policy applies. */
export interface AgentMemory {
  /** Whether the agent has memory; false overrides the policy. */
  readonly enabled: boolean
  /** Scope whose memory folder the agent reads and writes. */
  readonly scope?: MemoryScope
  /** Additional scopes whose memory folders the agent reads. */
  readonly read?: readonly MemoryScope[]
  /** Whether runs start with the contents of `MEMORY.md` and the notes of two days. */
  readonly start?: boolean
  readonly start_bytes?: number
  /** Whether the model is asked to save lasting notes before its conversation is shortened. */
  readonly flush?: boolean
}

/** Memory settings of a tenant for agents whose files have no `memory` settings. */
export interface MemoryPolicy {
  /** Memory scope of these agents; null if they have no memory. */
  readonly scope: MemoryScope | null
  readonly start: boolean
}
