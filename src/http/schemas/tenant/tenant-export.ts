/** Schemas of the lines of a tenant's export. */

import * as z from 'zod'
import { TENANT_IMPORTS, TENANT_LINES } from '../shared/examples.ts'
import { count, kindIs, text, time } from '../shared/words.ts'

const NAME = 1_024

const Alarm = z.strictObject({
  at: count('Time at which the partition is due, in milliseconds since 1970'),
  lane: z.enum(['main', 'subagent', 'background']).describe('Lane of the work'),
  started: z.boolean().describe('Whether the work has started'),
})
const ListEntry = z.strictObject({
  under: z.string().max(NAME).describe('Name of the list'),
  at: z.string().max(NAME).describe('Position in the list'),
  tags: z.string().max(NAME).optional().describe('Tags by which filters find the row'),
})

/** Line of an export, distinguished by `object`. */
export const TenantLine = z
  .discriminatedUnion('object', [
    z
      .strictObject({
        object: kindIs('tenant_export'),
        format: count('Version of the format'),
        tenant: text('ID of the tenant'),
        exported_at: time('Time at which the export began'),
      })
      .describe('First line'),
    z
      .strictObject({
        object: kindIs('tenant_row'),
        partition: z.string().max(NAME).describe('Name of the partition'),
        key: z.string().max(NAME).describe('Key of the row in its partition'),
        version: z.int().min(1).describe('Version of the row, which increases with each write'),
        body: z
          .string()
          .max(131_072)
          .describe('Stored body: JSON of this release, with sealed secrets and hashed keys'),
        alarm: Alarm.optional().describe('Time at which the row makes its partition due'),
        listed: ListEntry.optional().describe('List that contains the row'),
        expiresAt: count(
          'Time after which the row may be deleted, in milliseconds since 1970',
        ).optional(),
      })
      .describe('Row of the store'),
    z
      .strictObject({
        object: kindIs('tenant_object'),
        key: z
          .string()
          .max(4 * NAME)
          .describe('Key of the object in the bucket'),
        size: count('Size of the object, in bytes'),
        body: z.base64().describe('Bytes of the object, in base64'),
      })
      .describe('File, or message body that a row names'),
    z
      .strictObject({
        object: kindIs('tenant_export_end'),
        rows: count('Number of exported rows'),
        objects: count('Number of exported objects'),
        left: z
          .array(z.string())
          .describe('Sentences about data that the export lacks; empty if it is complete'),
      })
      .describe('Last line'),
  ])
  .meta({ id: 'TenantLine', description: 'A line of an export', examples: TENANT_LINES })

export const TenantImport = z
  .strictObject({
    object: kindIs('tenant_import'),
    tenant: text('ID of the tenant'),
    rows: count('Number of imported rows'),
    objects: count('Number of imported objects'),
  })
  .meta({ id: 'TenantImport', description: 'Result of an import', examples: TENANT_IMPORTS })
