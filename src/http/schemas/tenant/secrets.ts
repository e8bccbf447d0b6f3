/** Schemas of secrets; no response contains a value. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { SECRET_USES } from '../../../core/secret.ts'
import { RESEALED, SECRET_INPUTS, SECRETS, SECRETS_WRITTEN } from '../shared/examples.ts'
import { count, extending, kindIs, text, textOrNull, time } from '../shared/words.ts'

const USES =
  'Permitted uses: `mcp` for MCP servers, `model` for calls to model providers, including ' +
  'embeddings, and `search` for web search'

const use = z.enum(SECRET_USES, {
  error: ({ input }) =>
    input === 'shell'
      ? 'Shells receive no secrets, because their environment is stored with the run.'
      : `Must be one of ${SECRET_USES.join(', ')}.`,
})

export const SecretInput = z
  .strictObject({
    value: z
      .string()
      .min(1)
      .max(LIMITS.secret_bytes)
      .meta({ writeOnly: true })
      .describe(`The value, at most ${LIMITS.secret_bytes} bytes; no response contains it`),
    hosts: z
      .array(z.string().min(1).max(255))
      .max(LIMITS.secret_hosts)
      .optional()
      .describe(
        'Hosts that may receive the secret: `example.com`, `*.example.com` for subdomains, or ' +
          '`stdio` for local programs',
      ),
    any_host: z
      .boolean()
      .optional()
      .describe('Whether every host may receive the secret; replaces `hosts`'),
    uses: z.array(use).min(1).max(SECRET_USES.length).default(['mcp']).describe(USES),
  })
  .meta({ id: 'SecretInput', description: 'A secret to store', examples: SECRET_INPUTS })

const SecretBase = z
  .strictObject({
    object: kindIs('secret'),
    name: text('Name of the secret, as used in the configuration of servers'),
    subject: textOrNull(
      'End user who owns the secret; `null` if it applies to all runs of the tenant',
    ),
    version: count(
      'Version of the secret, also its ETag; increases with each change of any secret of the ' +
        'owner and is never reused',
    ),
    hosts: z
      .array(z.string())
      .describe('Hosts that may receive the secret; empty if `any_host` is true'),
    any_host: z.boolean().describe('Whether every host may receive the secret'),
    uses: z.array(z.enum(SECRET_USES)).describe(USES),
    created_at: time('Time of creation'),
    updated_at: time('Time of the last change'),
  })
  .meta({ id: 'SecretBase', description: 'Members common to all secret responses' })

export const Secret = SecretBase.extend({}).meta({
  id: 'Secret',
  ...extending(SecretBase),
  description: 'A secret of the tenant, without its value',
  examples: SECRETS,
})

export const WrittenSecret = SecretBase.extend({
  warnings: z
    .array(z.string())
    .describe('Sentences about weaknesses and about keys that the secret cannot replace'),
}).meta({
  id: 'SecretWritten',
  ...extending(SecretBase),
  description: 'The written secret, without its value',
  examples: SECRETS_WRITTEN,
})

export const Resealed = z
  .strictObject({
    object: kindIs('reseal'),
    resealed: count('Number of values that are encrypted under the current master key now'),
    lost: z
      .array(z.string())
      .describe('Values that neither the current nor the previous key decrypts, by kind and name'),
    left: z
      .array(z.string())
      .describe('Kinds of sealed data that are not encrypted again, and when they expire'),
  })
  .meta({ id: 'Resealed', description: 'Result of the encryption', examples: RESEALED })
