/**
 * Result of resolving layers: plain data, identical on every platform. Entries name their origin
 * and the entries they hide; each file has exactly one record (POLICY.md).
 */

import type { AgentMemory } from '../memory/memory-config.ts'
import type { ModelSettings } from '../model-settings.ts'
import type { ServerOAuth } from './server/oauth.ts'

/** Types of author-written files for which there is a JSON Schema. */
export const FILE_TYPES = ['agent', 'skill', 'schedule', 'config'] as const
export type FileType = (typeof FILE_TYPES)[number]

/**
 * Kinds of layers. `run` contains servers that the run's request defines (`mcp_servers`,
 * `mcp_config_path`).
 */
export type LayerKind = 'builtin' | 'base' | 'role' | 'repo' | 'run'

export type Severity = 'note' | 'warning' | 'error'
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  /** 1-based line number in the file; null if no line applies. */
  readonly line: number | null
  readonly message: string
  /** Suggested replacement for the line, if known. */
  readonly hint: string | null
}

export type FileKind = 'agent' | 'skill' | 'schedule' | 'config' | 'other'
export type FileStatus = 'loaded' | 'loaded_with_warnings' | 'rejected' | 'ignored'

/**
 * Result of checking a file. `layer` is the layer's prefix (`base/`, `roles/x/`), and `path` is
 * relative to that prefix.
 */
export interface FileRecord {
  readonly layer: string
  readonly path: string
  readonly kind: FileKind
  readonly id: string | null
  readonly status: FileStatus
  readonly diagnostics: readonly Diagnostic[]
}

export interface Shadow {
  readonly layer: string
  readonly key: string
}

/** Origin of a configuration entry. `key` is the object's key relative to the tenant's prefix. */
export interface Origin {
  readonly kind: LayerKind
  readonly layer: string
  readonly key: string
  readonly etag: string
  readonly shadows: readonly Shadow[]
}

/**
 * Normalized tool grant: a built-in tool (`file_read`), an MCP tool (`mcp:server/tool`), or all
 * tools of a server (`mcp:server/*`).
 */
export type Grant = string

type Visibility = 'listed' | 'user-facing' | 'internal'

export interface AgentEntry {
  readonly id: string
  readonly display_name: string
  readonly description: string
  /** Tools that the agent may use; `null` inherits all tools, and `[]` grants none. */
  readonly tools: readonly Grant[] | null
  /**
   * Tools that a user-facing agent requests, before the tenant's list limits them; null if
   * unspecified.
   */
  readonly asked_tools?: readonly Grant[] | null
  /** Tools that an unknown tool name in the agent file may refer to. */
  readonly guessed?: readonly Grant[]
  readonly disallowed_tools: readonly Grant[]
  /**
   * Denials that also apply to agents started by this agent; absent if all of its denials apply.
   */
  readonly hands_down?: readonly Grant[]
  /** Names of tools that require a person's approval (`permission: ask`, `confirm-before`). */
  readonly asks?: readonly string[]
  /** Argument rules from `permission`; absent if there are none. */
  readonly argument_rules?: readonly AgentArgumentRules[]
  /**
   * IDs of agents that this agent may start (`Agent(a, b)` in its tools); absent if it may start
   * any agent.
   */
  readonly spawns?: readonly string[]
  /** Model of the agent: an alias, `provider/model`, or `inherit`; null if unspecified. */
  readonly model: string | null
  /** Model list of the file, if it has one; the first known model is used. */
  readonly models?: readonly string[]
  /** Settings of calls to the agent's model; absent if there are none. */
  readonly model_settings?: ModelSettings
  readonly model_role: 'Main' | 'Fallback' | 'Compaction' | null
  readonly fork_context: boolean
  readonly timeout_seconds: number | null
  /** Maximum time in seconds to wait for an unavailable model; absent if unspecified. */
  readonly model_patience_seconds?: number
  readonly visibility: Visibility
  readonly emit_structured_findings: boolean
  readonly max_steps: number | null
  /** Memory settings of the agent; if absent, the tenant's policy applies. */
  readonly memory?: AgentMemory
  readonly color: string | null
  readonly extra: Readonly<Record<string, unknown>>
  /** System prompt: the body of the agent file, byte for byte. */
  readonly system_prompt: string
  /** SHA-256 of `system_prompt`. */
  readonly body_digest: string
  readonly origin: Origin
}

export interface SkillFile {
  /** Path of the file below the skill's folder. */
  readonly path: string
  readonly etag: string
  readonly size: number
}

export interface SkillEntry {
  /** ID of the skill, which is the name of its folder. */
  readonly id: string
  readonly display_name: string
  readonly description: string
  readonly license: string | null
  readonly compatibility: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly allowed_tools: readonly string[]
  readonly extra: Readonly<Record<string, unknown>>
  /** `disable-model-invocation` setting: true if only a user can open the skill, with `/name`. */
  readonly disable_model_invocation: boolean
  /** `user-invocable` setting: false if only the model can open the skill. */
  readonly user_invocable: boolean
  readonly enabled: boolean
  /**
   * False if a requirement of the skill (`metadata.*.requires`) is not met; `reason` explains why.
   */
  readonly available: boolean
  readonly reason: string | null
  /** Text of SKILL.md without its front matter. */
  readonly body: string
  /** SHA-256 of the entire SKILL.md as stored. */
  readonly file_digest: string
  readonly files: readonly SkillFile[]
  readonly origin: Origin
}

