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

const LATER = 'Null: the run was started by an older release, which did not keep it'

const names = (of: string) => z.array(z.string()).describe(`Names of ${of}; values are never shown`)

export const toolSchema = () =>
  z.looseObject({}).describe('JSON Schema of its arguments, always of an object')

const Tool = z.strictObject({
  name: text('Its name, as the model sees it'),
  description: text('Purpose of the tool, as shown to the model'),
  input_schema: toolSchema(),
  source: z
    .enum(['builtin', 'spawn', 'mcp'])
    .describe('Executor of the tool: Strata, a subagent, or an MCP server'),
  server: z.string().optional().describe('With `mcp`: the name of the server'),
  server_tool: z.string().optional().describe('With `mcp`: its name at the server'),
  rule: z
    .enum(['ask', 'deny'])
    .optional()
    .describe('`ask`: a person is asked first. The policy applies in addition; absent: allowed'),
  deferred: z
    .literal(true)
    .optional()
    .describe('The model is shown it when it has found or called it; absent: always'),
  argument_rules: z
    .array(ArgumentRulesShape.extend({ by: z.string().describe('Origin of the rules') }))
    .optional()
    .describe('Rules by the arguments of a call'),
  ruled_by: z.string().optional().describe('Origin of the rule: an agent, a skill or a server'),
})

const Server = z.strictObject({
  name: text('Its name; tools are called `mcp__<name>__<tool>`'),
  transport: transport(),
  url: textOrNull('Its address, without user and password; null with `stdio`'),
  command: textOrNull('The program that is started; null: it has an address'),
  cwd: textOrNull('The directory that the program starts in; null: the default'),
  args: z.array(z.string()).describe('Arguments of the program'),
  env: names('environment variables'),
  http_headers: names('HTTP headers'),
  env_http_headers: z.record(z.string(), z.string()).describe('Header to name of a secret'),
  bearer_token_env_var: textOrNull('The name of a secret; null: no token is sent'),
  layer: layer('The layer that defines it'),
})

const Limits = z.strictObject({
  max_steps: count('Maximum number of model answers'),
  timeout_seconds: z
    .number()
    .describe('Running time in seconds, without waits for people or for a model'),
  model_patience_seconds: count('How long it waits for a model that is unavailable, in seconds'),
  max_tokens: countOrNull('Tokens with all below it; null: unlimited'),
  max_model_calls: countOrNull('Calls of models with all below it; null: unlimited'),
  max_cost_usd: z.number().nullable().describe('US dollars with all below it; null: unlimited'),
  max_children: count('Maximum number of subagents'),
  max_depth: count('Maximum depth of its tree'),
})

const Agent = z.strictObject({
  id: agentName(),
  layer: textOrNull(`The layer that its file lies in. ${LATER}`),
  path: textOrNull(`The key of its file. ${LATER}`),
  body_digest: textOrNull(`SHA-256 of its prompt. ${LATER}`),
})

const Skill = z.strictObject({
  id: text('The name of its directory'),
  description: text('When to use it, as the model reads it'),
  path: text('The key of its SKILL.md'),
  file_digest: sha256Of('its SKILL.md'),
  files: z
    .array(
      z.strictObject({ path: text("Below the skill's directory"), etag: etag('the file then') }),
    )
    .describe('Files of its directory'),
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
      .describe('Models that are asked, in this order, when its own does not answer'),
    model_settings: ModelSettings.nullable().describe(
      'Of its calls to models: merged of run, agent and alias; null: none',
    ),
    limits: Limits.describe('Its bounds, defaults filled in'),
    config_digest: sha256Of('the resolved configuration, for `POST /v1/resolve/diff`'),
    pin_digest: sha256Of('all that stands here: equal for runs given the same'),
    prompt: z.string().describe("The agent's system prompt as the model was shown it"),
    notes: z.array(z.string()).describe('Notices to the model about missing parts'),
    output_schema: z
      .looseObject({})
      .nullable()
      .describe('JSON Schema of the answer; null: none was asked for'),
    structured_output: StructuredOutput.nullable().describe(
      'How the model gets the `output_schema`, as far as the run has come; null without one',
    ),
    tools: z.array(Tool).describe('In the order in which the model was offered them'),
    missing_tools: z
      .array(
        z.strictObject({
          tool: text('The name as it was asked for'),
          why: text('Why not, for people'),
        }),
      )
      .nullable()
      .describe(
        'Named by the agent or the caller and not there, or listed by an MCP server in a form ' +
          `that cannot be used. ${LATER}`,
      ),
    servers: z.array(Server).describe('MCP servers of the offered tools'),
    missing_servers: z
      .array(
        z.strictObject({
          name: text('The server'),
          code: text('Stable; decide by this'),
          why: text('Why not, for people'),
        }),
      )
      .nullable()
      .describe(`Servers that it was to have and has not. ${LATER}`),
    skills: z.array(Skill).describe('Skills that it may open'),
    agents: z
      .array(
        z.strictObject({
          id: agentName(),
          body_digest: sha256Of('its prompt'),
        }),
      )
      .describe('Agents that it may start'),
    layers: z
      .array(layers)
      .nullable()
      .describe(`The layers it was resolved from, lowest precedence first. ${LATER}`),
    warnings: z
      .array(
        z.looseObject({
          code: text('Stable; decide by this'),
          message: text('Explanation for people'),
        }),
      )
      .describe('Problems that it runs with; empty: none'),
  })
  .meta({
    id: 'RunConfig',
    description: 'The configuration of a run, fixed when it started',
    examples: RUN_CONFIGS,
  })
