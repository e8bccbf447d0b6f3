/** Secrets as they are put and shown; a value is in no answer. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { SECRET_USES } from '../../core/secret.ts'
import { RESEALED, SECRET_INPUTS, SECRETS, SECRETS_PUT } from '../examples/secrets.ts'
import { count, kindIs, text, time } from './words.ts'

const uses = () => z.array(z.enum(SECRET_USES))

export const SecretInput = z
  .strictObject({
    value: z
      .string()
      .min(1)
      .max(LIMITS.secret_bytes)
      .meta({ writeOnly: true })
      .describe(`The value, at most ${LIMITS.secret_bytes} bytes; no answer shows it again`),
    hosts: z
      .array(z.string().min(1).max(255))
      .max(LIMITS.secret_hosts)
      .optional()
      .describe('Hosts that it may be sent to: `host`, `*.host` for those below, `stdio`'),
    any_host: z
      .boolean()
      .optional()
      .describe('In place of `hosts`, said explicitly: layers may send it anywhere'),
    uses: uses()
      .min(1)
      .optional()
      .describe(
        'What it may be used for: `server` (of MCP), `model`, `search`. Omitted: `server` alone',
      ),
  })
  .meta({ id: 'SecretInput', description: 'A secret to be kept', examples: SECRET_INPUTS })

const shape = {
  object: kindIs('secret'),
  name: text('Its name, as servers refer to it'),
  version: count('Rises with each put of any secret of the tenant; it is the etag'),
  hosts: z.array(z.string()).describe('Hosts that it may be sent to; empty: see `any_host`'),
  any_host: z.boolean().describe('Whether it may be sent anywhere'),
  uses: uses().describe('What it may be used for'),
  created_at: time('When it was first put'),
  updated_at: time('When its value was last put'),
}
export const Secret = z.strictObject(shape).meta({
  id: 'Secret',
  description: 'A secret of the tenant, without its value',
  examples: SECRETS,
})
export const SecretPut = z
  .strictObject({
    ...shape,
    warnings: z.array(z.string()).describe('What its writer should know; empty: nothing'),
  })
  .meta({ id: 'SecretPut', description: 'A secret that was just put', examples: SECRETS_PUT })

const lines = (words: string) => z.array(z.string()).describe(words)

export const Reseal = z
  .strictObject({
    object: kindIs('reseal'),
    resealed: count('Values that are sealed under the master key of today now'),
    lost: lines('Those that neither this key nor the one before opens; empty: none'),
    left: lines('Kinds of sealed values that were left, and what becomes of them'),
  })
  .meta({ id: 'Reseal', description: 'What was sealed anew', examples: RESEALED })
