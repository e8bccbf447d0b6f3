/** Schema of the request that created a run, as rebuilt from the run. */

import * as z from 'zod'
import { RUN_REQUESTS } from '../shared/examples.ts'
import { idOf, kindIs, sha256Of, text } from '../shared/words.ts'
import { RunInput, WebhookInput } from './run-input.ts'

const parts = () =>
  z.array(
    z.discriminatedUnion('type', [
      z
        .strictObject({
          type: z.literal('text').describe('Type of the part, always `text`'),
          text: text('Text in the part'),
        })
        .describe('A text'),
      z
        .strictObject({
          type: z.enum(['image', 'file']).describe('Type of the part: an image or another file'),
          data: text('Base64-encoded content'),
          name: text('Name that the model sees; absent if the file has no name').optional(),
        })
        .describe('An image or file, included in Base64'),
    ]),
  )

const content = () =>
  z
    .union([z.string(), parts()])
    .describe('Message content: a string, or a list of parts with images and files')

const RunRequest = z
  .strictObject({
    ...RunInput.shape,
    input: z
      .union([
        z.string(),
        parts(),
        z.array(
          z.strictObject({
            role: z.enum(['user', 'assistant']).describe('Author of the message'),
            content: content(),
          }),
        ),
      ])
      .describe('Task for the run: a string, a list of parts, or a conversation'),
    functions: z
      .array(
        z.strictObject({
          name: text('Name of the function'),
          description: text('Function description for the model; absent if empty').optional(),
          parameters: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('JSON Schema of the arguments; absent if the function has no arguments'),
        }),
      )
      .optional()
      .describe('Functions that the caller executes; absent if there are none'),
    webhook: WebhookInput.omit({ secret: true })
      .optional()
      .describe('Webhook for this run, without its secret; absent if there is none'),
  })
  .meta({
    id: 'RunRequest',
    description:
      'A request for `POST /v1/runs`. Members that equal their default are absent, and files ' +
      'are included in Base64',
  })

const Omission = z.strictObject({
  pointer: text('JSON pointer (RFC 6901) of the member in the request, such as `/webhook/secret`'),
  reason: z
    .enum(['secret', 'inherited', 'unsupported', 'too_large', 'not_stored'])
    .describe(
      'Reason for the omission. `secret`: the value is not shown. `inherited`: the value came ' +
        'from the parent run or fan-out. `unsupported`: another protocol set the value, and ' +
        'this request has no member for it, or its text does not show where a file belongs. ' +
        '`too_large`: the file, or the text with its files, does not fit into a request body. ' +
        '`not_stored`: the content is not stored',
    ),
  digest: sha256Of(
    'the missing text or file, for `GET /v1/runs/{id}/media/{digest}`; absent for other members',
  ).optional(),
})

export const RunInputCopy = z
  .strictObject({
    run_id: idOf('run', 'ID of the run that the request created'),
    object: kindIs('run.input'),
    request: RunRequest.describe('Request to send again, unchanged or edited'),
    omitted: z
      .array(Omission)
      .describe('Members that the run has and the request does not contain; empty if none'),
  })
  .meta({
    id: 'RunInputCopy',
    description: 'The request that created a run, rebuilt from the run',
    examples: RUN_REQUESTS,
  })
