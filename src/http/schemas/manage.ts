/** What the management routes take and answer; the operations' parameters are in core/manage. */

import * as z from 'zod'
import { OPERATIONS, serverFields } from '../../core/manage/operations.ts'
import { Diagnostic } from './config.ts'

const { skills_put, skills_set_enabled, agents_put } = OPERATIONS

export const layerQuery = z.strictObject({
  layer: z
    .string()
    .max(512)
    .default('base/')
    .describe('A prefix: base/, roles/<role>/, repos/<name>/'),
})
export const listQuery = layerQuery.extend({
  include_disabled: z.stringbool().default(true),
})
export const getQuery = layerQuery.extend({
  include_content: z.stringbool().default(true),
})
export const writeQuery = layerQuery.extend({
  strict: z.stringbool().default(false).describe('Refuses what would be written with warnings'),
})

export const SkillInput = skills_put.input
  .pick({ skill_md: true, enabled: true, overwrite: true })
  .meta({ id: 'SkillInput' })
export const SwitchInput = skills_set_enabled.input
  .pick({ enabled: true })
  .meta({ id: 'SwitchInput' })
export const AgentInput = agents_put.input
  .pick({ agent_md: true, overwrite: true })
  .meta({ id: 'AgentInput' })
const agentFields = {
  description: z.string().min(1),
  tools: z.array(z.string()),
  disallowed_tools: z.array(z.string()),
  model: z.string().min(1),
  model_role: z.string().min(1),
  fork_context: z.boolean(),
  timeout_seconds: z.int().min(1),
  visibility: z.string().min(1),
  emit_structured_findings: z.boolean(),
  max_steps: z.int().min(1),
  color: z.string().min(1),
} as const
export const AgentPatch = z
  .strictObject({
    ...Object.fromEntries(
      Object.entries(agentFields).map(([key, field]) => [key, field.nullable().optional()]),
    ),
    system_prompt: z.string().optional(),
  })
  .meta({ id: 'AgentPatch', description: 'What is not named stays; null removes a field' })

/** As an agent file spells its keys: `max_steps` → `maxSteps`. */
export function agentEdit(patch: Readonly<Record<string, unknown>>) {
  const { system_prompt, ...given } = patch
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  const fields = Object.fromEntries(
    named.map(([key, value]) => [key.replace(/_([a-z])/g, (_, one) => one.toUpperCase()), value]),
  )
  return { fields, body: system_prompt as string | undefined }
}
export const ServerInput = OPERATIONS.mcp_put_server.input
  .omit({ role: true, repo_dir: true, scope: true, layer: true, name: true })
  .meta({ id: 'ServerInput' })
export const ServerPatch = z
  .strictObject(
    Object.fromEntries(Object.entries(serverFields).map(([key, field]) => [key, nullable(field)])),
  )
  .meta({ id: 'ServerPatch', description: 'What is not named stays; null removes' })
export const RollbackInput = z
  .strictObject({ version: z.string().min(1).max(64) })
  .meta({ id: 'RollbackInput' })

/** In a map a null removes one key. */
function nullable(field: z.ZodType): z.ZodType {
  const inner = field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field
  const each =
    inner instanceof z.ZodRecord
      ? z.record(z.string(), (inner.valueType as z.ZodType).nullable())
      : inner
  return each.nullable().optional()
}

const shared = { etag: z.string().nullable(), diagnostics: z.array(Diagnostic) }
export const LayerSkill = z
  .strictObject({
    name: z.string(),
    enabled: z.boolean(),
    path: z.string(),
    has_skill_md: z.boolean(),
    description: z.string().nullable(),
    files: z.array(z.strictObject({ path: z.string(), etag: z.string(), size: z.int() })),
    ...shared,
    skill_md: z.string().optional(),
  })
  .meta({ id: 'LayerSkill' })
export const LayerAgent = z
  .strictObject({
    name: z.string(),
    path: z.string(),
    status: z.enum(['loaded', 'loaded_with_warnings', 'rejected', 'ignored']),
    description: z.string().nullable(),
    model: z.string().nullable(),
    tools: z.array(z.string()).nullable(),
    visibility: z.string().nullable(),
    ...shared,
    agent_md: z.string().optional(),
  })
  .meta({ id: 'LayerAgent' })
