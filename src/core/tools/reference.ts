/** Built-in tools as shown to authors and callers, in `GET /v1/tools` and `docs/authoring.md`. */

import { getOwn } from '../../lib/own-member.ts'
import { BUILTINS } from './builtin/index.ts'
import type { BuiltinTool } from './builtin/tool.ts'

export interface ToolReference
  extends Pick<BuiltinTool, 'name' | 'description' | 'mode' | 'input_schema'> {
  /** Names of the tool in other products; an agent file may use any of them. */
  readonly aliases: readonly string[]
  /** Whether each call requires a person's approval unless the tenant's policy differs. */
  readonly needs_approval: boolean
  /** Whether an agent with `visibility: user-facing` may have the tool. */
  readonly user_facing: boolean
  /** Reason why a run with the grant may not have the tool; null if it always does. */
  readonly condition: string | null
  /** Reason why the deployment does not support the tool; null if supported. */
  readonly unavailable: string | null
}

/** Returns the tool reference; `lacks` maps unsupported tools to reasons. */
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
