/** Schema of a run's configuration when the run starts. */

import * as z from 'zod'
import { ArgumentRulesShape } from '../../../core/config/argument-rules.ts'
import { StructuredOutput } from '../shared/event-parts.ts'
import { RUN_CONFIGS } from '../shared/examples.ts'
import { ModelSettings } from '../shared/models.ts'
import {
  agentName,
  count,
  countOrNull,
  etag,
  idOf,
  kindIs,
  layer,
  sha256Of,
  text,
  textOrNull,
} from '../shared/words.ts'
import { layers, transport } from './config.ts'

const LATER = '`null` if the run was started by an older release that did not store this value'

const names = (of: string) =>
  z.array(z.string()).describe(`Names of ${of}; values are never returned`)

export const toolSchema = () =>
  z.looseObject({}).describe("JSON Schema of the tool's arguments, always of type object")

const Tool = z.strictObject({
  name: text('Name of the tool, as shown to the model'),
  description: text("The tool's purpose, as shown to the model"),
  input_schema: toolSchema(),
  source: z
    .enum(['builtin', 'spawn', 'mcp'])
    .describe('Tool provider: Strata, a subagent, or an MCP server'),
  server: z.string().optional().describe('Name of the MCP server; present only for `mcp`'),
  server_tool: z
    .string()
    .optional()
    .describe('Name of the tool on the MCP server; present only for `mcp`'),
  rule: z
    .enum(['ask', 'deny'])
    .optional()
    .describe(
      'Rule for calls to the tool; `ask` requires an approval. The policy applies in ' +
        'addition; absent if calls are allowed',
    ),
  deferred: z
    .literal(true)
    .optional()
    .describe(
      'Whether the model sees the tool only after finding or calling the tool; absent if ' +
        'the tool is always visible',
    ),
  argument_rules: z
    .array(ArgumentRulesShape.extend({ by: z.string().describe('Origin of the rules') }))
    .optional()
    .describe("Rules that depend on the call's arguments"),
  ruled_by: z.string().optional().describe('Origin of the rule: an agent, a skill, or a server'),
})

const Server = z.strictObject({
  name: text('Name of the server; its tools are called `mcp__<name>__<tool>`'),
  transport: transport(),
  url: textOrNull('URL without user and password; `null` for `stdio`'),
  command: textOrNull('Program to start; `null` if the server has a URL'),
  cwd: textOrNull("The program's working directory; `null` if the default applies"),
  args: z.array(z.string()).describe('Command-line arguments of the program'),
  env: names('environment variables'),
  http_headers: names('HTTP headers'),
  env_http_headers: z
    .record(z.string(), z.string())
    .describe('Map from header to the name of a secret'),
  bearer_token_env_var: textOrNull(
    'Name of the secret that contains the bearer token; `null` if no token is sent',
  ),
  layer: layer('Layer that defines the server'),
})

const Limits = z.strictObject({
  max_steps: count('Maximum number of model answers'),
  timeout_seconds: z
    .number()
    .describe('Maximum running time in seconds, excluding waits for people or for a model'),
  model_patience_seconds: count(
    'Maximum time in seconds that the run waits for an unavailable model',
  ),
  max_tokens: countOrNull(
    'Maximum number of tokens, including all descendants; `null` if unlimited',
  ),
  max_model_calls: countOrNull(
    'Maximum number of model calls, including all descendants; `null` if unlimited',
  ),
  max_cost_usd: z
    .number()
    .nullable()
    .describe('Maximum cost in US dollars, including all descendants; `null` if unlimited'),
  max_children: count('Maximum number of subagents'),
  max_depth: count("Maximum depth of the run's tree"),
})

const Agent = z.strictObject({
  id: agentName(),
  layer: textOrNull(`Layer that contains the agent's file. ${LATER}`),
  path: textOrNull(`Key of the agent's file. ${LATER}`),
  body_digest: textOrNull(`SHA-256 of the agent's prompt. ${LATER}`),
})

const Skill = z.strictObject({
  id: text('Skill folder name'),
  description: text('Description of when to use the skill, as shown to the model'),
  path: text("Key of the skill's SKILL.md"),
  file_digest: sha256Of('the SKILL.md file'),
  files: z
    .array(
      z.strictObject({
        path: text("Path relative to the skill's folder"),
        etag: etag('the file at that time'),
      }),
    )
    .describe("Files in the skill's folder"),
})

export const RunConfig = z
  .strictObject({
    run_id: idOf('run', 'ID of the run'),
    object: kindIs('run.config'),
    agent: Agent.describe("The run's agent"),
    model: text('`provider/model`'),
    window: count("Size of the model's context window, in tokens"),
    fallbacks: z
      .array(z.string())
      .describe("Models to try, in order, when the run's own model does not respond"),
    model_settings: ModelSettings.nullable().describe(
      "Settings for the run's model calls, merged from run, agent, and alias; `null` if " +
        'there are none',
    ),
    limits: Limits.describe("The run's limits, including defaults"),
    config_digest: sha256Of('the resolved configuration, for `POST /v1/resolve/diff`'),
    pin_digest: sha256Of('this configuration, equal for runs with the same configuration'),
    prompt: z.string().describe("The agent's system prompt, as shown to the model"),
    notes: z.array(z.string()).describe('Notes that tell the model about missing parts'),
    output_schema: z
      .looseObject({})
      .nullable()
      .describe('JSON Schema of the response; `null` if no schema was requested'),
    structured_output: StructuredOutput.nullable().describe(
      'Method by which the model receives the `output_schema`, as determined so far; `null` ' +
        'if the run has no schema',
    ),
    tools: z.array(Tool).describe('Tools, in the order in which they are offered to the model'),
    missing_tools: z
      .array(
        z.strictObject({
          tool: text('Requested name'),
          why: text('Human-readable reason'),
        }),
      )
      .nullable()
      .describe(
        'Requested tools that do not exist, and tools from MCP servers that cannot be used. ' +
          `${LATER}`,
      ),
    servers: z.array(Server).describe('MCP servers that provide the offered tools'),
    missing_servers: z
      .array(
        z.strictObject({
          name: text('The server'),
          code: text('Stable, machine-readable code'),
          why: text('Human-readable reason'),
        }),
      )
      .nullable()
      .describe(`MCP servers that the run requires but does not have. ${LATER}`),
    skills: z.array(Skill).describe('Skills that the run may open'),
    agents: z
      .array(
        z.strictObject({
          id: agentName(),
          body_digest: sha256Of("the agent's prompt"),
        }),
      )
      .describe('Agents that the run may spawn'),
    layers: z
      .array(layers)
      .nullable()
      .describe(
        `Layers that the configuration was resolved from, lowest precedence first. ${LATER}`,
      ),
    warnings: z
      .array(
        z.looseObject({
          code: text('Stable, machine-readable code'),
          message: text('Human-readable explanation'),
        }),
      )
      .describe('Problems that affect the run; empty if there are none'),
  })
  .meta({
    id: 'RunConfig',
    description: "A run's configuration, fixed when the run started",
    examples: RUN_CONFIGS,
  })
