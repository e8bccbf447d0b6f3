/** Schemas of questions to the user, and of a run's to-do list. */

import * as z from 'zod'
import { body } from '../shared/event-parts.ts'
import { callId, idOf, idOrNull, text, textOrNull, time } from '../shared/words.ts'
import { path } from './approvals.ts'

const Question = z
  .strictObject({
    question: text('Question text'),
    choices: z
      .array(
        z.strictObject({
          label: text('Choice label, in a few words'),
          description: text('Meaning of the choice').optional(),
        }),
      )
      .optional()
      .describe('Suggested answers; any other text is also accepted'),
    multiple: z.literal(true).optional().describe('Whether the user can select several choices'),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        'Form from an MCP server, as a JSON Schema of a flat object. Answer with such an ' +
          'object as JSON, a line `name: value` for each field, the plain value of a single ' +
          'field, or `{"action": "decline"}`',
      ),
  })
  .meta({
    id: 'Question',
    description: 'A question for the user',
    examples: [
      {
        question: 'Refund to the card or as a voucher?',
        choices: [{ label: 'Card', description: 'Takes three days' }, { label: 'Voucher' }],
      },
    ],
  })

const questions = () =>
  z.array(Question).describe('Questions for the user; a single message answers all questions')

export const OpenQuestion = z
  .strictObject({
    call: callId('ID of the tool call that receives the answer as a result'),
    questions: questions(),
    asked_at: time('Time at which the question was asked'),
    expires_at: time('Time at which the run continues without an answer'),
  })
  .describe(
    'Open question for the user; the next `POST /v1/runs/{id}/messages` is the answer. ' +
      'Absent if there is no open question',
  )

export const AnswerReceipt = z
  .strictObject({
    message_id: idOf('msg', 'ID of the message that was created from the input'),
    run_id: idOf(
      'run',
      'ID of the run that received the message: the run in this response, or one of its ' +
        'descendants',
    ),
    question: textOrNull(
      'ID of the tool call whose question the message answers; `null` if the question was ' +
        'closed in the meantime, so that this is an ordinary message',
    ),
    ignored: z
      .array(z.string())
      .describe('Request members that do not apply to the run that received the message'),
  })
  .describe(
    "Receipt for an input that answered a question from the session's waiting run. In " +
      'that case, the response describes the waiting run. Absent if the input created this ' +
      'run',
  )

const Todo = z
  .strictObject({
    content: text('Description of the task'),
    status: z.enum(['pending', 'in_progress', 'completed']).describe('Status of the entry'),
    active_form: text('Text to show while the entry is in progress').optional(),
  })
  .meta({
    id: 'Todo',
    description: "An entry in a run's to-do list",
    examples: [{ content: 'Check the order', status: 'completed' }],
  })

export const todos = () => z.array(Todo).describe('Complete to-do list, in order')

/** Data schemas of question events and answer messages, by type. */
export const QUESTION_DATA = {
  'message.received': z
    .strictObject({
      message_id: idOf('msg', 'ID of the message'),
      text: body('Message text'),
      by: z
        .literal('parent')
        .optional()
        .describe(
          "Sender of the message, present if the parent's model sent the message; such a " +
            'message does not answer a question',
        ),
    })
    .describe(
      'A message was received. It answers an open question, or is added before the next ' +
        'model call',
    ),
  'tool.paused': z
    .strictObject({
      call: callId('ID of the tool call, which continues after a person decides or answers'),
      tool: text("Name of the tool in the model's call"),
      server: text('MCP server that requests input'),
      round: z
        .int()
        .min(1)
        .describe("Number of the server's request within this call, starting at 1"),
      on: z
        .enum(['approval', 'input'])
        .describe(
          'Type of request: `approval` for permission, after which an approval follows; `input` ' +
            'for a question',
        ),
      requests: z
        .array(
          z.strictObject({
            key: text('ID that the server assigned to the request'),
            message: text('Message from the server'),
            form: z
              .record(z.string(), z.unknown())
              .optional()
              .describe('JSON Schema of the response'),
            url: text('URL for a person to open').optional(),
          }),
        )
        .describe('Requests from the server'),
      duration_ms: z
        .int()
        .min(0)
        .describe('Duration of the call up to this point, in milliseconds'),
    })
    .describe('An MCP server requests input from a person during a call'),
  'question.asked': z
    .strictObject({
      call: callId('ID of the tool call that receives the answer as a result'),
      questions: questions(),
      expires_at: time('Time at which the question expires'),
      path: path(),
    })
    .describe('The run asked the user a question; the next message to the run is the answer'),
  'question.answered': z
    .strictObject({
      call: callId('ID of the tool call that was waiting'),
      outcome: z
        .enum(['answered', 'expired'])
        .describe('Outcome of the question: whether an answer arrived in time'),
      message_id: idOrNull(
        'msg',
        'ID of the message that answers the question',
        'no answer arrived in time',
      ),
    })
    .describe('A question was answered or has expired'),
  'todos.updated': z
    .strictObject({ call: callId('ID of the tool call that wrote the list'), todos: todos() })
    .describe('The run replaced its to-do list'),
} as const
