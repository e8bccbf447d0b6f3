/** API keys as they are made and shown; the text of one is in the answer that made it alone. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { rangeFault } from '../../../lib/address-range.ts'
import {
  KEY_INPUTS,
  KEY_PATCHES,
  KEY_RATE_LIMITS,
  KEYS,
  KEYS_WITH_TEXT,
  ROTATIONS,
} from '../shared/examples.ts'
import {
  extending,
  GrantText,
  kindIs,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'

const name = z.string().min(1).max(100)
const scopes = z.array(GrantText).min(1).max(50)
const expiresAt = z.iso.datetime({ offset: true })
const addresses = z
  .array(
    z
      .string()
      .max(49)
      .superRefine((text, context) => {
        const message = rangeFault(text)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      }),
  )
  .min(1)
  .max(LIMITS.key_addresses)
const rate = (description: string) =>
  z.int().min(1).max(1_000_000_000).optional().describe(description)
const rates = {
  requests_per_second: rate('Requests per second; a burst is twice as many'),
  run_starts_per_minute: rate(
    'Runs per minute that requests start, including tasks of fan-outs; also the burst',
  ),
  body_bytes_per_second: rate('Bytes per second of request bodies; a burst is ten times as many'),
}
const KeyRateLimits = z.strictObject(rates).meta({
  id: 'ApiKeyRateLimits',
  description: 'Limits of a key; omitted: the defaults of the deployment',
  examples: KEY_RATE_LIMITS,
})

const ADDRESSES =
  'IPv4 and IPv6 addresses, and ranges such as `203.0.113.0/24`, that can use the key'

export const KeyInput = z
  .strictObject({
    name: name.optional().describe('For people'),
    scopes: scopes.describe(
      'At most those of the key that creates it; `runs:*` is a family, `*` all scopes',
    ),
    expires_at: expiresAt
      .optional()
      .describe('Omitted: expires with the key that creates it, or never'),
    addresses: addresses
      .optional()
      .describe(`${ADDRESSES}; omitted: those of the key that creates it`),
    rate_limits: KeyRateLimits.optional().describe(
      'At most those of the key that creates it and of the tenant; omitted: those of the ' +
        'key that creates it',
    ),
  })
  .meta({ id: 'ApiKeyInput', description: 'An API key to create', examples: KEY_INPUTS })

export const KeyPatch = z
  .strictObject({
    name: name.nullable().optional().describe('For people; null: none'),
    scopes: scopes.optional().describe('At most those of the key that makes the change'),
    expires_at: expiresAt.nullable().optional().describe('Null: it never expires'),
    addresses: addresses.nullable().optional().describe(`${ADDRESSES}; null: all`),
    rate_limits: KeyRateLimits.nullable()
      .optional()
      .describe('At most those of the tenant; null: the defaults of the deployment'),
  })
  .meta({
    id: 'ApiKeyPatch',
    description: 'Changes of a key; omitted members are unchanged',
    examples: KEY_PATCHES,
  })

export const KeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(LIMITS.key_overlap_seconds)
      .default(86_400)
      .describe('Seconds for which the previous key remains valid, unless it expires earlier'),
  })
  .meta({ id: 'ApiKeyRotation', description: 'How to rotate a key', examples: ROTATIONS })

const KeyBase = z
  .strictObject({
    id: text('ID of the key: the 16 characters after `strata_` in its text, as in the audit log'),
    object: kindIs('api_key'),
    name: textOrNull('For people; null: none'),
    scopes: z.array(z.string()).describe('The granted scopes'),
    current: z.boolean().describe('Whether it is the key of this request'),
    expired: z.boolean().describe('Whether it has expired'),
    expires_at: timeOrNull('Expiry', 'it never expires'),
    created_at: time('Time of the change'),
    last_used_at: timeOrNull('Hour of its last use', 'it was not used yet'),
    addresses: z
      .array(z.string())
      .nullable()
      .describe('Addresses and ranges that can use it; null: all'),
    rate_limits: KeyRateLimits.nullable().describe(
      'Its own limits; null: the defaults of the deployment',
    ),
  })
  .meta({ id: 'ApiKeyBase', description: 'Members of every response about a key' })

export const Key = KeyBase.extend({}).meta({
  id: 'ApiKey',
  ...extending(KeyBase),
  description: 'An API key of the tenant',
  examples: KEYS,
})
export const KeyWithText = KeyBase.extend({
  key: textOrNull(
    'Text of the key, shown once; null: an earlier response to this request showed it',
  ),
}).meta({
  id: 'ApiKeyWithText',
  ...extending(KeyBase),
  description: 'A created API key',
  examples: KEYS_WITH_TEXT,
})
