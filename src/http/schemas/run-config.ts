/** What a run was given when it started. */

import * as z from 'zod'
import { StructuredOutput } from './event-parts.ts'

const LATER = 'Null: the run was started by an older release, which did not keep it'

const Tool = z.strictObject({
  name: z.string(),
  description: z.string(),
  input_schema: z.looseObject({}),
  source: z.enum(['builtin', 'spawn', 'mcp']),
  server: z.string().optional(),
  server_tool: z.string().optional().describe('Its name at the server'),
  rule: z.enum(['ask', 'deny']).optional().describe('Without the policy, which counts as it is'),
  ruled_by: z.string().optional(),
})

const Server = z.strictObject({
  name: z.string(),
  transport: z.enum(['stdio', 'http', 'sse']),
  url: z.string().nullable(),
  command: z.string().nullable(),
  cwd: z.string().nullable(),
  args: z.array(z.string()),
  env: z.array(z.string()).describe('Names; values are never shown'),
  http_headers: z.array(z.string()).describe('Names; values are never shown'),
  env_http_headers: z.record(z.string(), z.string()).describe('Header to name of a secret'),
  bearer_token_env_var: z.string().nullable().describe('The name of a secret'),
  layer: z.string(),
})

export const RunConfig = z
  .strictObject({
    run_id: z.string(),
    object: z.literal('run.config'),
    agent: z.strictObject({
      id: z.string(),
      layer: z.string().nullable(),
      path: z.string().nullable().describe('The key of its file'),
      body_digest: z.string().nullable().describe('SHA-256 of its prompt'),
    }),
    model: z.string(),
    window: z.int().describe('Tokens'),
    limits: z.strictObject({
      max_steps: z.int(),
      timeout_seconds: z.number(),
      max_tokens: z.int().nullable(),
      max_model_calls: z.int().nullable(),
      max_children: z.int(),
      max_depth: z.int(),
    }),
    config_digest: z.string().describe('For `POST /v1/resolve/diff`'),
    pin_digest: z.string().describe('Of all that stands here: equal for runs given the same'),
    prompt: z.string().describe("The agent's system prompt as the model was shown it"),
    notes: z.array(z.string()).describe('What the model was told is missing'),
    output_schema: z.looseObject({}).nullable(),
    structured_output: StructuredOutput.nullable().describe(
      'How the model is told of the `output_schema`, as far as the run has come; null without one',
    ),
    tools: z.array(Tool).describe('In the order in which the model was offered them'),
    missing_tools: z
      .array(z.strictObject({ tool: z.string(), why: z.string() }))
      .nullable()
      .describe(`Named by the agent or the caller and not there. ${LATER}`),
    servers: z.array(Server).describe('Those with a tool that was offered'),
    missing_servers: z
      .array(z.strictObject({ name: z.string(), code: z.string(), why: z.string() }))
      .nullable()
      .describe(LATER),
    skills: z.array(
      z.strictObject({
        id: z.string(),
        description: z.string(),
        path: z.string(),
        file_digest: z.string().describe('SHA-256 of its SKILL.md'),
        files: z.array(z.strictObject({ path: z.string(), etag: z.string() })),
      }),
    ),
    agents: z
      .array(z.strictObject({ id: z.string(), body_digest: z.string() }))
      .describe('Those that it may start'),
    layers: z
      .array(z.strictObject({ kind: z.string(), layer: z.string() }))
      .nullable()
      .describe(LATER),
    warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  })
  .meta({ id: 'RunConfig' })