export type Transport = 'stdio' | 'http' | 'sse'
export type ApprovalRule = 'allow' | 'ask' | 'deny'
/**
 * Argument pattern: a string for a command, a path, or a host; otherwise a map of argument names to
 * strings, numbers, or booleans.
 */
export type Pattern = string | Readonly<Record<string, string | number | boolean>>
/** Argument patterns by effect, for the calls of one tool (`core/tools/argument-rules.ts`). */
export interface ArgumentRules {
  readonly allow?: readonly Pattern[] | undefined
  readonly ask?: readonly Pattern[] | undefined
  readonly deny?: readonly Pattern[] | undefined
}
/** Argument rules of one tool, with their line in the agent file. */
export interface AgentArgumentRules {
  readonly tool: Grant
  readonly line: number | null
  readonly rules: ArgumentRules
  /** Whether the rules apply only to this agent, not to agents it starts. */
  readonly own?: boolean
}
export type ToolRule = ApprovalRule | ArgumentRules

export interface ServerEntry {
  readonly name: string
  readonly transport: Transport
  readonly enabled: boolean
  readonly command: string | null
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | null
  readonly url: string | null
  /** Name of the tenant secret that is sent as the bearer token; null if there is none. */
  readonly bearer_token_env_var: string | null
  readonly http_headers: Readonly<Record<string, string>>
  /** Names of the tenant secrets that are sent as headers, by header name. */
  readonly env_http_headers: Readonly<Record<string, string>>
  /** Settings for obtaining an OAuth token; if absent, the configured headers are sent. */
  readonly oauth?: ServerOAuth
  /** Names of the enabled tools; `null` enables all. */
  readonly enabled_tools: readonly string[] | null
  readonly disabled_tools: readonly string[]
  readonly startup_timeout_sec: number
  readonly tool_timeout_sec: number
  readonly approval: Readonly<Record<string, ToolRule>>
  readonly origin: Origin
  /** End user on whose behalf a run calls the server; never part of a configuration. */
  readonly subject?: string
}

/**
 * Server that the layers define but that cannot be used here, with the reason shown to the model.
 */
export interface Unavailable {
  readonly name: string
  readonly code:
    | 'invalid_server'
    | 'unsupported_transport'
    | 'command_not_found'
    | 'blocked_url'
    | 'missing_secret'
    | 'secret_host_mismatch'
    | 'disabled'
    | 'denied'
  readonly message: string
}

/** Front matter and body of a schedule file, in the form of a schedule request. */
export interface ScheduleWords {
  readonly cron?: string
  readonly timezone?: string
  readonly at?: string
  readonly every?: string
  readonly description?: string
  readonly agent?: string
  readonly model?: string
  readonly label?: string
  readonly overlap?: 'skip' | 'queue' | 'cancel_previous' | 'allow'
  readonly catch_up?: 'none' | 'latest' | 'all'
  readonly catch_up_window_seconds?: number
  readonly jitter_seconds?: number
  readonly ends_at?: string
  readonly input: string
}

/** Schedule that a file defines; disabled until the tenant enables it. */
export interface ScheduleEntry {
  /** ID of the schedule, which is the file name without `.md`. */
  readonly id: string
  readonly request: ScheduleWords
  readonly file_digest: string
  readonly origin: Origin
}

export interface Resolved {
  /** Agents of the resolved configuration, ordered by ID. */
  readonly agents: readonly AgentEntry[]
  /** Skills of the resolved configuration, ordered by ID; disabled skills have `enabled: false`. */
  readonly skills: readonly SkillEntry[]
  /**
   * Servers of the resolved configuration, ordered by name; disabled servers have `enabled: false`.
   */
  readonly servers: readonly ServerEntry[]
  /** Schedules of the resolved configuration, ordered by ID; they do not affect runs. */
  readonly schedules: readonly ScheduleEntry[]
  readonly unavailable: readonly Unavailable[]
  /**
   * Built-in tools that this deployment cannot run, each with the requirement that would make it
   * available.
   */
  readonly lacks?: Readonly<Record<string, string>> | undefined
  readonly records: readonly FileRecord[]
  /** Findings about the resolution itself, such as `role_layer_invalid` or `unused_override`. */
  readonly diagnostics: readonly Diagnostic[]
  readonly missing_secrets: readonly { readonly server: string; readonly name: string }[]
  readonly layers: readonly { readonly kind: LayerKind; readonly layer: string }[]
  /**
   * SHA-256 of the canonical effective configuration: agents, skills, and servers, but not file
   * records.
   */
  readonly digest: string
}

/** Layers that a run or request selects. All keys are relative to the tenant's prefix. */
export interface LayerSelection {
  /** End user whose secrets take precedence over those of the tenant. */
  readonly subject?: string | undefined
  readonly role?: string | undefined
  readonly repo_dir?: string | undefined
  readonly base_dir?: string | undefined
  readonly mcp_config_path?: string | undefined
  readonly mcp_servers?: Readonly<Record<string, unknown>> | undefined
  readonly strict?: boolean | undefined
  readonly on_duplicate?: 'shadow' | 'reject' | undefined
}
