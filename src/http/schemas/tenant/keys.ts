/** Schemas of API keys; a key's text is returned only when the key is created. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { KEY_QUOTAS } from '../../../core/tenant-quotas.ts'
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
import { quotaChanges, quotaMembers } from './tenants.ts'

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
  requests_per_second: rate('Maximum number of requests per second; bursts may be twice as large'),
  run_starts_per_minute: rate(
    'Maximum number of runs per minute that requests start, including fan-out tasks; also ' +
      'the maximum burst',
  ),
  body_bytes_per_second: rate(
    'Maximum number of request body bytes per second; bursts may be ten times as large',
  ),
}
const KeyRateLimits = z.strictObject(rates).meta({
  id: 'ApiKeyRateLimits',
  description: "Rate limits for a key; omitted limits use the deployment's defaults",
  examples: KEY_RATE_LIMITS,
})

const KeyQuotas = z.strictObject(quotaMembers(KEY_QUOTAS)).meta({
  id: 'ApiKeyQuotas',
  description: 'Quotas of the runs that a key starts, with their subagents, and of its resources',
})
const KeyQuotasChange = z
  .strictObject(quotaChanges(KEY_QUOTAS))
  .meta({ id: 'ApiKeyQuotasChange', description: 'Quotas of a key to set or remove' })

const ADDRESSES =
  'IPv4 and IPv6 addresses and ranges, such as `203.0.113.0/24`, from which the key can ' +
  'be used'

export const KeyInput = z
  .strictObject({
    name: name.optional().describe('Description for people'),
    scopes: scopes.describe(
      "The key's scopes, limited to the scopes of the key that creates it; `runs:*` is a " +
        'family, `*` is all scopes',
    ),
    expires_at: expiresAt
      .optional()
      .describe(
        'Expiration time; if omitted, the key expires together with the key that creates it, ' +
          'or never',
      ),
    addresses: addresses
      .optional()
      .describe(`${ADDRESSES}; if omitted, the creating key's addresses`),
    rate_limits: KeyRateLimits.optional().describe(
      'Rate limits for the key; by default and at most those of the creating key',
    ),
    quotas: KeyQuotas.optional().describe(
      'Quotas for the key; by default and at most those of the creating key',
    ),
  })
  .meta({ id: 'ApiKeyInput', description: 'An API key to create', examples: KEY_INPUTS })

export const KeyPatch = z
  .strictObject({
    name: name
      .nullable()
      .optional()
      .describe('Human-readable name or description; `null` if not set'),
    scopes: scopes
      .optional()
      .describe("The key's scopes, limited to the scopes of the key that makes the change"),
    expires_at: expiresAt
      .nullable()
      .optional()
      .describe('Expiration time; `null` if the key never expires'),
    addresses: addresses.nullable().optional().describe(`${ADDRESSES}; \`null\` for all addresses`),
    rate_limits: KeyRateLimits.nullable()
      .optional()
      .describe("Rate limits for the key; `null` for the deployment's defaults"),
    quotas: KeyQuotasChange.nullable()
      .optional()
      .describe('Quotas to set or remove for the next runs; `null` removes all'),
  })
  .meta({
    id: 'ApiKeyPatch',
    description: 'Changes to a key; omitted members are unchanged',
    examples: KEY_PATCHES,
  })

export const KeyRotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(LIMITS.key_overlap_seconds)
      .default(86_400)
      .describe(
        'Time in seconds for which the previous key remains valid, unless it expires earlier',
      ),
  })
  .meta({
    id: 'ApiKeyRotation',
    description: 'Key rotation options',
    examples: ROTATIONS,
  })

const KeyBase = z
  .strictObject({
    id: text(
      "ID of the key, as in the audit log: the 16 characters after `strata_` in the key's " +
        'text',
    ),
    object: kindIs('api_key'),
    name: textOrNull('Human-readable name or description; `null` if not set'),
    scopes: z.array(z.string()).describe("The key's scopes"),
    current: z.boolean().describe('Whether this is the key of the current request'),
    expired: z.boolean().describe('Whether the key has expired'),
    expires_at: timeOrNull('Expiration time', 'the key never expires'),
    created_at: time('Time of creation'),
    last_used_at: timeOrNull(
      'Time at which the key was last used, rounded to the hour',
      'the key has not been used',
    ),
    addresses: z
      .array(z.string())
      .nullable()
      .describe('Addresses and ranges that can use the key; `null` if all addresses can'),
    rate_limits: KeyRateLimits.nullable().describe(
      "Rate limits for the key; `null` for the deployment's defaults",
    ),
    quotas: KeyQuotas.nullable().describe('Quotas for the key; `null` if it has none'),
  })
  .meta({ id: 'ApiKeyBase', description: 'Members common to all key responses' })

export const Key = KeyBase.extend({}).meta({
  id: 'ApiKey',
  ...extending(KeyBase),
  description: 'An API key that belongs to the tenant',
  examples: KEYS,
})
export const KeyWithText = KeyBase.extend({
  key: textOrNull(
    "The key's text, returned only once; `null` if an earlier response to this request " +
      'included it',
  ),
}).meta({
  id: 'ApiKeyWithText',
  ...extending(KeyBase),
  description: 'The new API key',
  examples: KEYS_WITH_TEXT,
})
