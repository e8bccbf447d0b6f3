/**
 * Everything that a run works with, fixed at its start: the agent's prompt, tools with
 * descriptions, servers, and skills. File edits affect the next run, never this one.
 */

import type { ServerEntry } from '../../config/types.ts'
import type { RunMemory } from '../../memory/settings.ts'
import type { ToolSpec } from '../../message.ts'
import type { ModelSettings } from '../../model-settings.ts'
import type { ToolMode } from '../../tools/builtin/tool.ts'
import type { ArgumentRuling, Ruling } from '../../tools/ruling.ts'
import type { Inherited } from './spec.ts'

/** Route by which a tool name of this run is performed. */
export type Route =
  | { readonly kind: 'builtin'; readonly tool: string; readonly mode: Exclude<ToolMode, 'spawn'> }
  | { readonly kind: 'spawn' }
  /** Route to the run's caller, which performs the call and sends the result. */
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
  /** Key of the SKILL.md below the tenant's prefix, and the SHA-256 of the file. */
  readonly key: string
  readonly file_digest: string
  readonly files: readonly { readonly path: string; readonly etag: string }[]
  /**
   * Whether only people may open the skill, while the model may read its files; if absent, the
   * model may open it too.
   */
  readonly by_people?: true
}

/** Agent that the run may start, as shown to the model. */
interface PinnedAgent {
  readonly id: string
  readonly body_digest: string
}

export interface PinnedAgentFile extends PinnedAgent {
  readonly layer: string
  /** Key below the tenant's prefix. */
  readonly path: string
}

export interface MissingServer {
  readonly name: string
  readonly code: string
  readonly why: string
}

/** Withheld names, each mapped to the reason. */
export interface Withheld {
  /** Tool names as models see them; `mcp__<server>__` means all tools of a server. */
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
   * Number of MCP tools by server that are shown only when found; absent if all tools are shown.
   */
  readonly deferred?: Readonly<Record<string, number>>
  /** Whether operations that manage the configuration are deferred. */
  readonly deferred_operations?: true
  /** Deferred tools found earlier in the conversation. */
  readonly found?: readonly string[]
  readonly servers: Readonly<Record<string, ServerEntry>>
  readonly skills: readonly PinnedSkill[]
  readonly agents: readonly PinnedAgent[]
  /** Agents that this agent may start (`Agent(a, b)` in its file); absent if any. */
  readonly spawns?: readonly string[]
  /** Memory; absent if the run has none. */
  readonly memory?: RunMemory
  readonly output_schema?: Readonly<Record<string, unknown>>
  /** Settings of model calls: from the run, then the agent, then the alias. */
  readonly settings?: ModelSettings
  /**
   * Reasons why tools and skills with these names are unavailable; absent if no others are known.
   */
  readonly withheld?: Withheld
  /**
   * Rules by tool name for tools that are denied or require approval, from server, agent, and
   * skills.
   */
  readonly rules?: Readonly<Record<string, Ruling>>
  /** Rules by the arguments of a call; absent if there are none. */
  readonly argument_rules?: Readonly<Record<string, readonly ArgumentRuling[]>>
  /**
   * Rules for runs started by this run: its file's denials and approval requirements, and inherited
   * ones.
   */
  readonly hands_down?: Inherited
  /** Resolved layers, lowest first; absent if pinned by an older release. */
  readonly layers?: readonly { readonly kind: string; readonly layer: string }[]
  /** Agent file and prompt digest; absent if pinned by an older release. */
  readonly agent?: PinnedAgentFile
  /** Listed but missing tools and servers, with reasons; absent if pinned by an older release. */
  readonly missing?: {
    readonly tools: readonly { readonly tool: string; readonly why: string }[]
    readonly servers: readonly MissingServer[]
  }
  /** Servers of the run's `mcp_config_path` file, in the format of a request. */
  readonly run_servers?: Readonly<Record<string, unknown>>
}
