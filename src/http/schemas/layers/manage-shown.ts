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
  etag: textOrNull(`For \`If-Match\`, without quotes; null: ${none}`),
  diagnostics: diagnostics('what is written there'),
})
const enabled = () => z.boolean().describe('Whether it is switched on')

export const LayerSkill = z
  .strictObject({
    name: text('The name of its directory'),
    enabled: enabled(),
    path: text('The key of its SKILL.md, or of its switch when there is nothing else'),
    has_skill_md: z.boolean().describe('False: the layer only switches it off'),
    description: textOrNull('When to use it; null: there is no SKILL.md that can be read'),
    files: z
      .array(
        z.strictObject({
          path: text("Below the skill's directory"),
          etag: etag('the file'),
          size: count('Size in bytes'),
        }),
      )
      .describe('All files of its directory'),
    ...shared('there is no SKILL.md'),
    skill_md: text('The whole SKILL.md; absent in lists and when it was not asked for').optional(),
  })
  .meta({ id: 'LayerSkill', description: 'A skill as one layer has it', examples: LAYER_SKILLS })
export const LayerAgent = z
  .strictObject({
    name: text('Its id; of a file that is rejected: the name of the file'),
    path: text('The key of its file'),
    status: fileStatus(),
    description: textOrNull('Purpose of the agent; null: the file is rejected'),
    model: textOrNull('An alias, `provider/model` or `inherit`; null: the file names none'),
    tools: z
      .array(z.string())
      .nullable()
      .describe('Tools that it may call; null: every tool, or the file is rejected'),
    visibility: textOrNull('`listed`, `user-facing` or `internal`; null: the file is rejected'),
    ...shared('the file is not there any more'),
    agent_md: text('The whole file; absent in lists and when it was not asked for').optional(),
  })
  .meta({ id: 'LayerAgent', description: 'An agent as one layer has it', examples: LAYER_AGENTS })
export const LayerServer = z
  .looseObject({
    name: text('Its name; tools are called `mcp__<name>__<tool>`'),
    enabled: enabled(),
    type: textOrNull(
      'stdio, http or sse; null: the entry only amends an inherited one, or is not valid',
    ),
    path: text('The key of the configuration file'),
    ...shared('the entry has none'),
    env: environment(),
    http_headers: httpHeaders(),
    authorization: ServerAuthorization.optional().describe('OAuth; absent: it has asked for none'),
  })
  .meta({
    id: 'LayerServer',
    description: 'An MCP server as one layer has it; further fields as they are written',
    examples: LAYER_SERVERS,
  })

const change = {
  layer: layer('The layer that was written'),
  reloaded: z.boolean().describe('Whether the caches of this process were dropped'),
  message: text('Consequences, for people'),
}
const written = {
  ...change,
  created: z.boolean().describe('Whether it is new in this layer'),
  warnings: z.array(Diagnostic).describe('Findings about the written file; empty: none'),
}
export const WrittenSkill = z
  .strictObject({ ...written, skill: LayerSkill })
  .meta({ id: 'WrittenSkill', description: 'A skill after a write', examples: WRITTEN_SKILLS })
export const WrittenAgent = z
  .strictObject({ ...written, agent: LayerAgent })
  .meta({ id: 'WrittenAgent', description: 'An agent after a write', examples: WRITTEN_AGENTS })
export const WrittenServer = z.strictObject({ ...written, server: LayerServer }).meta({
  id: 'WrittenServer',
  description: 'An MCP server after a write',
  examples: WRITTEN_SERVERS,
})
export const Deleted = z
  .strictObject({ ...change, deleted: count('Number of deleted files or entries') })
  .meta({
    id: 'Deleted',
    description: 'The outcome of a deletion; a version keeps the content',
    examples: DELETED,
  })
export const Reloaded = z
  .strictObject({
    reloaded: z.boolean().describe('Whether the caches of this process were dropped'),
    message: text('Consequences, for people'),
    config_digest: sha256Of('the configuration that the next run has'),
  })
  .meta({ id: 'Reloaded', description: 'The outcome of a reload', examples: RELOADED })

export const Probed = z
  .strictObject({
    name: text('The server'),
    reachable: z.boolean().describe('Whether the server listed its tools'),
    protocol_version: textOrNull('The version of MCP that it speaks; null: it did not answer'),
    tools: z
      .array(
        z.strictObject({
          name: text('Its name at the server'),
          description: text('Description given by the server'),
        }),
      )
      .describe('Its tools; empty: it has none, or was not reachable'),
    findings: z
      .array(
        z.strictObject({
          tool: textOrNull('Its name at the server; null: the list, or an entry without a name'),
          left_out: z.boolean().describe('Whether no run gets the tool; false: it was mended'),
          message: text('What is odd, for people'),
        }),
      )
      .describe('What is odd about the list: each tool is judged by itself; empty: nothing is'),
    latency_ms: z.number().describe('Milliseconds until the tools were listed, or until it failed'),
    missing_secrets: z.array(z.string()).describe('Names of secrets that are not set'),
    error: textOrNull('Why it could not be reached; null: it was'),
  })
  .meta({ id: 'Probed', description: 'The outcome of a connection test', examples: PROBED })
