/**
 * The shape of a built-in tool without its function: `engine/tools/<name>.ts` has that, because the
 * core does no I/O. Every other statement about tools is derived from these objects.
 */

import type { AgentEntry, Grant, SkillEntry } from '../../config/types.ts'
import type { RunMemory } from '../../memory/settings.ts'
import type { ToolSpec } from '../../message.ts'

/**
 * `repeatable`: reading, or the same twice is the same once; `once`: never repeated; `write`: what
 * changes is committed first; `spawn`: starts a subagent; `question`: a person answers.
 */
export type ToolMode = 'once' | 'repeatable' | 'write' | 'spawn' | 'question'

/** A tool that agent files may name. */
export interface KnownTool {
  readonly name: string
  /**
   * Its names in Claude Code, OpenCode, Codex, Copilot, pi and others, with blanks between. A word
   * of several tools means all of them; capitals count only where a word is given twice.
   */
  readonly foreign?: string
  /** User-facing agents may have it; its place in their list when they name none. */
  readonly user_facing?: number
}

/** A tool that is known by name and that no platform performs. */
export interface AbsentTool extends KnownTool {
  /** Why, and what would bring it. */
  readonly lack: string
}

export interface BuiltinTool extends KnownTool, ToolSpec {
  readonly mode: ToolMode
  /** The state that it reads or changes: calls of one answer on the same run in their order. */
  readonly thing?: 'files' | 'memory' | 'list' | 'schedules' | 'subagents'
  /** The meaning of its argument `command`, `path` or `url` to the patterns of rules (`argument-rules.ts`). */
  readonly matched?: 'command' | 'path' | 'host'
  /** Whether it changes its thing. Absent: unless it is repeatable. */
  readonly changes?: true
  /** A person is asked before each call, unless the tenant's policy says otherwise. */
  readonly asks?: true
  /** Parameters as models of other products spell them, each with ours. */
  readonly parameters?: Readonly<Record<string, string>>
  /** When it is offered to a run that is granted it. Absent: always, with its description. */
  readonly offered?: Offered
}

interface Offered {
  /** The text for the model of this run; undefined: it is not offered. */
  readonly text?: (run: OfferedTo) => string | undefined
  /** Included with this tool, granted or not, unless it is denied. */
  readonly with?: string
  /** Included when tools are deferred, granted or not, unless it is denied. */
  readonly deferring?: true
  /** Why a run that is granted it may not have it. */
  readonly otherwise?: string
}

/** The context that a text for the model may depend on. */
export interface OfferedTo {
  /** Skills that can be used. */
  readonly skills: readonly SkillEntry[]
  /** The agents that it may start; null: none, at this depth. */
  readonly spawnable: readonly AgentEntry[] | null
  /** Absent: it has none. */
  readonly memory?: RunMemory | undefined
  /** A parent awaits its result. */
  readonly subagent: boolean
  /** Commands run on a machine, and long processes too. */
  readonly machine: boolean
  /** Why a grant gives nothing here; undefined: it may give something. */
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

/** The parameter that most file tools share. */
export const PATH = text('Path below the working folder, e.g. `src/app.ts`')
