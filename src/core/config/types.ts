/**
 * The result of resolving layers: plain data, the same on every host. Entries name their origin and
 * the entries they hide; each file has exactly one record (POLICY.md).
 */

import type { AgentMemory } from '../memory/memory-config.ts'
import type { ModelSettings } from '../model-settings.ts'
import type { ServerOAuth } from './server/oauth.ts'

/** Files that authors write, and for which there is a JSON Schema. */
export const FILE_TYPES = ['agent', 'skill', 'schedule', 'config'] as const
export type FileType = (typeof FILE_TYPES)[number]

/** `run`: a server that the run itself brought (`mcp_servers`, `mcp_config_path`). */
export type LayerKind = 'builtin' | 'base' | 'role' | 'repo' | 'run'

export type Severity = 'note' | 'warning' | 'error'
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  /** 1-based line in the file, when there is one. */
  readonly line: number | null
  readonly message: string
  /** The line to write instead, when we know. */
  readonly hint: string | null
}

export type FileKind = 'agent' | 'skill' | 'schedule' | 'config' | 'other'
export type FileStatus = 'loaded' | 'loaded_with_warnings' | 'rejected' | 'ignored'

/** A record per file. `layer` is the layer's prefix (`base/`, `roles/x/`), `path` is below it. */
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

/** The origin of an entry. `key` is the object's key below the tenant's space. */
export interface Origin {
  readonly kind: LayerKind
  readonly layer: string
  readonly key: string
  readonly etag: string
  readonly shadows: readonly Shadow[]
}

/**
 * A tool grant after translation: a built-in tool (`file_read`), an MCP tool (`mcp:server/tool`),
 * or all tools of a server (`mcp:server/*`).
 */
export type Grant = string

type Visibility = 'listed' | 'user-facing' | 'internal'

export interface AgentEntry {
  readonly id: string
  readonly display_name: string
  readonly description: string
  /** `null`: inherit everything; `[]`: none. */
  readonly tools: readonly Grant[] | null
  /** Tools that a user-facing file asks for, before its list is narrowed; null: nothing said. */
  readonly asked_tools?: readonly Grant[] | null
  /** Tools that an unknown word may mean. */
  readonly guessed?: readonly Grant[]
  readonly disallowed_tools: readonly Grant[]
  /** The part that holds for the agents that it starts too; absent: all. */
  readonly hands_down?: readonly Grant[]
  /** A person is asked before these (`permission: ask`, `confirm-before`). */
  readonly asks?: readonly string[]
  /** Its `permission` by patterns. Absent: none. */
  readonly argument_rules?: readonly AgentArgumentRules[]
  /** The only agents it may start (`Agent(a, b)` in its tools); absent: any. */
  readonly spawns?: readonly string[]
  /** Alias or `provider/model`, `inherit`, or null when the file says nothing. */
  readonly model: string | null
  /** The file's list of models, when it has one: the first that is known here counts. */
  readonly models?: readonly string[]
  /** Settings of calls to its model. Absent: none. */
  readonly model_settings?: ModelSettings
  readonly model_role: 'Main' | 'Fallback' | 'Compaction' | null
  readonly fork_context: boolean
  readonly timeout_seconds: number | null
  /** Absent: nothing is said of it. */
  readonly model_patience_seconds?: number
  readonly visibility: Visibility
  readonly emit_structured_findings: boolean
  readonly max_steps: number | null
  /** Absent: as the policy says. */
  readonly memory?: AgentMemory
  readonly color: string | null
  readonly extra: Readonly<Record<string, unknown>>
  /** The body, byte for byte: the system prompt. */
  readonly system_prompt: string
  /** SHA-256 of `system_prompt`. */
  readonly body_digest: string
  readonly origin: Origin
}

export interface SkillFile {
  /** Below the skill's directory. */
  readonly path: string
  readonly etag: string
  readonly size: number
}

