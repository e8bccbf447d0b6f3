/** Built-in tools as authors and callers see them, for `GET /v1/tools` and `docs/authoring.md`. */

import { getOwn } from '../../lib/own-member.ts'
import { BUILTINS } from './builtin/index.ts'
import type { BuiltinTool } from './builtin/tool.ts'

export interface ToolReference
  extends Pick<BuiltinTool, 'name' | 'description' | 'mode' | 'input_schema'> {
  /** Names of the tool in other products; an agent file may use any of them. */
  readonly aliases: readonly string[]
  /** Whether each call waits for a person's approval unless the tenant's policy says otherwise. */
  readonly needs_approval: boolean
  /** Whether an agent with `visibility: user-facing` may have it. */
  readonly user_facing: boolean
  /** Why a run that is granted the tool may still lack it; null: it always has it. */
  readonly condition: string | null
  /** Why the deployment cannot perform it; null: it can. */
  readonly unavailable: string | null
}

/** `lacks`: reasons by name of the tools that the deployment cannot perform. */
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
