/** Built-in tools as shown to authors and callers in `GET /v1/tools` and `docs/authoring.md`. */

import { getOwn } from '../../lib/own-member.ts'
import { BUILTINS } from './builtin/index.ts'
import type { BuiltinTool } from './builtin/tool.ts'

export interface ToolReference
  extends Pick<BuiltinTool, 'name' | 'description' | 'mode' | 'input_schema'> {
  /** Tool names used by other products. An agent file may use any of them. */
  readonly aliases: readonly string[]
  /** Whether each call requires a person's approval unless the tenant's policy says otherwise. */
  readonly needs_approval: boolean
  /** Whether an agent with `visibility: user-facing` may have the tool. */
  readonly user_facing: boolean
  /** Reason why a run that is granted the tool may not be offered it; null if always offered. */
  readonly condition: string | null
  /** Reason why the deployment does not support the tool; null if supported. */
  readonly unavailable: string | null
}

/** Returns the reference of built-in tools; `lacks` maps unsupported tools to reasons. */
export const toolReferences = (
  lacks: Readonly<Record<string, string>> = {},
): readonly ToolReference[] =>
  BUILTINS.map(
    ({ name, description, mode, input_schema, foreign, asks, user_facing, offered }) => ({
      name,
      description,
      mode,
      aliases: [...new Set(foreign?.split(' ') ?? [])],
      needs_approval: asks === true,
      user_facing: user_facing !== undefined,
      condition: offered?.otherwise ?? null,
      unavailable: getOwn(lacks, name) ?? null,
      input_schema,
    }),
  )