export interface SkillEntry {
  /** The directory's name. */
  readonly id: string
  readonly display_name: string
  readonly description: string
  readonly license: string | null
  readonly compatibility: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly allowed_tools: readonly string[]
  readonly extra: Readonly<Record<string, unknown>>
  /** `disable-model-invocation`: only a person opens it, by `/name`. */
  readonly disable_model_invocation: boolean
  /** `user-invocable`: false when only the model opens it. */
  readonly user_invocable: boolean
  readonly enabled: boolean
  /** False when gating (`metadata.*.requires`) is not met; `reason` says why. */
  readonly available: boolean
  readonly reason: string | null
  /** SKILL.md without its front matter. */
  readonly body: string
  /** SHA-256 of the whole SKILL.md as stored. */
  readonly file_digest: string
  readonly files: readonly SkillFile[]
  readonly origin: Origin
}

export type Transport = 'stdio' | 'http' | 'sse'
export type ApprovalRule = 'allow' | 'ask' | 'deny'
/** For a command, a path, or a host: a text; else the arguments by name, each a text or a bound. */
export type Pattern = string | Readonly<Record<string, string | number | boolean>>
/** Patterns by the rule that they have for the calls of one tool (`core/tools/argument-rules.ts`). */
export interface ArgumentRules {
  readonly allow?: readonly Pattern[] | undefined
  readonly ask?: readonly Pattern[] | undefined
  readonly deny?: readonly Pattern[] | undefined
}
/** Rules of a tool, with the line of the agent's file. */
export interface AgentArgumentRules {
  readonly tool: Grant
  readonly line: number | null
  readonly rules: ArgumentRules
  /** They hold for this agent and for none that it starts. */
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
  /** The name of a secret of the tenant. */
  readonly bearer_token_env_var: string | null
  readonly http_headers: Readonly<Record<string, string>>
  /** Header name → name of a secret of the tenant. */
  readonly env_http_headers: Readonly<Record<string, string>>
  /** How a token for it is obtained. Absent: it is sent what stands above. */
  readonly oauth?: ServerOAuth
  /** `null`: all. */
  readonly enabled_tools: readonly string[] | null
  readonly disabled_tools: readonly string[]
  readonly startup_timeout_sec: number
  readonly tool_timeout_sec: number
  readonly approval: Readonly<Record<string, ToolRule>>
  readonly origin: Origin
}

/** A server that resolves but cannot be used here, and why; the model is notified. */
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

/** The head and the body of a schedule file, as a request for a schedule says them. */
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

/** A schedule of a file: off until the tenant switches it on. */
export interface ScheduleEntry {
  /** The file's name without `.md`. */
  readonly id: string
  readonly request: ScheduleWords
  readonly file_digest: string
  readonly origin: Origin
}

export interface Resolved {
  /** Ordered by id. */
  readonly agents: readonly AgentEntry[]
  /** Ordered by id; disabled ones are listed with `enabled: false`. */
  readonly skills: readonly SkillEntry[]
  /** Ordered by name; disabled ones are listed with `enabled: false`. */
  readonly servers: readonly ServerEntry[]
  /** Ordered by id. A run acts on none of them. */
  readonly schedules: readonly ScheduleEntry[]
  readonly unavailable: readonly Unavailable[]
  /** Tools of ours that this deployment cannot perform, each with what would bring it. */
  readonly lacks?: Readonly<Record<string, string>> | undefined
  readonly records: readonly FileRecord[]
  /** Findings about the resolve itself, e.g. `role_layer_invalid`, `unused_override`. */
  readonly diagnostics: readonly Diagnostic[]
  readonly missing_secrets: readonly { readonly server: string; readonly name: string }[]
  readonly layers: readonly { readonly kind: LayerKind; readonly layer: string }[]
  /** SHA-256 of the canonical effective config: agents, skills, servers; not of the records. */
  readonly digest: string
}

/** Which layers a run (or a question) names. All keys are below the tenant's space. */
export interface LayerSelection {
  readonly role?: string | undefined
  readonly repo_dir?: string | undefined
  readonly base_dir?: string | undefined
  readonly mcp_config_path?: string | undefined
  readonly mcp_servers?: Readonly<Record<string, unknown>> | undefined
  readonly strict?: boolean | undefined
  readonly on_duplicate?: 'shadow' | 'reject' | undefined
}
