/**
 * Result of resolving layers: plain data, identical on every host. Entries name their origin and
 * the entries they hide; each file has exactly one record (POLICY.md).
 */

import type { AgentMemory } from '../memory/memory-config.ts'
import type { ModelSettings } from '../model-settings.ts'
import type { ServerOAuth } from './server/oauth.ts'

/** Types of author-written files that have a JSON Schema. */
export const FILE_TYPES = ['agent', 'skill', 'schedule', 'config'] as const
export type FileType = (typeof FILE_TYPES)[number]

/**
 * Kinds of layers; `run` is a server defined by the run itself (`mcp_servers`, `mcp_config_path`).
 */
export type LayerKind = 'builtin' | 'base' | 'role' | 'repo' | 'run'

export type Severity = 'note' | 'warning' | 'error'
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  /** 1-based line in the file; null if no line applies. */
  readonly line: number | null
  readonly message: string
  /** Suggested replacement line, if known. */
  readonly hint: string | null
}

export type FileKind = 'agent' | 'skill' | 'schedule' | 'config' | 'other'
export type FileStatus = 'loaded' | 'loaded_with_warnings' | 'rejected' | 'ignored'

/**
 * Record of a file. `layer` is the layer's prefix (`base/`, `roles/x/`), and `path` is relative to
 * it.
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

/** Origin of an entry. `key` is the object's key below the tenant's prefix. */
export interface Origin {
  readonly kind: LayerKind
  readonly layer: string
  readonly key: string
  readonly etag: string
  readonly shadows: readonly Shadow[]
}

/**
 * Translated tool grant: a built-in tool (`file_read`), an MCP tool (`mcp:server/tool`), or all
 * tools of a server (`mcp:server/*`).
 */
export type Grant = string

type Visibility = 'listed' | 'user-facing' | 'internal'

export interface AgentEntry {
  readonly id: string
  readonly display_name: string
  readonly description: string
  /** Granted tools; `null` inherits all tools, and `[]` grants none. */
  readonly tools: readonly Grant[] | null
  /** Tools that a user-facing file requests, before the list is narrowed; null if unspecified. */
  readonly asked_tools?: readonly Grant[] | null
  /** Tools that an unknown word may refer to. */
  readonly guessed?: readonly Grant[]
  readonly disallowed_tools: readonly Grant[]
  /** Grants that also apply to agents started by this agent; absent if all apply. */
  readonly hands_down?: readonly Grant[]
  /** Tools that require a person's approval (`permission: ask`, `confirm-before`). */
  readonly asks?: readonly string[]
  /** Argument patterns from `permission`; absent if there are none. */
  readonly argument_rules?: readonly AgentArgumentRules[]
  /** Agents that this agent may start (`Agent(a, b)` in its tools); absent if any. */
  readonly spawns?: readonly string[]
  /** Alias, `provider/model`, or `inherit`; null if unspecified. */
  readonly model: string | null
  /** Models listed by the file, if it has a list: the first known model is used. */
  readonly models?: readonly string[]
  /** Settings of calls to the agent's model; absent if there are none. */
  readonly model_settings?: ModelSettings
  readonly model_role: 'Main' | 'Fallback' | 'Compaction' | null
  readonly fork_context: boolean
  readonly timeout_seconds: number | null
  /** Patience with the model, in seconds; absent if unspecified. */
  readonly model_patience_seconds?: number
  readonly visibility: Visibility
  readonly emit_structured_findings: boolean
  readonly max_steps: number | null
  /** Memory settings; if absent, the policy applies. */
  readonly memory?: AgentMemory
  readonly color: string | null
  readonly extra: Readonly<Record<string, unknown>>
  /** System prompt: the file's body, byte for byte. */
  readonly system_prompt: string
  /** SHA-256 of `system_prompt`. */
  readonly body_digest: string
  readonly origin: Origin
}

export interface SkillFile {
  /** Path below the skill's folder. */
  readonly path: string
  readonly etag: string
  readonly size: number
}

