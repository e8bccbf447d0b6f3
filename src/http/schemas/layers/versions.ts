/** Versions of managed resources, and the audit of every change. */

import * as z from 'zod'
import { AUDIT, COMPARED, VERSIONS, VERSIONS_WITH_FILES } from '../shared/examples.ts'
import { count, extending, idOf, layer, sha256Of, text, textOrNull, time } from '../shared/words.ts'

const files = (words: string) =>
  z
    .array(
      z.strictObject({
        path: text('Path below the layer'),
        digest: sha256Of('the bytes of the file'),
      }),
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
    number: z.int().describe('Increases with each version'),
    kind: z
      .enum(['skill', 'agent', 'server', 'memory', 'endpoint', 'hook'])
      .describe('Kind of the versioned resource'),
    layer: layer('The layer of the resource'),
    name: text('Name of the skill, agent, or server'),
    action: z
      .enum(VERSIONED_ACTIONS)
      .describe(
        'The change that created this version. `found`: content that was written by other ' +
          'means, recorded before it was overwritten',
      ),
    by: z.string().describe('An API key or a run; `unknown` where the content was found'),
    created_at: time('Time of the change'),
    files: files('Files that a rollback to this version restores; empty after a deletion'),
  })
  .meta({ id: 'VersionBase', description: 'Members of every response about a version' })

export const Version = VersionBase.extend({}).meta({
  id: 'Version',
  ...extending(VersionBase),
  description: 'One state of a skill, an agent, or an MCP server',
  examples: VERSIONS,
})

export const VersionWithFiles = VersionBase.extend({
  contents: z
    .array(
      z.strictObject({
        path: text('Path below the layer'),
        digest: sha256Of('the bytes of the file'),
        size: count('Size in bytes'),
        text: z
          .string()
          .nullable()
          .describe('Null: not UTF-8 text. For a server: JSON, with values hidden'),
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
          path: text('Path below the layer'),
          change: z
            .enum(['same', 'differs', 'only_here', 'only_there'])
            .describe('`here` is this version, `there` the one that it is compared with'),
          text: textOrNull('Text in this version; null: absent, or not UTF-8 text'),
          other_text: textOrNull('Text in the other version; null: absent, or not UTF-8 text'),
        }),
      )
      .describe('Every file of either version, by path'),
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
  version: idOf('ver', 'The audit entry; for a skill, an agent, or a server, with its version'),
  number: count('Increases with each change of the resource; 0 where changes are not counted'),
  kind: z.enum(AUDITED).describe('Kind of the changed resource'),
  layer: text('The layer of the resource; empty: none'),
  name: z.string().describe('A name, an ID, or a path'),
  action: z.enum(AUDITED_ACTIONS).describe('The recorded action'),
  by: z.string().describe('An API key, a run, or `system`'),
  created_at: time('Time of the change'),
  detail: z.string().optional().describe('Further information, such as the given reason'),
  files: files('Files that were written; empty: none'),
}).meta({
  id: 'AuditEntry',
  description: 'An audit entry: who changed what, and when',
  examples: AUDIT,
})
