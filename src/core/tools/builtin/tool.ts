/**
 * Definition of a built-in tool without its function, which is in `engine/tools/<name>.ts`, because
 * the core does no I/O. All other information about tools is derived from these objects.
 */

import type { AgentEntry, Grant, SkillEntry } from '../../config/types.ts'
import type { RunMemory } from '../../memory/settings.ts'
import type { ToolSpec } from '../../message.ts'

/**
 * Execution mode. `repeatable`: read-only or idempotent; `once`: never repeated; `write`: the
 * change is committed first; `spawn`: starts a subagent; `question`: a person answers.
 */
export type ToolMode = 'once' | 'repeatable' | 'write' | 'spawn' | 'question'

/** Tool that agent files may name. */
export interface KnownTool {
  readonly name: string
  /**
   * Space-separated names in Claude Code, OpenCode, Codex, Copilot, pi, and other products. A name
   * shared by several tools means all of them; case matters only if a name occurs twice.
   */
  readonly foreign?: string
  /**
   * Position in the list of user-facing agents that name no tools; absent if these agents may not
   * use the tool.
   */
  readonly user_facing?: number
}

/** Tool that is known by name but not implemented on any platform. */
export interface AbsentTool extends KnownTool {
  /** Reason for the absence, and the requirement that would enable the tool. */
  readonly lack: string
}

export interface BuiltinTool extends KnownTool, ToolSpec {
  readonly mode: ToolMode
  /** State that the tool reads or changes; calls of one answer on the same state run in order. */
  readonly thing?: 'files' | 'memory' | 'list' | 'schedules' | 'subagents'
  /** Type of the argument `command`, `path`, or `url` for rule patterns (`argument-rules.ts`). */
  readonly matched?: 'command' | 'path' | 'host'
  /** Whether the tool changes its state; if absent, true unless repeatable. */
  readonly changes?: true
  /** Whether each call requires a person's approval, unless the tenant's policy differs. */
  readonly asks?: true
  /** Parameter names used by models of other products, mapped to Strata's names. */
  readonly parameters?: Readonly<Record<string, string>>
  /**
   * Condition for offering the tool to a run with the grant; if absent, always offered with its
   * description.
   */
  readonly offered?: Offered
}

interface Offered {
  /** Returns the description for this run's model, or undefined if the tool is not offered. */
  readonly text?: (run: OfferedTo) => string | undefined
  /** Tool with which this one is included, granted or not, unless denied. */
  readonly with?: string
  /** Whether the tool is included when tools are deferred, granted or not, unless denied. */
  readonly deferring?: true
  /** Reason why a run with the grant may not have the tool. */
  readonly otherwise?: string
}

/** Context that a description for the model may depend on. */
export interface OfferedTo {
  /** Usable skills. */
  readonly skills: readonly SkillEntry[]
  /** Agents that the run may start; null at the depth limit. */
  readonly spawnable: readonly AgentEntry[] | null
  /** Memory; absent if the run has none. */
  readonly memory?: RunMemory | undefined
  /** Whether a parent waits for the run's result. */
  readonly subagent: boolean
  /** Whether commands run on a machine, which also supports long-running processes. */
  readonly machine: boolean
  /** Explains why a grant has no effect here; returns undefined if it may have one. */
  readonly lacks: (grant: Grant) => string | undefined
}

export const text = (description: string) => ({ type: 'string', description })
export const count = (description: string, maximum: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  description,
})

export function object(properties: Record<string, unknown>, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Path parameter shared by most file tools. */
export const PATH = text('Path in the working folder, e.g. `src/app.ts`')
