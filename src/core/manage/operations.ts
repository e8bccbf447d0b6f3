/**
 * Management operations: one table of names and parameters shared by REST, the model's tools, and
 * `POST /mcp`, with the same results everywhere. The implementation is in `engine/manage`.
 *
 * Steps to add an operation: 1. Add an entry here, unless only routes perform it. 2. Add its
 * function and list it in engine/manage/index.ts. 3. Add it to a resource
 * (http/resources/resource.ts) or a separate route.
 */

import * as z from 'zod'
import { ToolRuleShape } from '../config/argument-rules.ts'
import { LITERAL_TOKEN } from '../config/server/file.ts'
import { LIMITS } from '../limits.ts'

const where = {
  role: z
    .string()
    .max(64)
    .default('main')
    .describe('Role whose layer is used; `main` for the base layer'),
  repo_dir: z.string().max(512).optional().describe('Repository layer, e.g. `repos/app`'),
  scope: z
    .enum(['role', 'repo'])
    .optional()
    .describe('Layer to use if both `role` and `repo_dir` are present'),
  layer: z.string().max(512).optional().describe('Layer prefix, instead of `role` and `repo_dir`'),
}
const name = (description: string) => z.string().min(1).max(128).describe(description)
const skill_name = name('Skill folder name')
const agent_name = name('Agent ID, in kebab-case')
const text = (description: string) => z.string().max(LIMITS.file_body_bytes).describe(description)

const seconds = (of: string, most: number) =>
  z.number().optional().describe(`Time limit in seconds ${of}; above zero, at most ${most}`)
const texts = z.record(z.string(), z.string()).optional()
const names = (description: string) => z.array(z.string()).optional().describe(description)
const include_disabled = z.boolean().default(true).describe('Whether to include disabled entries')
const include_content = z
  .boolean()
  .default(true)
  .describe('Whether to include the text of the file')
const overwrite = z
  .boolean()
  .default(true)
  .describe('If `false`, the request fails if the entry exists')

/** Marks a parameter as the older alias of the parameter `today`, hidden from models. */
const older = <S extends z.ZodType>(schema: S, today: string): S =>
  schema.meta({ description: `Older name of ${today}`, deprecated: true })

/** All fields that a `[mcp_servers.<name>]` table may contain, including legacy names. */
export const serverFields = {
  type: z
    .string()
    .optional()
    .describe('Transport: stdio, http, or sse; inferred from command or url'),
  command: z.string().optional().describe('Program to run, for stdio'),
  args: names('Program arguments, for stdio'),
  env: texts.describe('Program environment, for stdio; `[redacted]` keeps a stored value'),
  cwd: z.string().optional().describe('Program working directory, for stdio'),
  url: z.string().max(2_048).optional().describe('Server URL, for http and sse'),
  bearer_token_env_var: z
    .string()
    .optional()
    .describe('Name of the secret that contains the bearer token'),
  bearer_token: z
    .string()
    .refine(() => false, LITERAL_TOKEN)
    .optional()
    .describe('Not allowed; name a secret in bearer_token_env_var instead'),
  http_headers: texts.describe('HTTP headers to send; `[redacted]` keeps a stored value'),
  env_http_headers: texts.describe('Map from header name to the name of a secret'),
  oauth: z
    .looseObject({})
    .optional()
    .describe(
      'OAuth client: client_id, client_secret_env_var (the name of a secret), scopes, ' +
        'issuer, and grant (authorization_code or client_credentials); `{}` discovers all of ' +
        'them',
    ),
  enabled: z.boolean().optional().describe('Whether runs can use the server'),
  enabled_tools: names("Tools to offer, by the server's names; all others are hidden"),
  disabled_tools: names("Tools to hide, by the server's names"),
  startup_timeout_sec: seconds('for the server to list its tools', LIMITS.server_startup_seconds),
  tool_timeout_sec: seconds('for one call', LIMITS.tool_call_seconds),
  approval: z
    .record(z.string(), ToolRuleShape)
    .optional()
    .describe('Map from tool glob to rule; the strictest match applies'),
  headers: older(texts, 'http_headers'),
  timeoutSeconds: older(z.number().optional(), 'startup_timeout_sec'),
  toolTimeoutSeconds: older(z.number().optional(), 'tool_timeout_sec'),
}

