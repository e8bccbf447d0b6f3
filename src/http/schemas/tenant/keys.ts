/** API keys as they are made and shown; the text of one is in the answer that made it alone. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { GRANTS } from '../../../core/scopes.ts'
import { KEY_INPUTS, KEYS, KEYS_WITH_TEXT, ROTATIONS } from '../shared/examples.ts'
import { extending, kindIs, text, textOrNull, time, timeOrNull } from '../shared/words.ts'

export const KeyInput = z
  .strictObject({
    name: z.string().min(1).max(100).optional().describe('For people'),
    scopes: z
      .array(z.enum(GRANTS))
      .min(1)
      .max(50)
      .describe('At most those of the key that makes it; `runs:*` is a family, `*` all'),
    expires_at: z.iso.datetime({ offset: true }).optional().describe('Omitted: it does not expire'),
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
