/**
 * Definition of a built-in tool. The tool's function is in `engine/tools/<name>.ts`, because the
 * core does no I/O. All other information about tools is derived from these objects.
 */

import type { AgentEntry, Grant, SkillEntry } from '../../config/types.ts'
import type { RunMemory } from '../../memory/settings.ts'
import type { ToolSpec } from '../../message.ts'

/**
 * Execution mode of a tool. `repeatable`: read-only or idempotent; `once`: never repeated; `write`:
 * the change is committed first; `spawn`: starts a subagent; `question`: a person answers.
 */
export type ToolMode = 'once' | 'repeatable' | 'write' | 'spawn' | 'question'

/** Tool that agent files may name. */
export interface KnownTool {
  readonly name: string
  /**
   * Space-separated tool names used by Claude Code, OpenCode, Codex, Copilot, pi, and other
   * products. A name shared by several tools means all of them. Case matters only if a name occurs
   * twice.
   */
  readonly foreign?: string
  /**
   * Position in the tool list of user-facing agents that name no tools; absent if these agents may
   * not use the tool.
   */
  readonly user_facing?: number
}

/** Tool whose name is known but that no platform implements. */
export interface AbsentTool extends KnownTool {
  /** Reason for the tool's absence, and the requirement that would enable it. */
  readonly lack: string
}

export interface BuiltinTool extends KnownTool, ToolSpec {
  readonly mode: ToolMode
  /** State that the tool reads or changes. Calls of one answer on the same state run in order. */
  readonly thing?: 'files' | 'memory' | 'list' | 'schedules' | 'subagents'
  /**
   * Type of the argument that rule patterns match: `command`, `path`, or the host of `url`
   * (`argument-rules.ts`).
   */
  readonly matched?: 'command' | 'path' | 'host'
  /** Whether the tool changes its state; if absent, every tool that is not repeatable does. */
  readonly changes?: true
  /** Whether each call requires a person's approval, unless the tenant's policy says otherwise. */
  readonly asks?: true
  /** Other products' parameter names, mapped to Strata's names. */
  readonly parameters?: Readonly<Record<string, string>>
  /**
   * Conditions for offering the tool to a run that is granted it; if absent, the tool is always
   * offered with its description.
   */
  readonly offered?: Offered
}

interface Offered {
  /** Returns the tool's description for this run's model, or undefined if it is not offered. */
  readonly text?: (run: OfferedTo) => string | undefined
  /** Name of the tool with which this tool is included, granted or not, unless denied. */
  readonly with?: string
  /** Whether the tool is included when other tools are deferred, granted or not, unless denied. */
  readonly deferring?: true
  /** Reason why a run that is granted the tool may not be offered it. */
  readonly otherwise?: string
}

/** Run details on which a tool's description for the model may depend. */
export interface OfferedTo {
  /** Skills that the run may use. */
  readonly skills: readonly SkillEntry[]
  /** Agents that the run may start; null at the depth limit. */
  readonly spawnable: readonly AgentEntry[] | null
  /** Run's memory settings; absent if the run has no memory. */
  readonly memory?: RunMemory | undefined
  /** Whether a parent waits for the run's result. */
  readonly subagent: boolean
  /** Whether commands run on a machine, which also supports long-running processes. */
  readonly machine: boolean
  /** Explains why a grant has no effect in this run; returns undefined if it may have one. */
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
