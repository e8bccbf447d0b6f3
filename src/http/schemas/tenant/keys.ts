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
const rate = (what: string) => z.int().min(1).max(1_000_000_000).optional().describe(what)
const rates = {
  requests_per_second: rate('Requests; a burst is twice as many'),
  run_starts_per_minute: rate('Runs that requests start, tasks of fan-outs too; also the burst'),
  body_bytes_per_second: rate('Bytes of bodies of requests; a burst is ten times as many'),
}
const KeyRateLimits = z.strictObject(rates).meta({
  id: 'ApiKeyRateLimits',
  description: 'Limits of a key; omitted: those of the deployment for each key',
  examples: KEY_RATE_LIMITS,
})

const ADDRESSES =
  'IPv4 and IPv6 addresses, and ranges such as `203.0.113.0/24`, from which it is accepted'

export const KeyInput = z
  .strictObject({
    name: name.optional().describe('For people'),
    scopes: scopes.describe(
      'At most those of the key that makes it; `runs:*` is a family, `*` all',
    ),
    expires_at: expiresAt.optional().describe('Omitted: with its maker, or never'),
    addresses: addresses.optional().describe(`${ADDRESSES}; omitted: those of its maker`),
    rate_limits: KeyRateLimits.optional().describe(
      'At most those of its maker and its tenant; omitted: those of its maker',
    ),
  })
  .meta({ id: 'ApiKeyInput', description: 'A key to be made', examples: KEY_INPUTS })

export const KeyPatch = z
  .strictObject({
    name: name.nullable().optional().describe('For people; null: none'),
    scopes: scopes.optional().describe('At most those of the key that changes it'),
    expires_at: expiresAt.nullable().optional().describe('Null: it does not expire'),
    addresses: addresses.nullable().optional().describe(`${ADDRESSES}; null: all`),
    rate_limits: KeyRateLimits.nullable()
      .optional()
      .describe('At most those of the tenant; null: those of the deployment for each key'),
  })
  .meta({
    id: 'ApiKeyPatch',
    description: 'Changes of a key; omitted: stays',
    examples: KEY_PATCHES,
  })

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

const KeyBase = z
  .strictObject({
    id: text('The key: the 16 characters behind `strata_` in its text; the audit names it so'),
    object: kindIs('api_key'),
    name: textOrNull('For people; null: none was given'),
    scopes: z.array(z.string()).describe('The granted scopes'),
    current: z.boolean().describe('Whether this request came with it'),
    expired: z.boolean().describe('Whether it is over, and refused'),
    expires_at: timeOrNull('Until then it counts', 'it does not expire'),
    created_at: time('When it was made'),
    last_used_at: timeOrNull('The hour of its last use', 'it was not used yet'),
    addresses: z
      .array(z.string())
      .nullable()
      .describe('Addresses and ranges from which it is accepted; null: all'),
    rate_limits: KeyRateLimits.nullable().describe('Its own limits; null: those of the deployment'),
  })
  .meta({ id: 'ApiKeyBase', description: 'Members of every answer about a key' })

export const Key = KeyBase.extend({}).meta({
  id: 'ApiKey',
  ...extending(KeyBase),
  description: 'A key of the tenant',
  examples: KEYS,
})
export const KeyWithText = KeyBase.extend({
  key: textOrNull('Its text, shown once; null: an earlier answer to this request has shown it'),
}).meta({
  id: 'ApiKeyWithText',
  ...extending(KeyBase),
  description: 'A key that was just made',
  examples: KEYS_WITH_TEXT,
})
