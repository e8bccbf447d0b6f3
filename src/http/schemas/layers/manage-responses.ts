/**
 * Response schemas of the management routes: the contents of a layer, and the result of a write.
 */

import * as z from 'zod'
import {
  DELETED,
  LAYER_AGENTS,
  LAYER_SERVERS,
  LAYER_SKILLS,
  PROBED,
  RELOADED,
  WRITTEN_AGENTS,
  WRITTEN_SERVERS,
  WRITTEN_SKILLS,
} from '../shared/examples.ts'
import { count, etag, layer, sha256Of, text, textOrNull } from '../shared/words.ts'
import { ServerAuthorization } from './authorizations.ts'
import { Diagnostic, diagnostics, environment, fileStatus, httpHeaders } from './config.ts'

const shared = (none: string) => ({
  etag: textOrNull(`ETag for \`If-Match\`, without quotes; \`null\` if ${none}`),
  diagnostics: diagnostics('the written entry'),
})
const enabled = () => z.boolean().describe('Whether the entry is enabled')

export const LayerSkill = z
  .strictObject({
    name: text('Skill folder name'),
    enabled: enabled(),
    path: text("Key of the SKILL.md file, or of the skill's switch if the skill has no other file"),
    has_skill_md: z
      .boolean()
      .describe(
        'Whether the skill has a SKILL.md file in this layer; `false` if the layer only ' +
          'disables the skill',
      ),
    description: textOrNull(
      'Situation in which to use the skill; `null` if the skill has no readable SKILL.md',
    ),
    files: z
      .array(
        z.strictObject({
          path: text("Path relative to the skill's folder"),
          etag: etag('the file'),
          size: count('Size in bytes'),
        }),
      )
      .describe("All files in the skill's folder"),
    ...shared('the skill has no SKILL.md'),
    skill_md: text('Complete content of SKILL.md; absent in lists and if not requested').optional(),
  })
  .meta({ id: 'LayerSkill', description: 'A skill in one layer', examples: LAYER_SKILLS })
export const LayerAgent = z
  .strictObject({
    name: text('ID of the agent; for a rejected file, the file name'),
    path: text("Key of the agent's file"),
    status: fileStatus(),
    description: textOrNull("The agent's purpose; `null` if the file is rejected"),
    model: textOrNull(
      'Alias, `provider/model`, or `inherit`; `null` if the file does not specify a model',
    ),
    tools: z
      .array(z.string())
      .nullable()
      .describe(
        'Tools that the agent may call; `null` if all tools are allowed or the file is ' +
          'rejected',
      ),
    visibility: textOrNull(
      'Agent visibility: `listed`, `user-facing`, or `internal`; `null` if the file is ' +
        'rejected',
    ),
    ...shared('the file no longer exists'),
    agent_md: text('Complete content of the file; absent in lists and if not requested').optional(),
  })
  .meta({ id: 'LayerAgent', description: 'An agent in one layer', examples: LAYER_AGENTS })
export const LayerServer = z
  .looseObject({
    name: text('Name of the server; its tools are called `mcp__<name>__<tool>`'),
    enabled: enabled(),
    type: textOrNull(
      'MCP transport: stdio, http, or sse; `null` if the entry is invalid or only changes ' +
        'an inherited entry',
    ),
    path: text('Key of the configuration file'),
    ...shared('the entry has no ETag'),
    env: environment(),
    http_headers: httpHeaders(),
    authorization: ServerAuthorization.optional().describe(
      'OAuth state; absent if the server has not requested authorization',
    ),
  })
  .meta({
    id: 'LayerServer',
    description: 'An MCP server in one layer; includes additional fields as written',
    examples: LAYER_SERVERS,
  })

const change = {
  layer: layer('Layer that was written'),
  reloaded: z.boolean().describe('Whether this process cleared its caches'),
  message: text('Human-readable effects of the change'),
}
const writeResult = {
  ...change,
  created: z.boolean().describe('Whether the entry was created in this layer'),
  warnings: z
    .array(Diagnostic)
    .describe('Findings about the written file; empty if there are none'),
}
export const WrittenSkill = z
  .strictObject({ ...writeResult, skill: LayerSkill })
  .meta({ id: 'WrittenSkill', description: 'A skill after a write', examples: WRITTEN_SKILLS })
export const WrittenAgent = z
  .strictObject({ ...writeResult, agent: LayerAgent })
  .meta({ id: 'WrittenAgent', description: 'An agent after a write', examples: WRITTEN_AGENTS })
export const WrittenServer = z.strictObject({ ...writeResult, server: LayerServer }).meta({
  id: 'WrittenServer',
  description: 'An MCP server after a write',
  examples: WRITTEN_SERVERS,
})
export const Deleted = z
  .strictObject({ ...change, deleted: count('Number of deleted files or entries') })
  .meta({
    id: 'Deleted',
    description: 'Result of a deletion; a version preserves the content',
    examples: DELETED,
  })
export const Reloaded = z
  .strictObject({
    reloaded: z.boolean().describe('Whether this process cleared its caches'),
    message: text('Human-readable effects of the change'),
    config_digest: sha256Of('the configuration of the next run'),
  })
  .meta({ id: 'Reloaded', description: 'Result of a reload', examples: RELOADED })

export const Probed = z
  .strictObject({
    name: text('The server'),
    reachable: z.boolean().describe('Whether the server listed its tools'),
    protocol_version: textOrNull(
      'MCP version that the server uses; `null` if the server did not respond',
    ),
    tools: z
      .array(
        z.strictObject({
          name: text('Name of the tool on the server'),
          description: text('Tool description from the server'),
        }),
      )
      .describe("The server's tools; empty if the server has none or was unreachable"),
    findings: z
      .array(
        z.strictObject({
          tool: textOrNull(
            'Name of the tool on the server; `null` if the finding concerns the list or an ' +
              'unnamed entry',
          ),
          left_out: z
            .boolean()
            .describe(
              'Whether the tool is withheld from every run; `false` if the tool was corrected',
            ),
          message: text('Human-readable description of the finding'),
        }),
      )
      .describe(
        'Findings about the tool list, in which each tool is checked separately; empty if ' +
          'there are none',
      ),
    latency_ms: z
      .number()
      .describe('Time in milliseconds until the tools were listed or the test failed'),
    missing_secrets: z.array(z.string()).describe('Names of secrets that are not set'),
    error: textOrNull('Reason why the server was unreachable; `null` if the server was reachable'),
  })
  .meta({ id: 'Probed', description: 'Connection test result', examples: PROBED })
