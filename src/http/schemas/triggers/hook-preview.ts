/** Schemas of previews: a message to a hook, and what it would start. */

import * as z from 'zod'
import { HOOK_PREVIEW_INPUTS, HOOK_PREVIEWS } from '../shared/examples.ts'
import { kindIs, text, textOrNull } from '../shared/words.ts'

/** Maximum number of headers in a preview. */
const HEADERS_MAX = 50

export const HookPreviewInput = z
  .strictObject({
    payload: z
      .unknown()
      .refine((payload) => payload !== undefined, { error: 'Required.' })
      .describe(
        "Body of the message: any JSON value. A string is the body's text, as JSON or as a form " +
          '(with the header `content-type`)',
      ),
    headers: z
      .record(z.string().max(100), z.string().max(2_000))
      .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, {
        error: `At most ${HEADERS_MAX} headers.`,
      })
      .optional()
      .describe(
        `Headers of the message, at most ${HEADERS_MAX}. Only \`X-GitHub-Event\` and ` +
          '`Content-Type` affect a preview; signatures are not verified',
      ),
  })
  .meta({
    id: 'HookPreviewInput',
    description: 'Message to preview',
    examples: HOOK_PREVIEW_INPUTS,
  })

export const HookPreview = z
  .strictObject({
    object: kindIs('hook_preview'),
    starts: z.boolean().describe('Whether the message starts a run'),
    reason: z
      .strictObject({
        code: z
          .enum(['connection_test', 'event_type'])
          .describe(
            'Reason code. `connection_test`: the service only tests the URL. `event_type`: the ' +
              'hook selects other event types',
          ),
        message: text('Human-readable explanation; the wording may change'),
      })
      .nullable()
      .describe('Reason why no run starts; `null` if a run starts'),
    event: textOrNull('Event type of the message; `null` if it has none'),
    input: textOrNull(
      'Input of the run, rendered from the template; `null` if no run starts. An invisible ' +
        'character is written as its code, such as `\\u{202E}`',
    ),
    media: z
      .array(
        z.strictObject({
          path: text("Payload path, from the hook's `media`"),
          source: z
            .enum(['url', 'data', 'missing'])
            .describe(
              'Form of the value. `url`: a URL that the server reads when the message arrives. ' +
                '`data`: Base64 in the payload. `missing`: no text at the path, as the input ' +
                'then states',
            ),
          url: textOrNull('URL of the file; `null` if the value is no URL'),
        }),
      )
      .describe("Images and files that follow the input; empty if the hook's `media` has none"),
    missing: z
      .array(z.string())
      .describe('Paths of the template that have no value and insert nothing; empty if all have'),
    shortened: z
      .array(z.string())
      .describe('Paths of the template whose value exceeds 65,536 bytes and is cut; often empty'),
  })
  .meta({
    id: 'HookPreview',
    description: 'What a message to a hook would start',
    examples: HOOK_PREVIEWS,
  })
