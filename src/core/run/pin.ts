/**
 * Everything that a run works with, fixed when it starts: the agent's prompt, the tools with their
 * texts, the servers and the skills. An edit of any file reaches the next run and never this one.
 */

import type { ServerEntry } from '../config/types.ts'
import type { ToolSpec } from '../message.ts'
import type { Builtin } from '../tools/builtin.ts'
import type { Ruling } from '../tools/rules.ts'

/** How a tool name of this run is performed. */
export type Route =
  | { readonly kind: 'builtin'; readonly tool: string; readonly mode: Builtin['mode'] }
  | { readonly kind: 'spawn' }
  | {
      readonly kind: 'mcp'
      readonly server: string
      readonly tool: string
      readonly mode: 'once' | 'repeatable'
    }

export interface PinnedSkill {
  readonly id: string
  readonly description: string
  /** The SKILL.md's key below the tenant, and the SHA-256 of the whole file. */
  readonly key: string
  readonly file_digest: string
  readonly files: readonly { readonly path: string; readonly etag: string }[]
}

/** An agent that the run may start, as it was shown. */
export interface PinnedAgent {
  readonly id: string
  readonly body_digest: string
}

export interface Pin {
  readonly system: string
  /** What the model is told is missing. */
  readonly notes: readonly string[]
  readonly tools: readonly ToolSpec[]
  readonly routes: Readonly<Record<string, Route>>
  readonly servers: Readonly<Record<string, ServerEntry>>
  readonly skills: readonly PinnedSkill[]
  readonly agents: readonly PinnedAgent[]
  /** The only agents that it may start (`Agent(a, b)` in its file); absent: any. */
  readonly spawns?: readonly string[]
  readonly output_schema?: Readonly<Record<string, unknown>>
  /** Tools that are denied or ask a person first, by name: what server, agent and skills say. */
  readonly rules?: Readonly<Record<string, Ruling>>
}
