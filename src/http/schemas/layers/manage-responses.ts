/** Answers of the management routes: the contents of a layer, and the result of a write. */

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
  etag: textOrNull(`ETag for \`If-Match\`, without quotes; null: ${none}`),
  diagnostics: diagnostics('what is written there'),
})
const enabled = () => z.boolean().describe('Whether it is enabled')

export const LayerSkill = z
  .strictObject({
    name: text('Name of its folder'),
    enabled: enabled(),
    path: text('Key of its SKILL.md, or of its switch when it has no other file'),
    has_skill_md: z.boolean().describe('False: the layer only disables it'),
    description: textOrNull('When to use it; null: it has no readable SKILL.md'),
    files: z
      .array(
        z.strictObject({
          path: text('Path below the folder of the skill'),
          etag: etag('the file'),
          size: count('Size in bytes'),
        }),
      )
      .describe('All files of its folder'),
    ...shared('there is no SKILL.md'),
    skill_md: text('Complete SKILL.md; absent in lists and when it was not requested').optional(),
  })
  .meta({ id: 'LayerSkill', description: 'A skill in one layer', examples: LAYER_SKILLS })
export const LayerAgent = z
  .strictObject({
    name: text('ID of the agent; for a rejected file, the name of the file'),
    path: text('Key of its file'),
    status: fileStatus(),
    description: textOrNull('Purpose of the agent; null: the file is rejected'),
    model: textOrNull('An alias, `provider/model`, or `inherit`; null: the file names none'),
    tools: z
      .array(z.string())
      .nullable()
      .describe('Tools that it may call; null: all tools, or the file is rejected'),
    visibility: textOrNull('`listed`, `user-facing`, or `internal`; null: the file is rejected'),
    ...shared('the file is not there any more'),
    agent_md: text('Complete file; absent in lists and when it was not requested').optional(),
  })
  .meta({ id: 'LayerAgent', description: 'An agent in one layer', examples: LAYER_AGENTS })
export const LayerServer = z
  .looseObject({
    name: text('Name of the server; its tools are called `mcp__<name>__<tool>`'),
    enabled: enabled(),
    type: textOrNull(
      'stdio, http, or sse; null: the entry only amends an inherited one, or is invalid',
    ),
    path: text('Key of the configuration file'),
    ...shared('the entry has none'),
    env: environment(),
    http_headers: httpHeaders(),
    authorization: ServerAuthorization.optional().describe(
      'State of OAuth; absent: it has not requested any',
    ),
  })
  .meta({
    id: 'LayerServer',
    description: 'An MCP server in one layer, with further fields as written',
    examples: LAYER_SERVERS,
  })

const change = {
  layer: layer('The layer that was written'),
  reloaded: z.boolean().describe('Whether the caches of this process were dropped'),
  message: text('Consequences, for people'),
}
const writeResult = {
  ...change,
  created: z.boolean().describe('Whether it was created in this layer'),
  warnings: z.array(Diagnostic).describe('Findings about the written file; empty: none'),
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
    description: 'Result of a deletion; a version keeps the content',
    examples: DELETED,
  })
export const Reloaded = z
  .strictObject({
    reloaded: z.boolean().describe('Whether the caches of this process were dropped'),
    message: text('Consequences, for people'),
    config_digest: sha256Of('the configuration of the next run'),
  })
  .meta({ id: 'Reloaded', description: 'Result of a reload', examples: RELOADED })

export const Probed = z
  .strictObject({
    name: text('The server'),
    reachable: z.boolean().describe('Whether the server listed its tools'),
    protocol_version: textOrNull('MCP version of the server; null: it did not respond'),
    tools: z
      .array(
        z.strictObject({
          name: text('Name at the server'),
          description: text('Description from the server'),
        }),
      )
      .describe('Its tools; empty: it has none, or was unreachable'),
    findings: z
      .array(
        z.strictObject({
          tool: textOrNull('Name at the server; null: the list, or an entry without a name'),
          left_out: z.boolean().describe('True: no run gets the tool. False: it was corrected'),
          message: text('The finding, for people'),
        }),
      )
      .describe('Findings about the list; each tool is checked separately. Empty: none'),
    latency_ms: z
      .number()
      .describe('Milliseconds until the tools were listed, or until the failure'),
    missing_secrets: z.array(z.string()).describe('Names of secrets that are not set'),
    error: textOrNull('Why it was unreachable; null: it was reachable'),
  })
  .meta({ id: 'Probed', description: 'Result of a connection test', examples: PROBED })