export const LayerServer = z
  .looseObject({
    name: z.string(),
    enabled: z.boolean(),
    type: z.string().nullable(),
    path: z.string(),
    ...shared,
    env: z.record(z.string(), z.string()).describe('Values are hidden'),
    http_headers: z.record(z.string(), z.string()).describe('Values are hidden'),
  })
  .meta({ id: 'LayerServer' })

const change = { layer: z.string(), reloaded: z.boolean(), message: z.string() }
const written = { ...change, created: z.boolean(), warnings: z.array(Diagnostic) }
export const WrittenSkill = z
  .strictObject({ ...written, skill: LayerSkill })
  .meta({ id: 'WrittenSkill' })
export const WrittenAgent = z
  .strictObject({ ...written, agent: LayerAgent })
  .meta({ id: 'WrittenAgent' })
export const WrittenServer = z
  .strictObject({ ...written, server: LayerServer })
  .meta({ id: 'WrittenServer' })
export const Deleted = z.strictObject({ ...change, deleted: z.int() }).meta({ id: 'Deleted' })
export const Reloaded = z
  .strictObject({ reloaded: z.boolean(), message: z.string(), config_digest: z.string() })
  .meta({ id: 'Reloaded' })

export const Version = z
  .strictObject({
    version: z.string(),
    number: z.int().describe('Rises with each version'),
    kind: z.enum(['skill', 'agent', 'server', 'endpoint', 'hook']),
    layer: z.string(),
    name: z.string(),
    action: z.enum([
      'found',
      'put',
      'delete',
      'enable',
      'disable',
      'rollback',
      'create',
      'update',
      'rotate',
      'refuse',
    ]),
    by: z.string().describe('An API key or a run'),
    created_at: z.string(),
    files: z
      .array(z.strictObject({ path: z.string(), digest: z.string() }))
      .describe('What a rollback to this version restores'),
  })
  .meta({ id: 'Version' })

export const VersionWithFiles = Version.extend({
  contents: z.array(
    z.strictObject({
      path: z.string(),
      digest: z.string(),
      size: z.int(),
      text: z.string().nullable().describe('Null: no UTF-8 text. Of a server: JSON, values hidden'),
    }),
  ),
}).meta({ id: 'VersionWithFiles' })

export const Compared = z
  .strictObject({
    version: z.string(),
    with: z.string(),
    files: z.array(
      z.strictObject({
        path: z.string(),
        change: z
          .enum(['same', 'differs', 'only_here', 'only_there'])
          .describe('Here is the version, there what it is compared with'),
        text: z.string().nullable(),
        other_text: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Compared' })

const AUDITED = [
  'skill',
  'agent',
  'server',
  'endpoint',
  'hook',
  'policy',
  'file',
  'approval',
  'run',
  'fanout',
  'session',
  'delivery',
] as const
const AUDITED_ACTIONS = [
  'found',
  'put',
  'delete',
  'enable',
  'disable',
  'rollback',
  'create',
  'update',
  'rotate',
  'refuse',
  'approve',
  'deny',
  'cancel',
  'cancel_children',
  'replay',
] as const

/** Who changed what, whatever it is. */
export const AuditEntry = Version.extend({
  kind: z.enum(AUDITED),
  name: z.string().describe('A name, an id or a path'),
  action: z.enum(AUDITED_ACTIONS),
  by: z.string().describe('An API key, a run or `system`'),
  detail: z.string().optional().describe('Such as the reason that was given'),
  files: z.array(z.strictObject({ path: z.string(), digest: z.string() })),
}).meta({ id: 'AuditEntry' })

export const Probed = z
  .strictObject({
    name: z.string(),
    reachable: z.boolean(),
    protocol_version: z.string().nullable(),
    tools: z.array(z.strictObject({ name: z.string(), description: z.string() })),
    latency_ms: z.number().describe('Until the tools were listed, or until it failed'),
    missing_secrets: z.array(z.string()),
    error: z.string().nullable(),
  })
  .meta({ id: 'Probed' })
