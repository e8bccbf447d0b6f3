/** Tenants as their operator makes and sees them. */

import * as z from 'zod'
import {
  TENANT_CHANGES,
  TENANT_INPUTS,
  TENANT_LINES,
  TENANTS,
  TENANTS_WITH_KEY,
} from '../examples/tenants.ts'
import { TenantLimitsInput, TenantLimitsShown } from './tenant-limits.ts'
import { count, kindIs, text, textOrNull, time, timeOrNull } from './words.ts'

export const TENANT_ID = /^[a-z][a-z0-9-]{1,30}$/

const Name = z.string().min(1).max(100)

export const TenantInput = z
  .strictObject({
    id: z
      .string()
      .regex(TENANT_ID)
      .describe('In front of all that is its own; never changed, and used once'),
    name: Name.optional().describe('For people'),
    limits: TenantLimitsInput.optional().describe('Of its own; absent: none'),
    encrypted: z
      .boolean()
      .optional()
      .describe(
        'true: its rows and objects are encrypted under a data key of its own, which its ' +
          'deletion destroys first. Names, ids, tags and times stay readable to who runs the ' +
          'storage. Never changed; absent: as the deployment is set (`ENCRYPT_TENANTS`)',
      ),
  })
  .meta({ id: 'TenantInput', description: 'A tenant to be made', examples: TENANT_INPUTS })

export const TenantChange = z
  .strictObject({
    suspended: z
      .boolean()
      .optional()
      .describe(
        'true: its keys and hooks are refused (`tenant_suspended`) and nothing new begins: queued ' +
          'runs, schedules and deliveries wait, runs under way finish the calls that they have ' +
          'begun and then wait. Time limits of runs go on. false: all of it goes on',
      ),
    name: Name.nullable().optional().describe('For people; null: none'),
    limits: TenantLimitsInput.nullable().optional().describe('Of its own; null: no more'),
  })
  .meta({
    id: 'TenantChange',
    description: 'A change of a tenant. In other processes it counts from 30 seconds later on',
    examples: TENANT_CHANGES,
  })

const Deletion = z
  .strictObject({
    began_at: time('When it was ordered'),
    ended_at: timeOrNull('When nothing was left', 'it goes on'),
    rows: count(
      'Partitions of rows that are gone: runs, sessions, keys and so on; at least so many',
    ),
    objects: count('Files and bodies that are gone; at least so many'),
    left: z
      .array(z.string())
      .describe('Sentences: what this host cannot list, and how it ends; empty: nothing'),
  })
  .meta({ id: 'TenantDeletion', description: 'How far the deletion of a tenant has come' })

const shape = {
  id: text('The tenant'),
  object: kindIs('tenant'),
  name: textOrNull('For people; null: none was given'),
  status: z
    .enum(['active', 'suspended', 'deleting', 'deleted'])
    .describe('Whether it is at work. `deleted` stays for ever: its id is not used again'),
  limits: TenantLimitsShown.describe('Of its own, set by its operator'),
  encrypted: z
    .boolean()
    .describe('Whether its rows and objects are encrypted under a data key of its own'),
  deletion: Deletion.nullable().describe('How far its deletion has come; null: none was ordered'),
  created_at: time('When it was made'),
  updated_at: time('When it last changed'),
}
export const Tenant = z.strictObject(shape).meta({
  id: 'Tenant',
  description: 'A tenant of the deployment',
  examples: TENANTS,
})

export const TenantWithKey = z
  .strictObject({
    ...shape,
    key: z
      .strictObject({
        id: text('The key, as the tenant sees it in its own list'),
        text: textOrNull('Its text, shown once; null: an earlier answer has shown it'),
      })
      .describe('Its first key, with all scopes of the tenant'),
  })
  .meta({
    id: 'TenantWithKey',
    description: 'A tenant that was just made',
    examples: TENANTS_WITH_KEY,
  })

const is = <T extends string>(kind: T, words: string) => z.literal(kind).describe(words)

/** A line of an export. */
export const TenantLine = z
  .discriminatedUnion('object', [
    z.strictObject({
      object: is('tenant_export', 'The first line'),
      tenant: text('Whose rows and objects follow, by its id'),
      exported_at: time('When it began'),
    }),
    z.strictObject({
      object: is('tenant_row', 'A row of the store'),
      partition: text('Where it lies'),
      key: text('Its key there'),
      version: count('Rises with each write of the row'),
      body: text('As it is stored: JSON of this release, secrets in it sealed'),
    }),
    z.strictObject({
      object: is('tenant_object', 'A file, or a body that a row names'),
      key: text('Its key in the bucket'),
      size: count('Bytes of its body'),
      modified_at: time('When it was last written'),
      body: text('Its bytes in base64'),
    }),
    z.strictObject({
      object: is('tenant_export_end', 'The last line'),
      rows: count('How many rows came'),
      objects: count('How many objects came'),
      left: z
        .array(z.string())
        .describe('Sentences: what is not among them, and why; empty: nothing'),
    }),
  ])
  .meta({
    id: 'TenantLine',
    description: 'A line of an export of a tenant',
    examples: TENANT_LINES,
  })
