/** Input and events of AG-UI, as far as they mean something here. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { AG_UI_EVENTS, AG_UI_INPUTS } from '../shared/examples.ts'
import { LEAVES_OUT, UNUSED, unused } from '../shared/ignored-members.ts'
import { text } from '../shared/words.ts'

const Source = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('data').describe('Content in Base64'),
    value: text('Base64'),
    mimeType: unused('Media type; determined from the content'),
  }),
  z.object({
    type: z.literal('url').describe('A URL of the content'),
    value: text('HTTPS URL'),
    mimeType: unused('Media type; determined from the content'),
  }),
  z.looseObject({ type: z.literal('file').describe('A file of a provider; refused') }),
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
              text: text('Content of the part'),
              id: unused('Name of the entry'),
              metadata: unused('Metadata of the item'),
            }),
            z.object({
              type: z.enum(['image', 'audio', 'video', 'document']).describe('A picture or file'),
              source: Source.describe('Where its content is'),
              id: unused('Name of the entry'),
              metadata: unused('Metadata of the item'),
            }),
          ]),
        )
        .max(100),
    ],
    { error: 'A text, or parts {type, …} with texts, pictures, and files.' },
  )
  .meta({ id: 'AgUiContent', description: 'Content of a message: a text, or parts' })
export type AgUiContent = z.output<typeof Content>

const shared = {
  id: z.string().max(200).optional().describe('ID of the message'),
  name: unused('Name of the author'),
  encryptedValue: unused('A value of another provider'),
  metadata: unused('Metadata of the item'),
  subagentRunId: unused('ID of the subagent that wrote it'),
}
const ToolCall = z.object({
  id: text('Name of the entry'),
  type: z.literal('function').optional().describe('A call of a tool'),
  encryptedValue: unused('A value of another provider'),
  function: z
    .object({ name: text('The tool'), arguments: text('Arguments as JSON text') })
    .describe('The function to call'),
})
const Message = z.discriminatedUnion('role', [
  z.object({
    ...shared,
    role: z.literal('user').describe('A message of the user'),
    content: Content.describe('Content of the message'),
  }),
  z.object({
    ...shared,
    role: z.enum(['system', 'developer']).describe('Text that follows the prompt of the agent'),
    content: text('Content of the part'),
  }),
  z.object({
    ...shared,
    role: z.literal('assistant').describe('An answer of the agent'),
    content: z.string().optional().describe('The text'),
    toolCalls: z.array(ToolCall).max(1_000).optional().describe('Calls that the agent made'),
  }),
  z.object({
    ...shared,
    role: z.literal('tool').describe('A result that you return'),
    content: Content.nullish().describe('Text of the answer; null: it has none'),
    toolCallId: text('ID of the call; a call of this server names the run that waits for it'),
    error: z.string().optional().describe('Why it failed'),
  }),
  z
    .looseObject({
      role: z
        .enum(['reasoning', 'activity'])
        .describe('Information for people; ignored, and listed as ignored'),
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
      .describe('Your ID of the conversation; the same ID is the same session'),
    runId: z
      .string()
      .min(1)
      .max(200)
      .describe('Your ID of this request; the same ID is the same turn'),
    protocolVersion: z.unknown().optional().describe('AG-UI version'),
    parentRunId: unused('The run that this one follows'),
    state: unused('Ignored: agents keep state in files and memory'),
    messages: z
      .array(Message.meta(LEAVES_OUT))
      .max(1_000)
      .describe('The conversation; an existing session reads only what is new in it'),
    tools: z
      .array(
        z.object({
          name: text('1 to 64 of A-Z a-z 0-9 _ -; not the name of a built-in tool'),
          description: z.string().default('').describe('What it does, for the model'),
          parameters: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('JSON Schema of its arguments, of type object'),
          metadata: unused('Metadata of the item'),
        }),
      )
      .max(LIMITS.caller_tools)
      .default([])
      .describe(
        'Your tools, in addition to those of the agent; you perform them and return the ' +
          'results',
      ),
    context: z
      .array(
        z.object({
          description: z.string().default('').describe('What the context is'),
          value: z.unknown().describe('Text or data, which the agent reads as JSON'),
        }),
      )
      .max(100)
      .default([])
      .describe('Text that follows the prompt of the agent'),
    forwardedProps: unused('Ignored: properties are not forwarded'),
    resume: z
      .array(
        z.object({
          interruptId: text('ID of the interrupt'),
          status: z.enum(['resolved', 'cancelled']).describe('Only `resolved` is accepted'),
          payload: z.unknown().optional().describe('The answer: a text, or data for a form'),
          metadata: unused('Metadata of the item'),
        }),
      )
      .max(1)
      .optional()
      .describe('The answer to the question that ended the previous turn'),
  })
  .meta({
    id: 'AgUiInput',
    description:
      'A turn for AG-UI clients. Members and messages without an effect are ignored and ' +
      'listed in `Strata-Ignored`; unsupported requests are refused',
    examples: AG_UI_INPUTS,
  })
export type AgUiInput = z.output<typeof AgUiInput>

export const AgUiEvent = z
  .looseObject({
    type: text('Type of the event, such as `TEXT_MESSAGE_CONTENT`'),
    metadata: z
      .looseObject({
        strata: z
          .looseObject({
            run_id: text('The run whose log has the event'),
            seq: z.int().describe('Position in its log'),
          })
          .describe('The log event that it is derived from'),
      })
      .optional()
      .describe('Absent: text while it is written, which has no position in the log'),
  })
  .meta({ id: 'AgUiEvent', description: 'An event, as AG-UI defines it', examples: AG_UI_EVENTS })
