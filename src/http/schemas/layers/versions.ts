/** Schemas of versions of managed resources, and of the audit entries for every change. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { REQUEST_CHANNELS } from '../../../ports/world.ts'
import { pageQuery } from '../shared/common.ts'
import { AUDIT, COMPARED, VERSIONS, VERSIONS_WITH_FILES } from '../shared/examples.ts'
import {
  count,
  createdFilter,
  extending,
  idAbsent,
  idOf,
  layer,
  oneOrMore,
  sha256Of,
  text,
  textOrNull,
  time,
} from '../shared/words.ts'

const files = (words: string) =>
  z
    .array(
      z.strictObject({
        path: text('Path relative to the layer'),
        digest: sha256Of("the file's bytes"),
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
    version: idOf('ver', 'ID of the version'),
    number: z.int().describe('Version number, which increases with each version'),
    kind: z
      .enum(['skill', 'agent', 'server', 'memory', 'endpoint', 'hook'])
      .describe('Kind of versioned resource'),
    layer: layer('Layer that contains the resource'),
    name: text('Name of the skill, agent, or server'),
    action: z
      .enum(VERSIONED_ACTIONS)
      .describe(
        'Change that created this version; `found` marks content written by other means and ' +
          'recorded before being overwritten',
      ),
    by: z
      .string()
      .describe('Author of the change: an API key or a run; `unknown` if the content was found'),
    created_at: time('Time of the change'),
    files: files('Files that a rollback to this version restores; empty after a deletion'),
  })
  .meta({ id: 'VersionBase', description: 'Members common to all version responses' })

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
        path: text('Path relative to the layer'),
        digest: sha256Of("the file's bytes"),
        size: count('Size in bytes'),
        text: z
          .string()
          .nullable()
          .describe(
            'Text of the file; for a server, JSON with values hidden. `null` if the content is ' +
              'not UTF-8 text',
          ),
      }),
    )
    .describe('Text of each file that a rollback restores'),
}).meta({
  id: 'VersionWithFiles',
  ...extending(VersionBase),
  description: 'A version with the text of each file',
  examples: VERSIONS_WITH_FILES,
})

export const Compared = z
  .strictObject({
    version: idOf('ver', 'ID of the version'),
    with: text('Other side of the comparison: `current`, or another version'),
    files: z
      .array(
        z.strictObject({
          path: text('Path relative to the layer'),
          change: z
            .enum(['same', 'differs', 'only_here', 'only_there'])
            .describe(
              'Result of the comparison; `here` is this version, `there` is the other version',
            ),
          text: textOrNull('Text in this version; `null` if the file is absent or not UTF-8 text'),
          other_text: textOrNull(
            'Text in the other version; `null` if the file is absent or not UTF-8 text',
          ),
        }),
      )
      .describe('Files in both versions, ordered by path'),
  })
  .meta({
    id: 'Compared',
    description: 'File-by-file comparison of two versions',
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
  'tenant',
  'secret',
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
  'suspend',
  'export',
  'import',
  'read',
  'reseal',
] as const

/** Schema of the filters of the audit log; all filters must match. */
export const AuditQuery = z.strictObject({
  ...pageQuery,
  kind: oneOrMore(AUDITED).describe(
    `Kinds of changed resources to include, separated by commas: ${AUDITED.join(', ')}. Defaults ` +
      'to all kinds',
  ),
  name: z
    .string()
    .min(1)
    .max(1_024)
    .optional()
    .describe(
      'Exact name, ID, or path of the changed resource; the path of a file also selects the ' +
        'imports that wrote it',
    ),
  by: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Author of the change: ID of an API key, a token, or a run, or `system`'),
  action: oneOrMore(AUDITED_ACTIONS).describe(
    `Actions to include, separated by commas: ${AUDITED_ACTIONS.join(', ')}. Defaults to all ` +
      'actions',
  ),
  ...createdFilter,
})

/** Schema of an audit entry, which names the author and the change for every kind of resource. */
export const AuditEntry = Version.extend({
  version: idOf(
    'ver',
    'ID of the audit entry; for a skill, an agent, or a server, also the ID of the ' + 'version',
  ),
  number: count(
    'Change number, which increases with each change to the resource; 0 if changes are ' +
      'not counted',
  ),
  kind: z.enum(AUDITED).describe('Kind of changed resource'),
  layer: text('Layer that contains the resource; empty if the resource is not in a layer'),
  name: z.string().describe('Name, ID, or path of the changed resource'),
  action: z.enum(AUDITED_ACTIONS).describe('Recorded action'),
  by: z.string().describe('Author of the change: an API key, a run, or `system`'),
  created_at: time('Time of the change'),
  detail: z.string().optional().describe('Further information, such as the reason for the change'),
  files: files('Files that were written; empty if there are none'),
  address: text('Client address of the request; absent if unknown or without a request').optional(),
  via: z
    .enum(REQUEST_CHANNELS)
    .optional()
    .describe('Protocol or page by which the request arrived; absent without a request'),
  request_id: idAbsent('req', 'ID of the request', 'no request made the change'),
  credential: z
    .strictObject({
      type: z
        .enum(['key', 'token', 'browser_session', 'identity'])
        .describe('Type of the credential; `identity` is a JSON Web Token of an issuer'),
      id: text('ID of the credential'),
      issuer: text('URL of the issuer; only for an identity').optional(),
      subject: text("The issuer's name of the user; only for an identity").optional(),
    })
    .optional()
    .describe('Credential of the request; absent without a request'),
  before: z
    .string()
    .nullable()
    .optional()
    .describe(
      'SHA-256 of the resource before the change, without secrets; `null` if it did not exist, ' +
        'absent if unknown',
    ),
  after: z
    .string()
    .nullable()
    .optional()
    .describe(
      'SHA-256 of the resource after the change, without secrets; `null` if it was deleted, ' +
        'absent if unknown',
    ),
  changes: z
    .array(
      z.strictObject({
        field: text('Dotted path of the member'),
        before: textOrNull('Value before the change; `null` if absent'),
        after: textOrNull('Value after the change; `null` if absent'),
      }),
    )
    .optional()
    .describe(
      `Up to ${LIMITS.audit_changes} changed members of a small resource. Values are shortened, ` +
        'URLs are reduced to their origin, and secrets are `[redacted]`',
    ),
}).meta({
  id: 'AuditEntry',
  description: 'An audit entry that records the author, time, and content of a change',
  examples: AUDIT,
})
