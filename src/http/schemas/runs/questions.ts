/** Questions to the user, and the list that a run works by. */

import * as z from 'zod'
import { body } from '../shared/event-parts.ts'
import { callId, idOf, idOrNull, text, textOrNull, time } from '../shared/words.ts'
import { path } from './approvals.ts'

const Question = z
  .strictObject({
    question: text('The words that the user reads'),
    choices: z
      .array(
        z.strictObject({
          label: text('The choice, in a few words'),
          description: text('What it means').optional(),
        }),
      )
      .optional()
      .describe('What may be chosen; any other text is an answer, too'),
    multiple: z.literal(true).optional().describe('Several of them may be chosen'),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'A form of an MCP server, as a JSON Schema of a flat object: the answer is such an ' +
          'object as JSON, a line `name: value` for each field, the plain value of a single field, or ' +
          '`{"action": "decline"}`',
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
  z.array(Question).describe('What the user is asked; one message answers all')

export const OpenQuestion = z
  .strictObject({
    call: callId('The tool call that the answer is the result of'),
    questions: questions(),
    asked_at: time('When it was asked'),
    expires_at: time('When the run goes on without an answer'),
  })
  .describe(
    'The user is asked: the next `POST /v1/runs/{id}/messages` is the answer; absent: nothing is ' +
      'asked',
  )

export const Answered = z
  .strictObject({
    message_id: idOf('msg', 'The input, as a message'),
    run_id: idOf('run', 'The run that has it: the one of this answer, or one below it'),
    question: textOrNull(
      'The tool call whose question it answers; null: that was closed meanwhile, so it is an ' +
        'ordinary message',
    ),
    ignored: z.array(z.string()).describe('Members of the request that mean nothing to that run'),
  })
  .describe(
    "The input made no run: the session's run, shown here, was waiting for an answer; absent: it " +
      'made this run',
  )

const Todo = z
  .strictObject({
    content: text('What is to be done'),
    status: z.enum(['pending', 'in_progress', 'completed']).describe('How far it is'),
    active_form: text('The same while it is done').optional(),
  })
  .meta({
    id: 'Todo',
    description: 'An entry of the list that a run works by',
    examples: [{ content: 'Check the order', status: 'completed' }],
  })

export const todos = () => z.array(Todo).describe('The whole list, in order')

/** The data of their events, and of the messages that answer them, by type. */
export const QUESTION_DATA = {
  'message.received': z
    .strictObject({
      message_id: idOf('msg', 'The message'),
      text: body('Text of the message'),
      by: z
        .literal('parent')
        .optional()
        .describe('The model of the run above sent it: it answers no question'),
    })
    .describe(
      'A message from outside: the answer of the question that is open, else it enters before ' +
        'the next model call',
    ),
  'tool.paused': z
    .strictObject({
      call: callId('The tool call, which goes on when a person has spoken'),
      tool: text('The name by which the model called it'),
      server: text('The MCP server that asks'),
      round: z.int().min(1).describe('Which of its questions in this call, from 1'),
      on: z
        .enum(['approval', 'input'])
        .describe(
          '`approval`: it wants to know whether, and an approval follows; `input`: a question',
        ),
      requests: z
        .array(
          z.strictObject({
            key: text("The server's name for it"),
            message: text('What it asks, in its words'),
            form: z
              .record(z.string(), z.unknown())
              .optional()
              .describe('A JSON Schema of the answer'),
            url: text('The page that a person is to open').optional(),
          }),
        )
        .describe('What it asks'),
      duration_ms: z.int().min(0).describe('How long the call took until then, in milliseconds'),
    })
    .describe('An MCP server asks a person in the middle of a call'),
  'question.asked': z
    .strictObject({
      call: callId('The tool call that the answer is the result of'),
      questions: questions(),
      expires_at: time('Until when it can be answered'),
      path: path(),
    })
    .describe('The user is asked; the next message to the run is the answer'),
  'question.answered': z
    .strictObject({
      call: callId('The tool call that waited'),
      outcome: z.enum(['answered', 'expired']).describe('Whether an answer came in time'),
      message_id: idOrNull('msg', 'The message that answers it', 'none came in time'),
    })
    .describe('A question was answered, or it expired'),
  'todos.updated': z
    .strictObject({ call: callId('The tool call that gave it'), todos: todos() })
    .describe('The run has replaced the list that it works by'),
} as const
