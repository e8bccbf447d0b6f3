/** Versions of managed resources, and the audit of every change. */

import * as z from 'zod'
import { AUDIT, COMPARED, VERSIONS, VERSIONS_WITH_FILES } from '../shared/examples.ts'
import { count, extending, idOf, layer, sha256Of, text, textOrNull, time } from '../shared/words.ts'

const files = (words: string) =>
  z
    .array(
      z.strictObject({ path: text('Below the layer'), digest: sha256Of('the bytes of the file') }),
    )
    .describe(words)

const VERSIONED_ACTIONS = [
  'found',
  'put',
  'delete',
  'enable',
  'disable',
  'rollback',
  'create',
  'update',
  'rotate',
  'refuse',
] as const

const VersionBase = z
  .strictObject({
    version: idOf('ver', 'The version'),
    number: z.int().describe('Rises with each version'),
    kind: z
      .enum(['skill', 'agent', 'server', 'memory', 'endpoint', 'hook'])
      .describe('Kind of the versioned resource'),
    layer: layer('The layer that it lies in'),
    name: text('The skill, the agent or the server, by name'),
    action: z
      .enum(VERSIONED_ACTIONS)
      .describe(
        'The change that made this version. `found`: content written by other ' +
          'means, recorded before it was overwritten',
      ),
    by: z.string().describe('An API key or a run; `unknown` where it was found'),
    created_at: time('When it was made'),
    files: files('Files that a rollback to this version restores; empty after a delete'),
  })
  .meta({ id: 'VersionBase', description: 'Members of every answer about a version' })

export const Version = VersionBase.extend({}).meta({
  id: 'Version',
  ...extending(VersionBase),
  description: 'One state of a skill, an agent or an MCP server',
  examples: VERSIONS,
})

export const VersionWithFiles = VersionBase.extend({
  contents: z
    .array(
      z.strictObject({
        path: text('Below the layer'),
        digest: sha256Of('the bytes of the file'),
        size: count('Size in bytes'),
        text: z
          .string()
          .nullable()
          .describe('Null: no UTF-8 text. Of a server: JSON, values hidden'),
      }),
    )
    .describe('The text of each file that a rollback restores'),
}).meta({
  id: 'VersionWithFiles',
  ...extending(VersionBase),
  description: 'A version with its texts',
  examples: VERSIONS_WITH_FILES,
})

export const Compared = z
  .strictObject({
    version: idOf('ver', 'The version'),
    with: text('The other side of the comparison: `current`, or another version'),
    files: z
      .array(
        z.strictObject({
          path: text('Below the layer'),
          change: z
            .enum(['same', 'differs', 'only_here', 'only_there'])
            .describe('Here is the version, there what it is compared with'),
          text: textOrNull('As the version has it; null: not at all, or no UTF-8 text'),
          other_text: textOrNull('As the other has it; null: not at all, or no UTF-8 text'),
        }),
      )
      .describe('Each file of the one or the other, by path'),
  })
  .meta({
    id: 'Compared',
    description: 'Comparison of a version, file by file',
    examples: COMPARED,
  })

const AUDITED = [
  'skill',
  'agent',
  'server',
  'endpoint',
  'hook',
  'policy',
  'file',
  'memory',
  'approval',
  'run',
  'fanout',
  'session',
  'schedule',
  'delivery',
  'authorization',
  'key',
  'browser_session',
  'sign_in_link',
  'token',
] as const
const AUDITED_ACTIONS = [
  ...VERSIONED_ACTIONS,
  'approve',
  'deny',
  'cancel',
  'cancel_children',
  'retry',
  'pause',
  'resume',
  'run',
  'replay',
  'authorize',
  'refresh_failed',
  'forget',
  'fork',
] as const

/** The audit's entry: author and change, for every kind of thing. */
export const AuditEntry = Version.extend({
  version: idOf('ver', 'The entry, and with it the version of a skill, an agent or a server'),
  number: count('Rises with each change of the thing; 0 where nobody counts'),
  kind: z.enum(AUDITED).describe('Kind of the changed resource'),
  layer: text('The layer that it lies in; empty: it lies in none'),
  name: z.string().describe('A name, an id or a path'),
  action: z.enum(AUDITED_ACTIONS).describe('The recorded action'),
  by: z.string().describe('An API key, a run or `system`'),
  created_at: time('When it was done'),
  detail: z.string().optional().describe('Such as the reason that was given'),
  files: files('Files that were written; empty: none'),
}).meta({
  id: 'AuditEntry',
  description: 'One recorded change: who did what, and when',
  examples: AUDIT,
})
