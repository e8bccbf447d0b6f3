/** Questions to the user, and the list that a run works by. */

import * as z from 'zod'
import { body } from '../shared/event-parts.ts'
import { callId, idOf, idOrNull, text, textOrNull, time } from '../shared/words.ts'
import { path } from './approvals.ts'

const Question = z
  .strictObject({
    question: text('Text for the user'),
    choices: z
      .array(
        z.strictObject({
          label: text('The choice, in a few words'),
          description: text('Meaning of the choice').optional(),
        }),
      )
      .optional()
      .describe('Possible answers; any other text is an answer, too'),
    multiple: z.literal(true).optional().describe('Whether several can be chosen'),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'A form of an MCP server, as a JSON Schema of a flat object. The answer is such an ' +
          'object as JSON, a line `name: value` for each field, the plain value of a single ' +
          'field, or `{"action": "decline"}`',
      ),
  })
  .meta({
    id: 'Question',
    description: 'A question to the user',
    examples: [
      {
        question: 'Refund to the card or as a voucher?',
        choices: [{ label: 'Card', description: 'Takes three days' }, { label: 'Voucher' }],
      },
    ],
  })

const questions = () =>
  z.array(Question).describe('Questions to the user; one message answers all of them')

export const OpenQuestion = z
  .strictObject({
    call: callId('The tool call that the answer is the result of'),
    questions: questions(),
    asked_at: time('Time of the question'),
    expires_at: time('When the run continues without an answer'),
  })
  .describe(
    'A question to the user; the next `POST /v1/runs/{id}/messages` is the answer. ' +
      'Absent: none',
  )

export const AnswerReceipt = z
  .strictObject({
    message_id: idOf('msg', 'The input as a message'),
    run_id: idOf('run', 'The run that received it: the run of this response, or one below it'),
    question: textOrNull(
      'The tool call whose question it answers; null: it was closed in the meantime, so ' +
        'this is an ordinary message',
    ),
    ignored: z.array(z.string()).describe('Members of the request that do not apply to that run'),
  })
  .describe(
    'The input created no run, because the run of the session, shown here, waited for an ' +
      'answer. Absent: it created this run',
  )

const Todo = z
  .strictObject({
    content: text('What to do'),
    status: z.enum(['pending', 'in_progress', 'completed']).describe('State of the entry'),
    active_form: text('The text to show while it is in progress').optional(),
  })
  .meta({
    id: 'Todo',
    description: 'An entry of the to-do list of a run',
    examples: [{ content: 'Check the order', status: 'completed' }],
  })

export const todos = () => z.array(Todo).describe('The complete list, in order')

/** The data of their events, and of the messages that answer them, by type. */
export const QUESTION_DATA = {
  'message.received': z
    .strictObject({
      message_id: idOf('msg', 'The message'),
      text: body('Text of the message'),
      by: z
        .literal('parent')
        .optional()
        .describe("The parent's model sent it; it answers no question"),
    })
    .describe(
      'A message was received. It answers an open question, else it enters before the next ' +
        'model call',
    ),
  'tool.paused': z
    .strictObject({
      call: callId('The tool call, which continues when a person has decided or answered'),
      tool: text('Name by which the model called it'),
      server: text('The MCP server that asks'),
      round: z.int().min(1).describe('Number of its request in this call, from 1'),
      on: z
        .enum(['approval', 'input'])
        .describe(
          '`approval`: it asks for permission, and an approval follows. `input`: a question',
        ),
      requests: z
        .array(
          z.strictObject({
            key: text("The server's ID of the request"),
            message: text('Text of the server'),
            form: z
              .record(z.string(), z.unknown())
              .optional()
              .describe('JSON Schema of the answer'),
            url: text('URL that a person is to open').optional(),
          }),
        )
        .describe('What the server asks for'),
      duration_ms: z.int().min(0).describe('Duration of the call until then, in milliseconds'),
    })
    .describe('An MCP server asks a person during a call'),
  'question.asked': z
    .strictObject({
      call: callId('The tool call that the answer is the result of'),
      questions: questions(),
      expires_at: time('When the question expires'),
      path: path(),
    })
    .describe('A question to the user was asked; the next message to the run is the answer'),
  'question.answered': z
    .strictObject({
      call: callId('The tool call that waited'),
      outcome: z.enum(['answered', 'expired']).describe('Whether an answer arrived in time'),
      message_id: idOrNull('msg', 'The message that answers it', 'no answer arrived in time'),
    })
    .describe('A question was answered or has expired'),
  'todos.updated': z
    .strictObject({ call: callId('The tool call that wrote it'), todos: todos() })
    .describe('The run replaced its to-do list'),
} as const
