/** Input and events of AG-UI, as far as they mean something here. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { AG_UI_EVENTS, AG_UI_INPUTS } from '../shared/examples.ts'
import { LEAVES_OUT, UNUSED, unused } from '../shared/ignored.ts'
import { text } from '../shared/words.ts'

const Source = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('data').describe('Bytes'),
    value: text('Base64'),
    mimeType: unused('Its type, which is told by its bytes'),
  }),
  z.object({
    type: z.literal('url').describe('An address'),
    value: text('Its https address'),
    mimeType: unused('Its type, which is told by its bytes'),
  }),
  z.looseObject({ type: z.literal('file').describe('A file of a provider: refused') }),
])
const Content = z
  .union(
    [
      z.string(),
      z
        .array(
          z.discriminatedUnion('type', [
            z.object({
              type: z.literal('text').describe('A text'),
              text: text('Its words'),
              id: unused('Its name'),
              metadata: unused('Notes on it'),
            }),
            z.object({
              type: z.enum(['image', 'audio', 'video', 'document']).describe('A picture or file'),
              source: Source.describe('Where its bytes are'),
              id: unused('Its name'),
              metadata: unused('Notes on it'),
            }),
          ]),
        )
        .max(100),
    ],
    { error: 'A text, or parts {type, …} with texts, pictures and files.' },
  )
  .meta({ id: 'AgUiContent', description: 'Content of a message: a text, or parts' })
export type AgUiContent = z.output<typeof Content>

const shared = {
  id: z.string().max(200).optional().describe('The name of the message'),
  name: unused('The name of its author'),
  encryptedValue: unused('Of another provider'),
  metadata: unused('Notes on it'),
  subagentRunId: unused('Who has said it'),
}
const ToolCall = z.object({
  id: text('Its name'),
  type: z.literal('function').optional().describe('A call of a tool'),
  encryptedValue: unused('Of another provider'),
  function: z
    .object({ name: text('The tool'), arguments: text('JSON text') })
    .describe('What is called'),
})
const Message = z.discriminatedUnion('role', [
  z.object({
    ...shared,
    role: z.literal('user').describe('A message of the user'),
    content: Content.describe('What it says'),
  }),
  z.object({
    ...shared,
    role: z.enum(['system', 'developer']).describe('Follows the prompt of the agent'),
    content: text('Its words'),
  }),
  z.object({
    ...shared,
    role: z.literal('assistant').describe('An answer of the agent'),
    content: z.string().optional().describe('Its words'),
    toolCalls: z.array(ToolCall).max(1_000).optional().describe('Calls that it has made'),
  }),
  z.object({
    ...shared,
    role: z.literal('tool').describe('A result, brought by you'),
    content: Content.nullish().describe('Its words; null: it has none'),
    toolCallId: text('The call; one of ours names the run that waits for it'),
    error: z.string().optional().describe('Why it failed'),
  }),
  z
    .looseObject({
      role: z.enum(['reasoning', 'activity']).describe('For people: left out, and named'),
    })
    .meta({ [UNUSED]: true }),
])
export type AgUiMessage = z.output<typeof Message>

export const AgUiInput = z
  .object({
    threadId: z
      .string()
      .min(1)
      .max(200)
      .describe('Your id of the conversation: the same one is the same session'),
    runId: z
      .string()
      .min(1)
      .max(200)
      .describe('Your id of this request: the same one is the same turn'),
    protocolVersion: z.unknown().optional().describe('The version of AG-UI'),
    parentRunId: unused('The run that this one follows'),
    state: unused('State is not carried: agents have files and memory'),
    messages: z
      .array(Message.meta(LEAVES_OUT))
      .max(1_000)
      .describe('The conversation; a session that has had a run reads what is new in it'),
    tools: z
      .array(
        z.object({
          name: text('1 to 64 of A-Z a-z 0-9 _ -; no name of a tool of ours'),
          description: z.string().default('').describe('What it does, for the model'),
          parameters: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('JSON Schema of its arguments, an object'),
          metadata: unused('Notes on it'),
        }),
      )
      .max(LIMITS.caller_tools)
      .default([])
      .describe("Your tools, beside the agent's: you perform them and bring the results"),
    context: z
      .array(
        z.object({
          description: z.string().default('').describe('What it is'),
          value: z.unknown().describe('Its text, or data, which the agent reads as JSON'),
        }),
      )
      .max(100)
      .default([])
      .describe('Follows the prompt of the agent'),
    forwardedProps: unused('Properties are not forwarded to anybody'),
    resume: z
      .array(
        z.object({
          interruptId: text('What was asked, by its id'),
          status: z.enum(['resolved', 'cancelled']).describe('Only what is resolved is taken'),
          payload: z.unknown().optional().describe('The answer: a text, or data for a form'),
          metadata: unused('Notes on it'),
        }),
      )
      .max(1)
      .optional()
      .describe('The answer to the question with which the turn before has ended'),
  })
  .meta({
    id: 'AgUiInput',
    description:
      'A turn in the words of AG-UI. Members and messages that mean nothing here are left out ' +
      'and named by `Strata-Ignored`; what cannot be done is refused',
    examples: AG_UI_INPUTS,
  })
export type AgUiInput = z.output<typeof AgUiInput>

export const AgUiEvent = z
  .looseObject({
    type: text('The type of the event, e.g. `TEXT_MESSAGE_CONTENT`'),
    metadata: z
      .looseObject({
        strata: z
          .looseObject({
            run_id: text('The run whose log has it'),
            seq: z.int().describe('The place in its log'),
          })
          .describe('The fact that it comes of'),
      })
      .optional()
      .describe('Absent: text as it is written, which the log has no place for'),
  })
  .meta({ id: 'AgUiEvent', description: 'An event, as AG-UI has it', examples: AG_UI_EVENTS })
