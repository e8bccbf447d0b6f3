/** The result of resolving layers, as the API shows it. */

import * as z from 'zod'
import { selectionShape } from '../runs/run-input.ts'
import { DIFF_INPUTS, DIFFS, RESOLVE_INPUTS, RESOLVED } from '../shared/examples.ts'
import { etag, layer, sha256Of, text, textOrNull } from '../shared/words.ts'

export const ResolveInput = z.strictObject(selectionShape).meta({
  id: 'ResolveInput',
  description: 'The layers to resolve; without members: the base layer',
  examples: RESOLVE_INPUTS,
})

export const Diagnostic = z
  .strictObject({
    code: text('Stable code of the finding'),
    severity: z
      .enum(['note', 'warning', 'error'])
      .describe(
        '`note`: informational. `warning`: the file is used. `error`: the file is rejected',
      ),
    line: z.int().nullable().describe('The line in the file, from 1; null: no single line'),
    message: text('Explanation for people; the wording may change'),
    hint: textOrNull('Suggested replacement; null: none'),
  })
  .meta({ id: 'Diagnostic', description: 'A finding about a file or about the choice of layers' })

export const diagnostics = (of: string) =>
  z.array(Diagnostic).describe(`Findings about ${of}; empty: none`)
export const fileStatus = () =>
  z
    .enum(['loaded', 'loaded_with_warnings', 'rejected', 'ignored'])
    .describe('Result of loading the file. `ignored`: not read, or not a configuration file')

const FileRecord = z
  .strictObject({
    layer: layer(),
    path: text('Path of the file below the layer'),
    kind: z.enum(['agent', 'skill', 'schedule', 'config', 'other']).describe('Kind of the file'),
    id: textOrNull('Name of the agent, skill, or schedule that it defines; null: none'),
    status: fileStatus(),
    diagnostics: diagnostics('this file'),
  })
  .meta({ id: 'FileRecord', description: 'Result of loading one file of a layer' })

const layerKind = () =>
  z
    .enum(['builtin', 'base', 'role', 'repo', 'run'])
    .describe('`builtin`: included in Strata. `run`: part of the request')
const key = (of: string) => text(`Key of ${of}, as in \`/v1/files/{path}\``)

const Origin = z
  .strictObject({
    kind: layerKind(),
    layer: layer(),
    key: key('its file'),
    etag: etag('its file'),
    shadows: z
      .array(z.strictObject({ layer: layer(), key: key('the file that is hidden') }))
      .describe('Overridden entries with the same name; empty: none'),
  })
  .meta({ id: 'Origin', description: 'Origin of an entry and what it overrides' })

const Agent = z
  .looseObject({
    id: text('Name in the front matter, else that of its file, in kebab-case'),
    display_name: text('Name as written in the file'),
    description: text('Purpose of the agent, as shown to other agents'),
    tools: z
      .array(z.string())
      .nullable()
      .describe('Tools that it may call; null: all tools, []: none'),
    model: textOrNull('An alias, `provider/model`, or `inherit`; null: the file names none'),
    visibility: z
      .enum(['listed', 'user-facing', 'internal'])
      .describe('`user-facing`: the policy restricts its tools. `internal`: hidden from models'),
    system_prompt: text('Text of its file below the front matter'),
    origin: Origin,
  })
  .meta({
    id: 'Agent',
    description: 'An agent that is available to runs; has further fields of its file',
  })

const Skill = z
  .looseObject({
    id: text("Name of the skill's folder"),
    description: text('When to use it, as the model reads it'),
    enabled: z.boolean().describe('Whether it is enabled'),
    available: z.boolean().describe('Whether its requirements are met'),
    reason: textOrNull('Why it is unavailable; null: it is available'),
    origin: Origin,
  })
  .meta({
    id: 'Skill',
    description: 'A skill that is available to runs; has further fields of its file',
  })

const hidden = (subject: string) =>
  z.record(z.string(), z.string()).describe(`${subject} by name; each value is \`[redacted]\``)
