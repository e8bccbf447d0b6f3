/** Schemas of message content: a string, or parts with images and files. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { MEDIA_TYPES } from '../../../core/media.ts'
import { nonBlank } from './common.ts'
import { count, sha256Of, text } from './words.ts'

const TextPart = z
  .strictObject({
    type: z.literal('text').describe('Type of the part: plain text'),
    text: nonBlank().describe('Text in the part; must not be blank'),
  })
  .meta({ id: 'TextPart', description: 'Text part of a message' })

const kinds = Object.keys(MEDIA_TYPES).join(', ')
const MediaPart = z
  .strictObject({
    type: z
      .enum(['image', 'file'])
      .describe(
        'Type of the part: `image` for PNG, JPEG, GIF, or WebP; `file` for a text file, which ' +
          `is included as text, or for ${kinds}`,
      ),
    data: z.string().min(1).optional().describe('Base64-encoded content'),
    key: z
      .string()
      .min(1)
      .max(LIMITS.key_bytes)
      .optional()
      .describe("Key of one of the tenant's files, for example `repos/app/chart.png`"),
    url: z
      .string()
      .min(1)
      .max(2_048)
      .optional()
      .describe(
        "HTTPS URL, which is read before the response is sent; the tenant's policy applies",
      ),
    name: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Name that the model sees. Defaults to the last segment of the key or URL'),
  })
  .refine(
    ({ data, key, url }) => [data, key, url].filter((source) => source !== undefined).length === 1,
    'Exactly one of data, key, and url must be present',
  )
  .meta({
    id: 'MediaPart',
    description:
      'An image or file, with exactly one of `data`, `key`, and `url`. The media type is ' +
      'detected from the content',
  })

const InputPart = z.discriminatedUnion('type', [TextPart, MediaPart]).meta({
  id: 'InputPart',
  description: `A message part; an input can include at most ${LIMITS.media_parts} images or files`,
})

const PARTS = 100
/** Creates the schema of one message's content parts. */
export const parts = () => z.array(InputPart).min(1).max(PARTS)

/** Creates the schema of message content: a string, or a list of content parts. */
export const content = (description: string) =>
  z
    .union([nonBlank(), parts()], {
      error: 'Must be a non-blank string or a list of 1 to 100 parts {type, …}.',
    })
    .describe(`${description}: a string or a list of parts with images and files`)

/** Schema of a media file that a text references. */
export const ShownMedia = z
  .strictObject({
    media_type: z
      .enum(Object.keys(MEDIA_TYPES) as [string, ...string[]])
      .describe('MIME type of the content'),
    name: text('Name of the file; absent if the file has no name').optional(),
    bytes: count('Size in bytes'),
    digest: sha256Of('the content'),
  })
  .meta({
    id: 'Media',
    description:
      'An image, audio clip, or file, which the text references where the content appears',
  })
