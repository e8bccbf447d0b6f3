/** The configuration of a run at its start. */

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

const LATER = 'Null: the run was started by an older release that did not store it'

const names = (of: string) => z.array(z.string()).describe(`Names of ${of}; values are never shown`)

export const toolSchema = () =>
  z.looseObject({}).describe('JSON Schema of its arguments, always of type object')

const Tool = z.strictObject({
  name: text('Name as the model sees it'),
  description: text('Purpose of the tool, as shown to the model'),
  input_schema: toolSchema(),
  source: z
    .enum(['builtin', 'spawn', 'mcp'])
    .describe('Performs the tool: Strata, a subagent, or an MCP server'),
  server: z.string().optional().describe('With `mcp`: name of the server'),
  server_tool: z.string().optional().describe('With `mcp`: name of the tool at the server'),
  rule: z
    .enum(['ask', 'deny'])
    .optional()
    .describe('`ask`: requires an approval. The policy applies in addition; absent: allowed'),
  deferred: z
    .literal(true)
    .optional()
    .describe('The model is shown it after it has found or called it; absent: always'),
  argument_rules: z
    .array(ArgumentRulesShape.extend({ by: z.string().describe('Origin of the rules') }))
    .optional()
    .describe('Rules by the arguments of a call'),
  ruled_by: z.string().optional().describe('Origin of the rule: an agent, a skill, or a server'),
})

const Server = z.strictObject({
  name: text('Name of the server; its tools are called `mcp__<name>__<tool>`'),
  transport: transport(),
  url: textOrNull('URL without user and password; null with `stdio`'),
  command: textOrNull('Program to start; null: it has a URL'),
  cwd: textOrNull('Working directory of the program; null: the default'),
  args: z.array(z.string()).describe('Arguments of the program'),
  env: names('environment variables'),
  http_headers: names('HTTP headers'),
  env_http_headers: z
    .record(z.string(), z.string())
    .describe('Map from header to name of a secret'),
  bearer_token_env_var: textOrNull('Name of a secret; null: no token is sent'),
  layer: layer('The layer that defines it'),
})

const Limits = z.strictObject({
  max_steps: count('Maximum number of model answers'),
  timeout_seconds: z
    .number()
    .describe('Running time in seconds, excluding waits for people or for a model'),
  model_patience_seconds: count('How long it waits for an unavailable model, in seconds'),
  max_tokens: countOrNull('Tokens including everything below it; null: unlimited'),
  max_model_calls: countOrNull('Model calls including everything below it; null: unlimited'),
  max_cost_usd: z
    .number()
    .nullable()
    .describe('US dollars including everything below it; null: unlimited'),
  max_children: count('Maximum number of subagents'),
  max_depth: count('Maximum depth of its tree'),
})

const Agent = z.strictObject({
  id: agentName(),
  layer: textOrNull(`The layer of its file. ${LATER}`),
  path: textOrNull(`Key of its file. ${LATER}`),
  body_digest: textOrNull(`SHA-256 of its prompt. ${LATER}`),
})

const Skill = z.strictObject({
  id: text('Name of its folder'),
  description: text('When to use it, as the model reads it'),
  path: text('Key of its SKILL.md'),
  file_digest: sha256Of('its SKILL.md'),
  files: z
    .array(
      z.strictObject({
        path: text('Path below the folder of the skill'),
        etag: etag('the file then'),
      }),
    )
    .describe('Files of its folder'),
})

export const RunConfig = z
  .strictObject({
    run_id: idOf('run', 'The run'),
    object: kindIs('run.config'),
    agent: Agent.describe('The agent of the run'),
    model: text('`provider/model`'),
    window: count("The model's context window in tokens"),
    fallbacks: z
      .array(z.string())
      .describe('Models that are tried, in this order, when its own does not answer'),
    model_settings: ModelSettings.nullable().describe(
      'Settings of its model calls, merged from run, agent, and alias; null: none',
    ),
    limits: Limits.describe('Its limits, including defaults'),
    config_digest: sha256Of('the resolved configuration, for `POST /v1/resolve/diff`'),
    pin_digest: sha256Of('this configuration: equal for runs with the same configuration'),
    prompt: z.string().describe("The agent's system prompt, as shown to the model"),
    notes: z.array(z.string()).describe('Notes to the model about missing parts'),
    output_schema: z
      .looseObject({})
      .nullable()
      .describe('JSON Schema of the answer; null: none was requested'),
    structured_output: StructuredOutput.nullable().describe(
      'How the model gets the `output_schema`, as far as the run has got; null without one',
    ),
    tools: z.array(Tool).describe('In the order in which the model was offered them'),
    missing_tools: z
      .array(
        z.strictObject({
          tool: text('The requested name'),
          why: text('The reason, for people'),
        }),
      )
      .nullable()
      .describe(
        'Tools that the agent or the caller names but that do not exist, and tools of MCP ' +
          `servers that cannot be used. ${LATER}`,
      ),
    servers: z.array(Server).describe('MCP servers of the offered tools'),
    missing_servers: z
      .array(
        z.strictObject({
          name: text('The server'),
          code: text('Stable code of the finding'),
          why: text('The reason, for people'),
        }),
      )
      .nullable()
      .describe(`Servers that it requires but does not have. ${LATER}`),
    skills: z.array(Skill).describe('Skills that it may open'),
    agents: z
      .array(
        z.strictObject({
          id: agentName(),
          body_digest: sha256Of('its prompt'),
        }),
      )
      .describe('Agents that it may spawn'),
    layers: z
      .array(layers)
      .nullable()
      .describe(`The layers that it was resolved from, lowest precedence first. ${LATER}`),
    warnings: z
      .array(
        z.looseObject({
          code: text('Stable code of the finding'),
          message: text('Explanation for people'),
        }),
      )
      .describe('Problems that affect the run; empty: none'),
  })
  .meta({
    id: 'RunConfig',
    description: 'The configuration of a run, fixed when it started',
    examples: RUN_CONFIGS,
  })