const ScheduleFile = z
  .strictObject({
    name: text('Name of the file without `.md`, and of the schedule'),
    request: z
      .looseObject({ input: text('Text of its file below the front matter') })
      .describe('The input of `PUT /v1/schedules/{name}`, according to the file'),
    file_digest: sha256Of('the file'),
    origin: Origin,
  })
  .meta({ id: 'ScheduleFile', description: 'A schedule of a file, disabled until it is enabled' })

export const environment = () => hidden('Environment variables')
export const httpHeaders = () => hidden('HTTP headers')
export const transport = () =>
  z.enum(['stdio', 'http', 'sse']).describe('MCP transport; `http`: Streamable HTTP')

const Server = z
  .looseObject({
    name: text('Name of the server; its tools are called `mcp__<name>__<tool>`'),
    transport: transport(),
    enabled: z.boolean().describe('Whether it is enabled'),
    env: environment(),
    http_headers: httpHeaders(),
    origin: Origin,
  })
  .meta({
    id: 'Server',
    description: 'An MCP server that is available to runs; has further fields of its entry',
  })

const Unavailable = z.strictObject({
  name: text('The server'),
  code: text('Stable code of the finding'),
  message: text('Why it cannot be used here'),
})
const MissingSecret = z.strictObject({
  server: text('The server that needs it'),
  name: text('Name of the secret'),
})

export const layers = z.strictObject({
  kind: text('`builtin`, `base`, `role`, `repo`, or `run`'),
  layer: layer(),
})

export const Resolved = z
  .strictObject({
    agents: z.array(Agent).describe('Ordered by ID'),
    skills: z.array(Skill).describe('Ordered by ID, including disabled ones'),
    servers: z.array(Server).describe('Ordered by name, including disabled ones'),
    schedules: z
      .array(ScheduleFile)
      .describe('Ordered by name. `PUT /v1/schedules/{name}/source` enables one'),
    unavailable: z.array(Unavailable).describe('Servers that cannot be used here, with the reason'),
    records: z.array(FileRecord).describe('One per file of the layers'),
    diagnostics: diagnostics('the choice of layers'),
    missing_secrets: z
      .array(MissingSecret)
      .describe('Secrets that servers name but that are not set'),
    lacks: z
      .record(z.string(), z.string())
      .describe(
        'Built-in tools that this deployment cannot perform, with the setting that each needs',
      ),
    layers: z.array(layers).describe('The resolved layers, lowest precedence first'),
    digest: sha256Of('agents, skills, and servers: equal for runs with the same configuration'),
  })
  .meta({
    id: 'Resolved',
    description: 'The configuration that a run with these layers would get',
    examples: RESOLVED,
  })

const Digest = z.strictObject({
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('The `config_digest` of a run, or the `digest` of a resolution'),
})
const Side = z.union([Digest, ResolveInput], {
  error: 'A side is {digest} with 64 hex digits, or the input of a resolution.',
})
export const DiffInput = z
  .strictObject({
    left: Side.describe('Left side: `{digest}`, or the input of a resolution'),
    right: Side.describe('Right side: `{digest}`, or the input of a resolution'),
  })
  .meta({ id: 'DiffInput', description: 'Two configurations to compare', examples: DIFF_INPUTS })

export const Diff = z
  .strictObject({
    left: sha256Of('the left configuration'),
    right: sha256Of('the right configuration'),
    differences: z
      .array(
        z.strictObject({
          kind: z.enum(['agent', 'skill', 'server']).describe('Kind of the entry'),
          id: text('Name of the entry'),
          change: z
            .enum(['added', 'removed', 'changed'])
            .describe('From left to right: `added` exists only on the right'),
          fields: z.array(z.string()).describe('With `changed`: names of the fields that differ'),
        }),
      )
      .describe('Ordered by kind and name; empty: no differences'),
  })
  .meta({
    id: 'Diff',
    description: 'Differences between two configurations, without values',
    examples: DIFFS,
  })
