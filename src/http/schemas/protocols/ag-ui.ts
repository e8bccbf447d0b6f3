/** Schemas of the supported parts of AG-UI input and events. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { AG_UI_EVENTS, AG_UI_INPUTS } from '../shared/examples.ts'
import { LEAVES_OUT, UNUSED, unused } from '../shared/ignored-members.ts'
import { text } from '../shared/words.ts'

const Source = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('data').describe('Base64-encoded content'),
    value: text('Base64'),
    mimeType: unused('Media type; detected from the content'),
  }),
  z.object({
    type: z.literal('url').describe('URL of the content'),
    value: text('HTTPS URL of the content'),
    mimeType: unused('Media type; detected from the content'),
  }),
  z.looseObject({ type: z.literal('file').describe('File stored by a provider; always rejected') }),
])
const Content = z
  .union(
    [
      z.string(),
      z
        .array(
          z.discriminatedUnion('type', [
            z.object({
              type: z.literal('text').describe('Type of the part: plain text'),
              text: text('Content of the part'),
              id: unused('ID or name of the entry'),
              metadata: unused('Item metadata'),
            }),
            z.object({
              type: z.enum(['image', 'audio', 'video', 'document']).describe('An image or file'),
              source: Source.describe('Location of the content'),
              id: unused('ID or name of the entry'),
              metadata: unused('Item metadata'),
            }),
          ]),
        )
        .max(100),
    ],
    {
      error:
        'The content must be a string or a list of parts {type, …} with text, images, and ' +
        'files.',
    },
  )
  .meta({ id: 'AgUiContent', description: 'Message content: a string or a list of parts' })
export type AgUiContent = z.output<typeof Content>

const shared = {
  id: z.string().max(200).optional().describe('ID of the message'),
  name: unused('Author name'),
  encryptedValue: unused('Encrypted value from another provider'),
  metadata: unused('Item metadata'),
  subagentRunId: unused('ID of the subagent that wrote the message'),
}
const ToolCall = z.object({
  id: text('ID or name of the entry'),
  type: z.literal('function').optional().describe('A tool call'),
  encryptedValue: unused('Encrypted value from another provider'),
  function: z
    .object({
      name: text('Name of the tool'),
      arguments: text('Call arguments, as JSON text'),
    })
    .describe('Function to call'),
})
const Message = z.discriminatedUnion('role', [
  z.object({
    ...shared,
    role: z.literal('user').describe('A message from the user'),
    content: Content.describe('Message content'),
  }),
  z.object({
    ...shared,
    role: z.enum(['system', 'developer']).describe("Text that follows the agent's prompt"),
    content: text('Content of the part'),
  }),
  z.object({
    ...shared,
    role: z.literal('assistant').describe('A response from the agent'),
    content: z.string().optional().describe('The text'),
    toolCalls: z.array(ToolCall).max(1_000).optional().describe('Tool calls that the agent made'),
  }),
  z.object({
    ...shared,
    role: z.literal('tool').describe('A tool result that you return'),
    content: Content.nullish().describe('Result text; `null` if the result is empty'),
    toolCallId: text(
      'ID of the call; for a call from this server, identifies the run that waits for the ' +
        'result',
    ),
    error: z.string().optional().describe('Reason for the failure'),
  }),
  z
    .looseObject({
      role: z
        .enum(['reasoning', 'activity'])
        .describe('Information for people; ignored, and listed in `Strata-Ignored`'),
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
      .describe(
        'Your ID for the conversation; requests with the same ID continue the same session',
      ),
    runId: z
      .string()
      .min(1)
      .max(200)
      .describe('Your ID for this request; requests with the same ID return the same turn'),
    protocolVersion: z.unknown().optional().describe('AG-UI version'),
    parentRunId: unused('ID of the run that this run follows'),
    state: unused('Client state; agents keep state in files and memory instead'),
    messages: z
      .array(Message.meta(LEAVES_OUT))
      .max(1_000)
      .describe(
        'Messages in the conversation; for an existing session, only new messages are read',
      ),
    tools: z
      .array(
        z.object({
          name: text(
            'Name of the function: 1 to 64 characters from A-Z a-z 0-9 _ -; must not be the name ' +
              'of a built-in tool',
          ),
          description: z.string().default('').describe('Function description for the model'),
          parameters: z
            .record(z.string(), z.unknown())
            .optional()
            .describe("JSON Schema of the function's arguments, of type object"),
          metadata: unused('Item metadata'),
        }),
      )
      .max(LIMITS.caller_tools)
      .default([])
      .describe(
        "Tools that you execute, in addition to the agent's own tools; you return the results " +
          'of their calls',
      ),
    context: z
      .array(
        z.object({
          description: z.string().default('').describe('Description for the model'),
          value: z.unknown().describe('Text, or data that the agent reads as JSON'),
        }),
      )
      .max(100)
      .default([])
      .describe("Text that follows the agent's prompt"),
    forwardedProps: unused('Properties to forward; this endpoint does not forward any'),
    resume: z
      .array(
        z.object({
          interruptId: text('ID of the interrupt'),
          status: z
            .enum(['resolved', 'cancelled'])
            .describe('Status of the interrupt; only `resolved` is accepted'),
          payload: z
            .unknown()
            .optional()
            .describe('Answer to the interrupt: a string, or data for a form'),
          metadata: unused('Item metadata'),
        }),
      )
      .max(1)
      .optional()
      .describe('Answer to the question that ended the previous turn'),
  })
  .meta({
    id: 'AgUiInput',
    description:
      'A turn for AG-UI clients. Members and messages without an effect are ignored and ' +
      'listed in `Strata-Ignored`; unsupported requests are rejected',
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
            run_id: text('ID of the run whose log contains the event'),
            seq: z.int().describe("The event's position in the run's log"),
          })
          .describe('Log event that this event is derived from'),
      })
      .optional()
      .describe(
        'Event metadata; absent for text that is still being written, which has no position ' +
          'in the log',
      ),
  })
  .meta({ id: 'AgUiEvent', description: 'An event as defined by AG-UI', examples: AG_UI_EVENTS })
