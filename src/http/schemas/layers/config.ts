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
    code: text('Stable; decide by this'),
    severity: z
      .enum(['note', 'warning', 'error'])
      .describe(
        '`note`: informational. `warning`: the file is used. `error`: the file is rejected',
      ),
    line: z.int().nullable().describe('The line in the file, from 1; null: no single line'),
    message: text('Explanation for people; the wording may change'),
    hint: textOrNull('A suggested replacement; null: none is known'),
  })
  .meta({ id: 'Diagnostic', description: 'A finding about a file or about a choice of layers' })

export const diagnostics = (of: string) =>
  z.array(Diagnostic).describe(`Findings about ${of}; empty: none`)
export const fileStatus = () =>
  z
    .enum(['loaded', 'loaded_with_warnings', 'rejected', 'ignored'])
    .describe('Outcome of loading the file. `ignored`: not read, or not a configuration file')

const FileRecord = z
  .strictObject({
    layer: layer(),
    path: text('Where the file lies below the layer'),
    kind: z.enum(['agent', 'skill', 'schedule', 'config', 'other']).describe('Kind of the file'),
    id: textOrNull('Name of the agent, skill or schedule that it defines; null: none'),
    status: fileStatus(),
    diagnostics: diagnostics('this file'),
  })
  .meta({ id: 'FileRecord', description: 'The outcome of loading one file of a layer' })

const layerKind = () =>
  z
    .enum(['builtin', 'base', 'role', 'repo', 'run'])
    .describe('`builtin`: comes with Strata. `run`: the request brought it')
const key = (of: string) => text(`The key of ${of}, as \`/v1/files/{path}\` takes it`)

const Origin = z
  .strictObject({
    kind: layerKind(),
    layer: layer(),
    key: key('its file'),
    etag: etag('its file'),
    shadows: z
      .array(z.strictObject({ layer: layer(), key: key('the file that is hidden') }))
      .describe('Entries of the same name that it overrides; empty: none'),
  })
  .meta({ id: 'Origin', description: 'Where an entry came from and what it hides' })

const Agent = z
  .looseObject({
    id: text('Its name in the front matter, else that of its file, in kebab-case'),
    display_name: text('Its name as the file writes it'),
    description: text('Purpose of the agent, as shown to other agents'),
    tools: z
      .array(z.string())
      .nullable()
      .describe('Tools that it may call; null: every tool, []: none'),
    model: textOrNull('An alias, `provider/model` or `inherit`; null: the file names none'),
    visibility: z
      .enum(['listed', 'user-facing', 'internal'])
      .describe(
        '`user-facing`: its tools are narrowed by the policy. `internal`: models ' +
          'are not notified of it',
      ),
    system_prompt: text('The text of its file below the front matter'),
    origin: Origin,
  })
  .meta({ id: 'Agent', description: 'An agent that a run could be; further fields of its file' })

const Skill = z
  .looseObject({
    id: text("The name of the skill's directory"),
    description: text('When to use it, as the model reads it'),
    enabled: z.boolean().describe('Whether it is switched on'),
    available: z.boolean().describe('Whether what it requires is there'),
    reason: textOrNull('Why it is not available; null: it is'),
    origin: Origin,
  })
  .meta({ id: 'Skill', description: 'A skill that a run could open; further fields of its file' })

const hidden = (what: string) =>
  z.record(z.string(), z.string()).describe(`${what} by name; each value is \`[redacted]\``)
const ScheduleFile = z
  .strictObject({
    name: text("The file's name without `.md`, and the name of the schedule"),
    request: z
      .looseObject({ input: text('The text of its file below the front matter') })
      .describe('What `PUT /v1/schedules/{name}` would be given, as the file says it'),
    file_digest: sha256Of('the file'),
    origin: Origin,
  })
  .meta({ id: 'ScheduleFile', description: 'A schedule of a file: off until it is switched on' })

export const environment = () => hidden('Environment variables')
export const httpHeaders = () => hidden('HTTP headers')
export const transport = () =>
  z.enum(['stdio', 'http', 'sse']).describe('Transport of MCP; `http`: Streamable HTTP')

const Server = z
  .looseObject({
    name: text('Its name; tools are called `mcp__<name>__<tool>`'),
    transport: transport(),
    enabled: z.boolean().describe('Whether it is switched on'),
    env: environment(),
    http_headers: httpHeaders(),
    origin: Origin,
  })
  .meta({ id: 'Server', description: 'An MCP server that a run could use; further fields of it' })

const Unavailable = z.strictObject({
  name: text('The server'),
  code: text('Stable; decide by this'),
  message: text('Why it cannot be used here'),
})
const MissingSecret = z.strictObject({
  server: text('The server that needs it'),
  name: text('The name of the secret'),
})

export const layers = z.strictObject({
  kind: text('`builtin`, `base`, `role`, `repo` or `run`'),
  layer: layer(),
})

export const Resolved = z
  .strictObject({
    agents: z.array(Agent).describe('Ordered by id'),
    skills: z.array(Skill).describe('Ordered by id, those that are switched off included'),
    servers: z.array(Server).describe('Ordered by name, those that are switched off included'),
    schedules: z
      .array(ScheduleFile)
      .describe('Ordered by name. `PUT /v1/schedules/{name}/source` switches one on'),
    unavailable: z.array(Unavailable).describe('Servers that cannot be used here, and why'),
    records: z.array(FileRecord).describe('One for each file of the layers'),
    diagnostics: diagnostics('the choice of layers'),
    missing_secrets: z
      .array(MissingSecret)
      .describe('Secrets that servers refer to but that are not set'),
    lacks: z
      .record(z.string(), z.string())
      .describe('Built-in tools that this deployment cannot perform, each with what it must set'),
    layers: z.array(layers).describe('The resolved layers, lowest precedence first'),
    digest: sha256Of('agents, skills and servers: equal when a run would be given the same'),
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
    .describe('The `config_digest` of a run, or the `digest` of a resolve'),
})
const Side = z.union([Digest, ResolveInput], {
  error: 'A side is {digest} with 64 hex digits, or the input of a resolve.',
})
export const DiffInput = z
  .strictObject({
    left: Side.describe('One side: `{digest}`, or the input of a resolve'),
    right: Side.describe('The other side: `{digest}`, or the input of a resolve'),
  })
  .meta({ id: 'DiffInput', description: 'Two configurations', examples: DIFF_INPUTS })

export const Diff = z
  .strictObject({
    left: sha256Of('the left configuration'),
    right: sha256Of('the right configuration'),
    differences: z
      .array(
        z.strictObject({
          kind: z.enum(['agent', 'skill', 'server']).describe('Kind of the entry'),
          id: text('Its name'),
          change: z
            .enum(['added', 'removed', 'changed'])
            .describe('From left to right: `added` is only in the right one'),
          fields: z.array(z.string()).describe('With `changed`: the names of fields that differ'),
        }),
      )
      .describe('Ordered by kind and name; empty: they are the same'),
  })
  .meta({
    id: 'Diff',
    description: 'Differences between two configurations, without values',
    examples: DIFFS,
  })
