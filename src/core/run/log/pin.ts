/**
 * Pinned configuration of a run, fixed when it starts: the agent's prompt, tools with descriptions,
 * servers, and skills. File edits affect later runs only.
 */

import type { ServerEntry } from '../../config/types.ts'
import type { RunMemory } from '../../memory/settings.ts'
import type { ToolSpec } from '../../message.ts'
import type { ModelSettings } from '../../model-settings.ts'
import type { ToolMode } from '../../tools/builtin/tool.ts'
import type { ArgumentRuling, Ruling } from '../../tools/ruling.ts'
import type { Inherited } from './spec.ts'

/** Route that determines how a tool of this run is performed. */
export type Route =
  | { readonly kind: 'builtin'; readonly tool: string; readonly mode: Exclude<ToolMode, 'spawn'> }
  | { readonly kind: 'spawn' }
  /** Route to the caller of the run, which performs the tool call and sends the result. */
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
  /** Key of the skill's SKILL.md relative to the tenant's prefix, and the SHA-256 of the file. */
  readonly key: string
  readonly file_digest: string
  readonly files: readonly { readonly path: string; readonly etag: string }[]
  /**
   * Whether only people may open the skill, although the model may read its files; if absent, the
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
  /** Key of the agent file relative to the tenant's prefix. */
  readonly path: string
}

export interface MissingServer {
  readonly name: string
  readonly code: string
  readonly why: string
}

/** Withheld tools and skills by name, each with the reason. */
export interface Withheld {
  /** Reasons by tool name as models see it; `mcp__<server>__` means all tools of a server. */
  readonly tools: Readonly<Record<string, string>>
  readonly skills: Readonly<Record<string, string>>
}

export interface Pin {
  readonly system: string
  /** Notes that tell the model what is missing. */
  readonly notes: readonly string[]
  readonly tools: readonly ToolSpec[]
  readonly routes: Readonly<Record<string, Route>>
  /**
   * Number of MCP tools by server that the model sees only after finding them; absent if the model
   * sees all tools.
   */
  readonly deferred?: Readonly<Record<string, number>>
  /** Whether the tools that manage the configuration are deferred. */
  readonly deferred_operations?: true
  /** Names of deferred tools that the model found earlier in the conversation. */
  readonly found?: readonly string[]
  readonly servers: Readonly<Record<string, ServerEntry>>
  readonly skills: readonly PinnedSkill[]
  readonly agents: readonly PinnedAgent[]
  /**
   * IDs of agents that this agent may start (`Agent(a, b)` in its file); absent if it may start any
   * agent.
   */
  readonly spawns?: readonly string[]
  /** Memory settings of the run; absent if it has no memory. */
  readonly memory?: RunMemory
  readonly output_schema?: Readonly<Record<string, unknown>>
  /** Settings of model calls, by precedence: from the run, then the agent, then the alias. */
  readonly settings?: ModelSettings
  /**
   * Reasons why tools and skills are unavailable, by name; absent if none are known beyond the
   * other lists.
   */
  readonly withheld?: Withheld
  /**
   * Rules by tool name for tools that are denied or require approval; defined by servers, the
   * agent, and skills.
   */
  readonly rules?: Readonly<Record<string, Ruling>>
  /** Rules by tool name that depend on a call's arguments; absent if there are none. */
  readonly argument_rules?: Readonly<Record<string, readonly ArgumentRuling[]>>
  /**
   * Rules for the runs that this run starts: denials and approval requirements of its file, and
   * inherited ones.
   */
  readonly hands_down?: Inherited
  /** Resolved layers, lowest precedence first; absent if an older release pinned the run. */
  readonly layers?: readonly { readonly kind: string; readonly layer: string }[]
  /** Agent file and digest of its prompt; absent if an older release pinned the run. */
  readonly agent?: PinnedAgentFile
  /**
   * Tools and servers that are listed but missing, with reasons; absent if an older release pinned
   * the run.
   */
  readonly missing?: {
    readonly tools: readonly { readonly tool: string; readonly why: string }[]
    readonly servers: readonly MissingServer[]
  }
  /** Servers from the run's `mcp_config_path` file, in the format of a request. */
  readonly run_servers?: Readonly<Record<string, unknown>>
}