export interface Operation {
  readonly description: string
  /**
   * Whether the operation writes. Write operations run once, and models may call them only as the
   * policy permits.
   */
  readonly writes: boolean
  readonly input: z.ZodObject
}

const operation =
  (writing: boolean) =>
  <S extends z.ZodRawShape>(description: string, input: S) => ({
    description,
    writes: writing,
    input: z.strictObject({ ...where, ...input }),
  })
const reads = operation(false)
const writes = operation(true)
const NEXT = 'Applies to runs that start later; this run is unchanged.'

export const OPERATIONS = {
  skills_list: reads('Lists the skills in a layer.', {
    include_disabled,
  }),
  skills_get: reads('Shows a skill in a layer and its SKILL.md file.', {
    skill_name,
    include_content,
  }),
  skills_put: writes(`Writes a skill's SKILL.md file. ${NEXT}`, {
    skill_name,
    skill_md: text('Complete SKILL.md: front matter with name and description, then the text'),
    enabled: z
      .boolean()
      .optional()
      .describe('Whether the skill is enabled; default: unchanged, or `true` for a new skill'),
    overwrite,
  }),
  skills_delete: writes(`Deletes a skill and all its files. ${NEXT}`, { skill_name }),
  skills_set_enabled: writes(`Enables or disables a skill. ${NEXT}`, {
    skill_name,
    enabled: z.boolean().describe('Whether runs can use the skill'),
  }),
  mcp_list: reads('Lists the MCP servers in a layer; env and header values are hidden.', {
    include_disabled,
  }),
  mcp_put_server: writes(`Writes an MCP server; omitted fields are cleared. ${NEXT}`, {
    name: name('Server name'),
    ...serverFields,
    overwrite,
  }),
  mcp_delete_server: writes(`Deletes an MCP server. ${NEXT}`, { name: name('The server') }),
  mcp_set_enabled: writes(`Enables or disables an MCP server. ${NEXT}`, {
    name: name('The server'),
    enabled: z.boolean().describe('Whether runs can use the server'),
  }),
  agents_list: reads('Lists the agents in a layer.', {}),
  agents_get: reads('Shows an agent in a layer and its file.', {
    agent_name,
    include_content,
  }),
  agents_put: writes(`Writes an agent's file. ${NEXT}`, {
    agent_name,
    agent_md: text('Complete file: front matter, then the system prompt'),
    overwrite,
  }),
  agents_delete: writes(`Deletes an agent. ${NEXT}`, { agent_name }),
  runtime_reload: reads("Reloads all configuration and returns the next run's digest.", {
    agent_id: z
      .string()
      .max(200)
      .optional()
      .describe('Agent ID; ignored, because all agents are reloaded'),
  }),
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS
export type OperationInput<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['input']>

export const isOperation = (tool: string): tool is OperationName => Object.hasOwn(OPERATIONS, tool)

/**
 * Returns the parameters of an operation as JSON Schema, for models and MCP clients. Lengths and
 * aliases are omitted, because they cost tokens without informing the model; they are validated
 * anyway.
 */
export const inputSchema = (operation: OperationName): Readonly<Record<string, unknown>> =>
  shownSchema(OPERATIONS[operation].input)

export function shownSchema(input: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.minLength
      delete jsonSchema.maxLength
      delete jsonSchema.propertyNames
      for (const [name, member] of Object.entries(jsonSchema.properties ?? {})) {
        if (typeof member === 'object' && member.deprecated) delete jsonSchema.properties![name]
      }
    },
  })
  return schema
}
