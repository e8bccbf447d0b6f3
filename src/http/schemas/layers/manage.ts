/** Input schemas of the management routes; the parameters of operations are in core/manage. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { OPERATIONS, serverFields } from '../../../core/manage/operations.ts'
import { SETTING_SHAPE } from '../../../core/model-settings.ts'
import {
  AGENT_INPUTS,
  AGENT_PATCHES,
  ROLLBACK_INPUTS,
  SERVER_INPUTS,
  SERVER_PATCHES,
  SKILL_INPUTS,
  SWITCH_INPUTS,
} from '../shared/examples.ts'

const { skills_put, skills_set_enabled, agents_put } = OPERATIONS

export const layerQuery = z.strictObject({
  layer: z
    .string()
    .max(512)
    .default('base/')
    .describe('Layer prefix: base/, roles/<role>/, or repos/<name>/'),
})
export const listQuery = layerQuery.extend({
  include_disabled: z
    .stringbool()
    .default(true)
    .describe('Whether to include disabled entries; `false` omits them'),
})
export const getQuery = layerQuery.extend({
  include_content: z
    .stringbool()
    .default(true)
    .describe('Whether to include the text of the file; `false` omits the text'),
})
export const writeQuery = layerQuery.extend({
  strict: z
    .stringbool()
    .default(false)
    .describe('Whether to reject a write or rollback that causes warnings'),
})

export const SkillInput = skills_put.input
  .pick({ skill_md: true, enabled: true, overwrite: true })
  .meta({ id: 'SkillInput', description: "A skill's SKILL.md", examples: SKILL_INPUTS })
export const SwitchInput = skills_set_enabled.input
  .pick({ enabled: true })
  .meta({ id: 'SwitchInput', description: 'Whether the skill is enabled', examples: SWITCH_INPUTS })
export const AgentInput = agents_put.input
  .pick({ agent_md: true, overwrite: true })
  .meta({ id: 'AgentInput', description: 'An agent file', examples: AGENT_INPUTS })
const agentFields = {
  description: z
    .string()
    .min(1)
    .optional()
    .describe("The agent's purpose, as shown to other agents"),
  tools: z
    .array(z.string())
    .optional()
    .describe('Tools that the agent may call; if omitted, all tools'),
  disallowed_tools: z.array(z.string()).optional().describe('Tools that the agent may not call'),
  model: z
    .string()
    .min(1)
    .optional()
    .describe("The agent's model: an alias, `provider/model`, or `inherit`"),
  model_role: z
    .string()
    .min(1)
    .optional()
    .describe("The model's role: `Main`, `Fallback`, or `Compaction`"),
  fork_context: z.boolean().optional().describe("Whether the agent sees the parent's conversation"),
  timeout_seconds: z
    .int()
    .min(1)
    .optional()
    .describe(`Maximum running time in seconds, at most ${LIMITS.run_timeout_seconds_max}`),
  model_patience_seconds: z
    .int()
    .min(0)
    .optional()
    .describe(
      "Maximum time in seconds that the agent's runs wait for an unavailable model, at most " +
        `${LIMITS.model_patience_seconds_max}; 0 means three attempts`,
    ),
  visibility: z
    .string()
    .min(1)
    .optional()
    .describe('Agent visibility: `listed`, `user-facing`, or `internal`'),
  emit_structured_findings: z
    .boolean()
    .optional()
    .describe('Whether the agent returns a list of findings'),
  max_steps: z
    .int()
    .min(1)
    .optional()
    .describe(`Maximum number of model responses, at most ${LIMITS.steps_max}`),
  color: z.string().min(1).optional().describe('Display color; has no other effect'),
  ...SETTING_SHAPE,
} as const
export const AgentPatch = z
  .strictObject({
    ...Object.fromEntries(
      Object.entries(agentFields).map(([key, field]) => [
        key,
        field
          .unwrap()
          .nullable()
          .optional()
          .describe(`${field.description}. \`null\` removes the field`),
      ]),
    ),
    system_prompt: z.string().optional().describe('Text below the front matter'),
  })
  .meta({
    id: 'AgentPatch',
    description: 'Members to change; omitted members are unchanged, and `null` removes a field',
    examples: AGENT_PATCHES,
  })

/**
 * Converts member names to the spelling of agent files: `max_steps` → `maxSteps`. Model settings
 * may use either spelling, and only one spelling is kept.
 */
export function agentEdit(patch: Readonly<Record<string, unknown>>) {
  const { system_prompt, ...members } = patch
  const defined = Object.entries(members).filter(([, value]) => value !== undefined)
  const cleared = defined.filter(([key]) => key in SETTING_SHAPE).map(([key]) => [key, null])
  const fields = Object.fromEntries([
    ...cleared,
    ...defined.map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  ])
  return { fields, body: system_prompt as string | undefined }
}
export const ServerInput = OPERATIONS.mcp_put_server.input
  .omit({ role: true, repo_dir: true, scope: true, layer: true, name: true })
  .meta({
    id: 'ServerInput',
    description: 'The complete MCP server; omitted members are cleared, except `enabled`',
    examples: SERVER_INPUTS,
  })
export const ServerPatch = z
  .strictObject(
    Object.fromEntries(Object.entries(serverFields).map(([key, field]) => [key, nullable(field)])),
  )
  .meta({
    id: 'ServerPatch',
    description: 'Members to change; omitted members are unchanged, and `null` removes a field',
    examples: SERVER_PATCHES,
  })
export const RollbackInput = z
  .strictObject({
    version: z
      .string()
      .min(1)
      .max(64)
      .describe('ID of the version to restore: `ver_` followed by 26 characters'),
  })
  .meta({
    id: 'RollbackInput',
    description: 'Version to restore',
    examples: ROLLBACK_INPUTS,
  })
export const ReloadInput = OPERATIONS.runtime_reload.input.meta({
  description: 'Layers whose digest is returned; if empty, the base layer',
  examples: [{}, { role: 'support' }],
})

/** Extends a schema so that null is allowed; in a map, null removes a key. */
function nullable(field: z.ZodType): z.ZodType {
  const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field
  const isMap = inner instanceof z.ZodRecord
  const each = isMap ? z.record(z.string(), (inner.valueType as z.ZodType).nullable()) : inner
  const removes = isMap
    ? "`null` removes the field, or one of the field's keys"
    : '`null` removes the field'
  return each.nullable().optional().describe(`${field.description}. ${removes}`)
}
