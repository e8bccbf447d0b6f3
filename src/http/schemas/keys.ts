/** API keys as they are made and shown; the text of one is in the answer that made it alone. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { GRANTS, PREFIXED, prefixFault } from '../../core/scopes.ts'
import { rangeFault } from '../../lib/address.ts'
import { KEY_INPUTS, KEYS, KEYS_WITH_TEXT, ROTATIONS } from '../examples/keys.ts'
import { kindIs, text, textOrNull, time, timeOrNull } from './words.ts'

const Prefixed = z
  .string()
  .max(600)
  .regex(
    PREFIXED,
    `is none of ${GRANTS.join(', ')}, nor layers:read:<prefix> or layers:write:<prefix>`,
  )
  .superRefine((scope, context) => {
    const fault = prefixFault(scope)
    if (fault !== undefined) context.addIssue(`${scope}: ${fault}`)
  })
  .describe(
    'A scope of one prefix of files, which ends with a slash: resources of layers and files',
  )

const Address = z
  .string()
  .max(49)
  .superRefine((text, context) => {
    const fault = rangeFault(text)
    if (fault !== undefined) context.addIssue(`${text}: ${fault}`)
  })
  .describe('An IPv4 or IPv6 address, or a range: `203.0.113.0/24`')

export const KeyInput = z
  .strictObject({
    name: z.string().min(1).max(100).optional().describe('For people'),
    scopes: z
      .array(z.union([z.enum(GRANTS), Prefixed]))
      .min(1)
      .max(50)
      .describe(
        'At most those of the key that makes it; `runs:*` is a family, `*` all. ' +
          '`layers:write:roles/support/` counts below that prefix of files only',
      ),
    allowed_addresses: z
      .array(Address)
      .min(1)
      .max(LIMITS.key_addresses)
      .optional()
      .describe(
        'It counts from these alone. Omitted: from those of the key that makes it, or from all',
      ),
    expires_at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'No later than the key that makes it expires. Omitted: with that one, or never where ' +
          'that one does not expire',
      ),
  })
  .meta({ id: 'ApiKeyInput', description: 'A key to be made', examples: KEY_INPUTS })

export const KeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(LIMITS.key_overlap_seconds)
      .default(86_400)
      .describe('For so long the old key goes on, unless it ends before'),
  })
  .meta({ id: 'ApiKeyRotation', description: 'How a key is replaced', examples: ROTATIONS })

const shape = {
  id: text('The key: the 16 characters behind `strata_` in its text; the audit names it so'),
  object: kindIs('api_key'),
  name: textOrNull('For people; null: none was given'),
  scopes: z.array(z.string()).describe('The granted scopes'),
  allowed_addresses: z
    .array(z.string())
    .nullable()
    .describe('Requests with it come from these addresses or are refused; null: from anywhere'),
  current: z.boolean().describe('Whether this request came with it'),
  expired: z.boolean().describe('Whether it is over, and refused'),
  expires_at: timeOrNull('Until then it counts', 'it does not expire'),
  last_used_at: timeOrNull(
    'When it was last used: to the minute, and written once an hour, so up to an hour behind',
    'it was not used yet',
  ),
  created_at: time('When it was made'),
}
export const Key = z.strictObject(shape).meta({
  id: 'ApiKey',
  description: 'A key of the tenant',
  examples: KEYS,
})
export const KeyWithText = z
  .strictObject({
    ...shape,
    key: textOrNull('Its text, shown once; null: an earlier answer to this request has shown it'),
  })
  .meta({
    id: 'ApiKeyWithText',
    description: 'A key that was just made',
    examples: KEYS_WITH_TEXT,
  })
