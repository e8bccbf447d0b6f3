/**
 * The management operations: one table of names and parameters that REST, the model's tools and
 * `POST /mcp` share. `engine/manage` implements them; every road gives the same result.
 *
 * Adding an operation: 1 an entry here (without it only routes perform it), 2 its function, with a
 * line in engine/manage/index.ts, 3 its place in a resource (http/resources/resource.ts) or its own
 * route.
 */

import * as z from 'zod'
import { ToolRuleShape } from '../config/argument-rules.ts'
import { LITERAL_TOKEN } from '../config/server/file.ts'
import { LIMITS } from '../limits.ts'

const where = {
  role: z.string().max(64).default('main').describe('`main`: the base layer'),
  repo_dir: z.string().max(512).optional().describe('Repository layer, e.g. `repos/app`'),
  scope: z.enum(['role', 'repo']).optional().describe('Which of the two is meant'),
  layer: z.string().max(512).optional().describe('A prefix instead of both'),
}
const name = (description: string) => z.string().min(1).max(128).describe(description)
const skill_name = name('The directory of the skill')
const agent_name = name('The id of the agent, in kebab-case')
const text = (description: string) => z.string().max(LIMITS.file_body_bytes).describe(description)

const seconds = (of: string, most: number) =>
  z.number().optional().describe(`Seconds ${of}: above zero, at most ${most}`)
const texts = z.record(z.string(), z.string()).optional()
const names = (description: string) => z.array(z.string()).optional().describe(description)
const include_disabled = z
  .boolean()
  .default(true)
  .describe('False: without those that are switched off')
const include_content = z.boolean().default(true).describe('False: without the text of the file')
const overwrite = z.boolean().default(true).describe('False: refused when it exists')

/** A second name, which a model is not shown. */
const older = <S extends z.ZodType>(schema: S, today: string): S =>
  schema.meta({ description: `The same as ${today}`, deprecated: true })

/** Everything that a `[mcp_servers.<name>]` table may hold, with the older names. */
export const serverFields = {
  type: z.string().optional().describe('stdio, http or sse; inferred from command or url'),
  command: z.string().optional().describe('With stdio: the program'),
  args: names('With stdio: its arguments'),
  env: texts.describe('With stdio: its environment; `[redacted]` keeps a stored value'),
  cwd: z.string().optional().describe('With stdio: the directory that it starts in'),
  url: z.string().max(2_048).optional().describe('With http and sse: the address'),
  bearer_token_env_var: z.string().optional().describe('The name of a secret of the tenant'),
  bearer_token: z
    .string()
    .refine(() => false, LITERAL_TOKEN)
    .optional()
    .describe('Always refused: a secret is named in bearer_token_env_var'),
  http_headers: texts.describe('Sent as they are; `[redacted]` keeps a stored value'),
  env_http_headers: texts.describe('Header name to name of a secret'),
  oauth: z
    .looseObject({})
    .optional()
    .describe(
      'How a token is obtained: client_id, client_secret_env_var (the name of a secret), scopes, ' +
        'issuer, grant (authorization_code or client_credentials); `{}`: all as the server says',
    ),
  enabled: z.boolean().optional().describe('False: runs do without it'),
  enabled_tools: names('The only tools that are offered, as the server names them'),
  disabled_tools: names('Tools that are not offered, as the server names them'),
  startup_timeout_sec: seconds('until its tools are listed', LIMITS.server_startup_seconds),
  tool_timeout_sec: seconds('that one call may take', LIMITS.tool_call_seconds),
  approval: z
    .record(z.string(), ToolRuleShape)
    .optional()
    .describe('Tool glob to rule; of several that match the strictest counts'),
  headers: older(texts, 'http_headers'),
  timeoutSeconds: older(z.number().optional(), 'startup_timeout_sec'),
  toolTimeoutSeconds: older(z.number().optional(), 'tool_timeout_sec'),
}

export interface Operation {
  readonly description: string
  /** Writing ones run once, and a model may call them only as the policy says. */
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
const NEXT = 'Takes effect for runs that start afterwards; this run keeps what it has.'

export const OPERATIONS = {
  skills_list: reads('Lists the skills of a layer.', {
    include_disabled,
  }),
  skills_get: reads('Shows a skill of a layer and its SKILL.md.', {
    skill_name,
    include_content,
  }),
  skills_put: writes(`Writes a skill's SKILL.md. ${NEXT}`, {
    skill_name,
    skill_md: text('The whole SKILL.md: front matter with name and description, then the text'),
    enabled: z.boolean().optional().describe('Omitted: unchanged; a new skill is enabled'),
    overwrite,
  }),
  skills_delete: writes(`Deletes a skill with all its files. ${NEXT}`, { skill_name }),
  skills_set_enabled: writes(`Switches a skill on or off. ${NEXT}`, {
    skill_name,
    enabled: z.boolean().describe('False: no run is offered it'),
  }),
  mcp_list: reads('Lists the MCP servers of a layer; values of env and headers are hidden.', {
    include_disabled,
  }),
  mcp_put_server: writes(`Writes an MCP server; what is omitted is cleared. ${NEXT}`, {
    name: name('The name of the server'),
    ...serverFields,
    overwrite,
  }),
  mcp_delete_server: writes(`Deletes an MCP server. ${NEXT}`, { name: name('The server') }),
  mcp_set_enabled: writes(`Switches an MCP server on or off. ${NEXT}`, {
    name: name('The server'),
    enabled: z.boolean().describe('False: runs do without it'),
  }),
  agents_list: reads('Lists the agents of a layer.', {}),
  agents_get: reads('Shows an agent of a layer and its file.', {
    agent_name,
    include_content,
  }),
  agents_put: writes(`Writes an agent's file. ${NEXT}`, {
    agent_name,
    agent_md: text('The whole file: front matter, then the system prompt'),
    overwrite,
  }),
  agents_delete: writes(`Deletes an agent. ${NEXT}`, { agent_name }),
  runtime_reload: reads('Reads all configuration anew and says which digest the next run has.', {
    agent_id: z.string().max(200).optional().describe('Accepted and not needed: all are reloaded'),
  }),
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS
export type OperationInput<N extends OperationName> = z.output<(typeof OPERATIONS)[N]['input']>

export const isOperation = (tool: string): tool is OperationName => Object.hasOwn(OPERATIONS, tool)

/**
 * The parameters as JSON Schema, for models and for MCP clients. Without lengths and second names,
 * which cost a model tokens and tell it nothing: they are checked all the same.
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
