/**
 * Everything that a run works with, fixed when it starts: the agent's prompt, the tools with their
 * texts, the servers and the skills. An edit of any file reaches the next run and never this one.
 */

import type { ServerEntry } from '../../config/types.ts'
import type { RunMemory } from '../../memory/settings.ts'
import type { ToolSpec } from '../../message.ts'
import type { ModelSettings } from '../../model-settings.ts'
import type { ToolMode } from '../../tools/builtin/tool.ts'
import type { ArgumentRuling, Ruling } from '../../tools/ruling.ts'
import type { Inherited } from './spec.ts'

/** How a tool name of this run is performed. */
export type Route =
  | { readonly kind: 'builtin'; readonly tool: string; readonly mode: Exclude<ToolMode, 'spawn'> }
  | { readonly kind: 'spawn' }
  /** The caller of the run performs it and brings the result. */
  | { readonly kind: 'caller' }
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
  /** Only a person opens it; the model may read its files. Absent: the model may, too. */
  readonly by_people?: true
}

/** An agent that the run may start, as it was shown. */
interface PinnedAgent {
  readonly id: string
  readonly body_digest: string
}

export interface PinnedAgentFile extends PinnedAgent {
  readonly layer: string
  /** The key below the tenant. */
  readonly path: string
}

export interface MissingServer {
  readonly name: string
  readonly code: string
  readonly why: string
}

/** Name → reason. */
export interface Withheld {
  /** Names as models see them; `mcp__<server>__` means all tools of a server. */
  readonly tools: Readonly<Record<string, string>>
  readonly skills: Readonly<Record<string, string>>
}

export interface Pin {
  readonly system: string
  /** Notes to the model about what is missing. */
  readonly notes: readonly string[]
  readonly tools: readonly ToolSpec[]
  readonly routes: Readonly<Record<string, Route>>
  /**
   * Its tools of MCP servers are shown when they were found: how many, by server. Absent: all are.
   */
  readonly deferred?: Readonly<Record<string, number>>
  /** Whether operations that manage the configuration are deferred. */
  readonly deferred_operations?: true
  /** Deferred tools that the conversation before had found. */
  readonly found?: readonly string[]
  readonly servers: Readonly<Record<string, ServerEntry>>
  readonly skills: readonly PinnedSkill[]
  readonly agents: readonly PinnedAgent[]
  /** The only agents that it may start (`Agent(a, b)` in its file); absent: any. */
  readonly spawns?: readonly string[]
  /** Absent: it has no memory. */
  readonly memory?: RunMemory
  readonly output_schema?: Readonly<Record<string, unknown>>
  /** Settings of its model calls: the run's, then the agent's, then the alias's. */
  readonly settings?: ModelSettings
  /** Why tools and skills of these names are not there. Absent: nothing is known of others. */
  readonly withheld?: Withheld
  /** Tools that are denied or ask a person first, by name: what server, agent and skills say. */
  readonly rules?: Readonly<Record<string, Ruling>>
  /** The same by the arguments of a call. Absent: none. */
  readonly argument_rules?: Readonly<Record<string, readonly ArgumentRuling[]>>
  /** Rules for the runs that it starts: its file's denials and questions, and those above it. */
  readonly hands_down?: Inherited
  /** The layers it was resolved from, lowest first. Absent: pinned by an older release. */
  readonly layers?: readonly { readonly kind: string; readonly layer: string }[]
  /** Its agent's file, and the digest of the prompt. Absent: likewise. */
  readonly agent?: PinnedAgentFile
  /** Promised and missing, with the reason. Absent: likewise. */
  readonly missing?: {
    readonly tools: readonly { readonly tool: string; readonly why: string }[]
    readonly servers: readonly MissingServer[]
  }
  /** The servers of the file that the run was given (`mcp_config_path`), as a request writes them. */
  readonly run_servers?: Readonly<Record<string, unknown>>
}
