/** Schemas of resolved layer configurations, as the API returns them. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { selectionShape } from '../runs/run-input.ts'
import { DIFF_INPUTS, DIFFS, RESOLVE_INPUTS, RESOLVED } from '../shared/examples.ts'
import { etag, layer, sha256Of, text, textOrNull } from '../shared/words.ts'

const Overlay = z.strictObject({
  files: z
    .array(
      z.strictObject({
        path: text('Key of a file in one of the layers, as in `/v1/files/{path}`'),
        text: textOrNull('Text in place of the stored file; `null` stands for a deleted file'),
      }),
    )
    .min(1)
    .max(LIMITS.overlay_files)
    .describe(
      `Edited files, each path once. The texts have at most ${LIMITS.overlay_bytes} bytes in total`,
    ),
})

export const ResolveInput = z
  .strictObject({
    ...selectionShape,
    overlay: Overlay.optional().describe(
      'Edits to resolve with, as if the files were stored. Nothing is stored, and no run sees ' +
        'them. ETags of edited files start with `overlay-`; `POST /v1/resolve/diff` does not ' +
        'know the digest. If omitted, the stored files apply',
    ),
  })
  .meta({
    id: 'ResolveInput',
    description: 'Layers to resolve; the base layer if no members are given',
    examples: RESOLVE_INPUTS,
  })

export const Diagnostic = z
  .strictObject({
    code: text('Stable, machine-readable code'),
    severity: z
      .enum(['note', 'warning', 'error'])
      .describe(
        'Severity of the finding. `note`: informational. `warning`: the file is used. ' +
          '`error`: the file is rejected',
      ),
    line: z
      .int()
      .nullable()
      .describe('Line in the file, from 1; `null` if the finding is not about a specific line'),
    message: text('Human-readable explanation; the wording may change'),
    hint: textOrNull('Suggested replacement; `null` if there is none'),
  })
  .meta({ id: 'Diagnostic', description: 'A finding about a file or about the choice of layers' })

export const diagnostics = (of: string) =>
  z.array(Diagnostic).describe(`Findings about ${of}; empty if there are none`)
export const fileStatus = () =>
  z
    .enum(['loaded', 'loaded_with_warnings', 'rejected', 'ignored'])
    .describe(
      'Result of loading the file. `ignored`: the file was not read, or is not a ' +
        'configuration file',
    )

export const FileRecord = z
  .strictObject({
    layer: layer(),
    path: text('Path of the file below the layer'),
    kind: z.enum(['agent', 'skill', 'schedule', 'config', 'other']).describe('File kind'),
    id: textOrNull(
      'Name of the agent, skill, or schedule that the file defines; `null` if there is none',
    ),
    status: fileStatus(),
    diagnostics: diagnostics('this file'),
  })
  .meta({ id: 'FileRecord', description: 'Result of loading one file in a layer' })

const layerKind = () =>
  z
    .enum(['builtin', 'base', 'role', 'repo', 'run'])
    .describe('Layer kind. `builtin`: included in Strata. `run`: part of the request')
const key = (of: string) => text(`Key of ${of}, as in \`/v1/files/{path}\``)

const Origin = z
  .strictObject({
    kind: layerKind(),
    layer: layer(),
    key: key("the entry's file"),
    etag: etag("the entry's file"),
    shadows: z
      .array(z.strictObject({ layer: layer(), key: key('the hidden file') }))
      .describe('Overridden entries with the same name; empty if there are none'),
  })
  .meta({ id: 'Origin', description: 'Origin of an entry, and the entries that it overrides' })

const Agent = z
  .looseObject({
    id: text("Name in the front matter, otherwise the file's name, in kebab-case"),
    display_name: text('Name as written in the file'),
    description: text("The agent's purpose, as shown to other agents"),
    tools: z
      .array(z.string())
      .nullable()
      .describe('Tools that the agent may call; `null` if all tools are allowed, [] if none'),
    model: textOrNull(
      'Alias, `provider/model`, or `inherit`; `null` if the file does not specify a model',
    ),
    visibility: z
      .enum(['listed', 'user-facing', 'internal'])
      .describe(
        "Agent visibility. `user-facing`: the policy restricts the agent's tools. `internal`: " +
          'hidden from models',
      ),
    system_prompt: text('Text of the file below the front matter'),
    origin: Origin,
  })
  .meta({
    id: 'Agent',
    description:
      "An agent that is available to runs; includes additional fields from the agent's file",
  })

const Skill = z
  .looseObject({
    id: text('Skill folder name'),
    description: text('Description of when to use the skill, as shown to the model'),
    enabled: z.boolean().describe('Whether the entry is enabled'),
    available: z.boolean().describe("Whether the skill's requirements are met"),
    reason: textOrNull('Reason why the skill is unavailable; `null` if the skill is available'),
    origin: Origin,
  })
  .meta({
    id: 'Skill',
    description:
      "A skill that is available to runs; includes additional fields from the skill's file",
  })

const hidden = (subject: string) =>
  z.record(z.string(), z.string()).describe(`${subject} by name; each value is \`[redacted]\``)
const ScheduleFile = z
  .strictObject({
    name: text("Name of the schedule, equal to the file's name without `.md`"),
    request: z
      .looseObject({ input: text('Text of the file below the front matter') })
      .describe('Input for `PUT /v1/schedules/{name}`, as defined by the file'),
    file_digest: sha256Of('the file'),
    origin: Origin,
  })
  .meta({
    id: 'ScheduleFile',
    description: 'A schedule defined in a file; disabled until a request enables it',
  })

export const environment = () => hidden('Environment variables')
export const httpHeaders = () => hidden('HTTP headers')
export const transport = () =>
  z.enum(['stdio', 'http', 'sse']).describe('MCP transport; `http` means Streamable HTTP')

const Server = z
  .looseObject({
    name: text('Name of the server; its tools are called `mcp__<name>__<tool>`'),
    transport: transport(),
    enabled: z.boolean().describe('Whether the entry is enabled'),
    env: environment(),
    http_headers: httpHeaders(),
    origin: Origin,
  })
  .meta({
    id: 'Server',
    description:
      'An MCP server that is available to runs; includes additional fields from the ' +
      "server's entry",
  })

const Unavailable = z.strictObject({
  name: text('The server'),
  code: text('Stable, machine-readable code'),
  message: text('Reason why the server cannot be used'),
})
const MissingSecret = z.strictObject({
  server: text('Server that needs the secret'),
  name: text('Name of the secret'),
})

const SecretSource = z.strictObject({
  server: text('Server that references the secret'),
  name: text('Name of the secret'),
  source: z
    .enum(['tenant', 'deployment', 'none'])
    .describe(
      'Source of the value: a secret of the tenant, a variable of the deployment, or `none` if ' +
        'the secret is not set',
    ),
})

export const layers = z.strictObject({
  kind: text('Layer kind: `builtin`, `base`, `role`, `repo`, or `run`'),
  layer: layer(),
})

export const Resolved = z
  .strictObject({
    agents: z.array(Agent).describe('Agents, ordered by ID'),
    skills: z.array(Skill).describe('Skills, ordered by ID, including disabled skills'),
    servers: z.array(Server).describe('Servers, ordered by name, including disabled servers'),
    schedules: z
      .array(ScheduleFile)
      .describe('Schedules, ordered by name. `PUT /v1/schedules/{name}/source` enables a schedule'),
    unavailable: z.array(Unavailable).describe('Servers that cannot be used, with the reason'),
    records: z.array(FileRecord).describe('Records for the files in the layers, one per file'),
    diagnostics: diagnostics('the choice of layers'),
    missing_secrets: z
      .array(MissingSecret)
      .describe('Secrets that servers reference but that are not set'),
    secrets: z.array(SecretSource).describe('Secrets that enabled servers reference'),
    lacks: z
      .record(z.string(), z.string())
      .describe(
        'Built-in tools that this deployment cannot execute, with the setting that each tool ' +
          'needs',
      ),
    layers: z.array(layers).describe('Resolved layers, lowest precedence first'),
    digest: sha256Of('agents, skills, and servers, equal for runs with the same configuration'),
  })
  .meta({
    id: 'Resolved',
    description: 'Configuration that a run with these layers would use',
    examples: RESOLVED,
  })

const Digest = z.strictObject({
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("A run's `config_digest`, or a resolution's `digest`"),
})
const Side = z.union([Digest, ResolveInput], {
  error: 'Each side must be {digest} with 64 hex digits, or a resolution input.',
})
export const DiffInput = z
  .strictObject({
    left: Side.describe('Left side of the comparison: `{digest}`, or a resolution input'),
    right: Side.describe('Right side of the comparison: `{digest}`, or a resolution input'),
  })
  .meta({ id: 'DiffInput', description: 'Two configurations to compare', examples: DIFF_INPUTS })

export const Diff = z
  .strictObject({
    left: sha256Of('the left configuration'),
    right: sha256Of('the right configuration'),
    differences: z
      .array(
        z.strictObject({
          kind: z.enum(['agent', 'skill', 'server']).describe('Entry kind'),
          id: text('ID or name of the entry'),
          change: z
            .enum(['added', 'removed', 'changed'])
            .describe(
              'Change from left to right; `added` means that the entry exists only on the right',
            ),
          fields: z.array(z.string()).describe('Names of the fields that differ, for `changed`'),
        }),
      )
      .describe('Differences, ordered by kind and name; empty if there are none'),
  })
  .meta({
    id: 'Diff',
    description: 'Differences between two configurations, without values',
    examples: DIFFS,
  })