export interface SkillEntry {
  /** Name of the skill's folder. */
  readonly id: string
  readonly display_name: string
  readonly description: string
  readonly license: string | null
  readonly compatibility: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly allowed_tools: readonly string[]
  readonly extra: Readonly<Record<string, unknown>>
  /** `disable-model-invocation`: whether only a person can open the skill, with `/name`. */
  readonly disable_model_invocation: boolean
  /** `user-invocable`: false if only the model can open the skill. */
  readonly user_invocable: boolean
  readonly enabled: boolean
  /** False if a requirement (`metadata.*.requires`) is not met; `reason` explains why. */
  readonly available: boolean
  readonly reason: string | null
  /** SKILL.md without its front matter. */
  readonly body: string
  /** SHA-256 of the entire SKILL.md as stored. */
  readonly file_digest: string
  readonly files: readonly SkillFile[]
  readonly origin: Origin
}

export type Transport = 'stdio' | 'http' | 'sse'
export type ApprovalRule = 'allow' | 'ask' | 'deny'
/**
 * String pattern for a command, a path, or a host; otherwise a map of argument names to strings,
 * numbers, or booleans.
 */
export type Pattern = string | Readonly<Record<string, string | number | boolean>>
/** Argument patterns by rule, for the calls of one tool (`core/tools/argument-rules.ts`). */
export interface ArgumentRules {
  readonly allow?: readonly Pattern[] | undefined
  readonly ask?: readonly Pattern[] | undefined
  readonly deny?: readonly Pattern[] | undefined
}
/** Argument rules of a tool, with their line in the agent's file. */
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
  /** Name of a tenant secret. */
  readonly bearer_token_env_var: string | null
  readonly http_headers: Readonly<Record<string, string>>
  /** Map of header names to names of tenant secrets. */
  readonly env_http_headers: Readonly<Record<string, string>>
  /** Settings for obtaining an OAuth token; if absent, the headers above are sent. */
  readonly oauth?: ServerOAuth
  /** Enabled tools; `null` enables all. */
  readonly enabled_tools: readonly string[] | null
  readonly disabled_tools: readonly string[]
  readonly startup_timeout_sec: number
  readonly tool_timeout_sec: number
  readonly approval: Readonly<Record<string, ToolRule>>
  readonly origin: Origin
}

/** Server that resolves but cannot be used here, with the reason; the model is notified. */
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

/** Schedule defined by a file; disabled until the tenant enables it. */
export interface ScheduleEntry {
  /** File name without `.md`. */
  readonly id: string
  readonly request: ScheduleWords
  readonly file_digest: string
  readonly origin: Origin
}

export interface Resolved {
  /** Agents, ordered by ID. */
  readonly agents: readonly AgentEntry[]
  /** Skills, ordered by ID; disabled skills have `enabled: false`. */
  readonly skills: readonly SkillEntry[]
  /** Servers, ordered by name; disabled servers have `enabled: false`. */
  readonly servers: readonly ServerEntry[]
  /** Schedules, ordered by ID; they do not affect runs. */
  readonly schedules: readonly ScheduleEntry[]
  readonly unavailable: readonly Unavailable[]
  /**
   * Built-in tools that this deployment cannot run, each with the requirement that would enable it.
   */
  readonly lacks?: Readonly<Record<string, string>> | undefined
  readonly records: readonly FileRecord[]
  /** Findings about the resolution itself, such as `role_layer_invalid` or `unused_override`. */
  readonly diagnostics: readonly Diagnostic[]
  readonly missing_secrets: readonly { readonly server: string; readonly name: string }[]
  readonly layers: readonly { readonly kind: LayerKind; readonly layer: string }[]
  /**
   * SHA-256 of the canonical effective configuration: agents, skills, and servers, but not the
   * records.
   */
  readonly digest: string
}

/** Layers selected by a run or request. All keys are below the tenant's prefix. */
export interface LayerSelection {
  readonly role?: string | undefined
  readonly repo_dir?: string | undefined
  readonly base_dir?: string | undefined
  readonly mcp_config_path?: string | undefined
  readonly mcp_servers?: Readonly<Record<string, unknown>> | undefined
  readonly strict?: boolean | undefined
  readonly on_duplicate?: 'shadow' | 'reject' | undefined
}
