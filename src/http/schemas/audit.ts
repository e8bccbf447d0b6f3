/** The audit of every change, and how it is asked for. */

import * as z from 'zod'
import { AUDIT, EXPORTED } from '../examples/versions.ts'
import { pageQuery } from './common.ts'
import { AUDITED, AUDITED_ACTIONS, Version } from './versions.ts'
import { count, idOf, sha256Of, text, time } from './words.ts'

const entry = Version.extend({
  version: idOf('ver', 'The entry, and with it the version of a skill, an agent or a server'),
  number: count('Rises with each change of the thing; 0 where nobody counts'),
  kind: z.enum(AUDITED).describe('Kind of the changed resource'),
  layer: text('The layer that it lies in; empty: it lies in none'),
  name: z.string().describe('A name, an id or a path'),
  action: z.enum(AUDITED_ACTIONS).describe('The recorded action'),
  by: z.string().describe('An API key by its id, a run or `system`'),
  created_at: time('When it was done'),
  detail: z.string().optional().describe('Such as the reason that was given'),
  address: z
    .string()
    .optional()
    .describe(
      'The client, as the host knows it (socket, CF-Connecting-IP, sourceIp), whatever ' +
        'X-Forwarded-For says; absent: no request did it',
    ),
  request_id: idOf('req', 'The request, by its X-Request-Id; absent: none did it').optional(),
  before: z
    .string()
    .optional()
    .describe('As it was: a digest, or a short value; absent: not known, or there was nothing'),
  after: z
    .string()
    .optional()
    .describe('As it is now: a digest, or a short value; absent: not known, or it is gone'),
})

export const AuditEntry = entry
  .extend({
    seq: count('The place in the chain, from 1'),
    hash: sha256Of('the hash before, and canonical JSON of `entry` and `seq`'),
  })
  .meta({
    id: 'AuditEntry',
    description: 'One recorded change: who did what, when and from where; sealed by its hash',
    examples: AUDIT,
  })

export const AuditQuery = z.strictObject({
  ...pageQuery,
  kind: z.enum(AUDITED).optional().describe('Only changes of this kind of thing'),
  name: z.string().min(1).max(1_000).optional().describe('Only of this name, id or path'),
  action: z.enum(AUDITED_ACTIONS).optional().describe('Only this action'),
  by: z.string().min(1).max(100).optional().describe('Only by this key, this run or `system`'),
  since: z.iso.datetime({ offset: true }).optional().describe('Only what was done then or later'),
  until: z.iso.datetime({ offset: true }).optional().describe('Only what was done before'),
})

const place = {
  seq: count('The place in the chain'),
  hash: sha256Of('the hash before, and canonical JSON of `entry` and `seq`'),
}
const is = <T extends string>(kind: T, words: string) => z.literal(kind).describe(words)

/** A line of the export. */
export const AuditLine = z
  .discriminatedUnion('object', [
    z.strictObject({
      object: is('audit_chain', 'The first line'),
      anchor: z
        .strictObject(place)
        .describe(
          'The place before the first link; its hash is 64 zeros where nothing was dropped',
        ),
      exported_at: time('When it was exported'),
    }),
    z.strictObject({
      object: is('audit_link', 'A sealed entry, oldest first'),
      ...place,
      entry: z.looseObject({}).describe('As it was written'),
    }),
    z.strictObject({
      object: is('audit_row', 'An entry where it was first written, beside its change'),
      version: idOf('ver', 'The entry'),
      created_at: time('When it was done'),
      digest: sha256Of('its canonical JSON'),
    }),
    z.strictObject({
      object: is('audit_head', 'The last line'),
      ...place,
      links: count('How many links came'),
      rows: count('How many rows came'),
    }),
  ])
  .meta({
    id: 'AuditLine',
    description: 'A line of an export; `strata audit verify` recomputes its hashes',
    examples: EXPORTED,
  })
