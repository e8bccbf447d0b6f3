/** Schemas of transcript messages, as the API returns them. */

import * as z from 'zod'
import { ShownMedia } from '../shared/content.ts'
import { TRANSCRIPT } from '../shared/examples.ts'
import { callId, text } from '../shared/words.ts'

const Part = z.strictObject({
  type: z
    .enum(['text', 'reasoning', 'call'])
    .describe('Type of the part; determines which other members are present'),
  text: text('Text that the model wrote, for `text` and `reasoning`').optional(),
  id: callId('ID of the tool call, for `call`').optional(),
  tool: text('Name of the tool, for `call`').optional(),
  arguments: z
    .string()
    .optional()
    .describe('Arguments as JSON text, as the model wrote them, for `call`'),
})
const shownBeside = () =>
  z
    .array(ShownMedia)
    .optional()
    .describe(
      'Images, audio clips, and files that the text references; retrieve the content with ' +
        '`GET /v1/runs/{id}/media/{digest}`',
    )
const Result = z.strictObject({
  call: callId('ID of the tool call that produced the result'),
  tool: text('Name of the called tool'),
  text: text('Result text, as shown to the model'),
  is_error: z.boolean().describe('Whether the call failed or was rejected'),
  media: shownBeside(),
})
export const TranscriptMessage = z
  .strictObject({
    role: z
      .enum(['system', 'user', 'assistant', 'tool'])
      .describe(
        'Author of the message; subagent results have `user`, or `tool` if the call waited ' +
          'for the subagents',
      ),
    text: text('Complete text, for `system` and `user`').optional(),
    media: shownBeside(),
    parts: z.array(Part).optional().describe('Text and tool calls in order, for `assistant`'),
    results: z.array(Result).optional().describe('Results for `tool`, one for each call'),
    position: text(
      "Position among the session's messages, which never changes; present only in session " +
        'messages',
    ).optional(),
  })
  .meta({
    id: 'TranscriptMessage',
    description: 'A message as shown to the model or written by the model',
    examples: TRANSCRIPT,
  })
