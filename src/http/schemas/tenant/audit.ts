/** Schemas of the audit chain: an entry with its position, and the lines of an export. */

import * as z from 'zod'
import { AuditEntry } from '../layers/versions.ts'
import { AUDIT_LINES, AUDIT_WITH_POSITION } from '../shared/examples.ts'
import {
  count,
  countOrNull,
  extending,
  idOf,
  kindIs,
  sha256Of,
  textOrNull,
  time,
} from '../shared/words.ts'

export const AuditEntryWithPosition = AuditEntry.extend({
  seq: countOrNull('Number of the entry in the hash chain, from 1; `null` until it is sealed'),
  hash: textOrNull(
    'SHA-256 of the previous hash followed by the canonical JSON of `entry` and `seq` (64 hex ' +
      'digits); `null` until the entry is sealed',
  ),
}).meta({
  id: 'AuditEntryWithPosition',
  ...extending(AuditEntry),
  description: 'An audit entry with its position in the hash chain',
  examples: AUDIT_WITH_POSITION,
})

const position = {
  seq: count('Number of the entry in the chain'),
  hash: sha256Of('the previous hash followed by the canonical JSON of `entry` and `seq`'),
}

/** Schema of one line of an export. */
export const AuditLine = z
  .discriminatedUnion('object', [
    z.strictObject({
      object: kindIs('audit_chain'),
      anchor: z
        .strictObject(position)
        .describe('Position before the first line; its hash is 64 zeros if nothing was deleted'),
      exported_at: time('Time of the export'),
    }),
    z.strictObject({
      object: kindIs('audit_link'),
      ...position,
      entry: z.looseObject({}).describe('The entry as stored'),
    }),
    z.strictObject({
      object: kindIs('audit_row'),
      version: idOf('ver', 'ID of the entry'),
      created_at: time('Time of the change'),
      digest: sha256Of('the canonical JSON of the entry as stored with its change'),
    }),
    z.strictObject({
      object: kindIs('audit_head'),
      ...position,
      links: count('Number of sealed entries in the export'),
      rows: count('Number of stored entries in the export'),
    }),
  ])
  .meta({
    id: 'AuditLine',
    description: 'A line of the exported audit log',
    examples: AUDIT_LINES,
  })
