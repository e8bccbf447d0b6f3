/** Examples of bodies that start and control runs, by operation, as shown in `/docs`. */

import { type BodyExamples, replaced } from '../shared/body-example.ts'
import { APPROVAL, OTHER_APPROVAL, RUN } from '../shared/story.ts'

const NIGHT = [
  { task: 'Ticket 7731: order 48213 arrived broken.', label: '7731' },
  { task: 'Ticket 7732: where is order 48219?', label: '7732' },
]
const MODEL = 'agent/general'
const EXAMPLE_APPROVALS = 'The IDs are examples; use IDs from `GET /v1/approvals`.'

export const RUN_BODIES: BodyExamples = {
  createRun: {
    create: { summary: 'Start a run', value: { input: 'Say hello.' } },
    wait: {
      summary: 'Start a run and wait for its answer',
      description: 'Under **Request headers**, click `wait=30` at `prefer`, then press TRY.',
      value: { input: 'Name the largest ocean.' },
    },
    stream: {
      summary: 'Start a run and stream its events',
      description:
        'Under **Response**, choose `text/event-stream`, then press TRY. The page shows the events ' +
        'when the run has ended; `curl -N` shows them as they happen.',
      value: { input: 'Write two lines about the sea.' },
    },
    structured: {
      summary: 'Ask for an answer as JSON',
      value: {
        input: 'Order 48213 arrived broken; it cost 42.00 EUR. Which refund is due?',
        output_schema: {
          type: 'object',
          properties: { refund: { type: 'number' }, currency: { type: 'string' } },
          required: ['refund', 'currency'],
        },
      },
    },
    limited: {
      summary: 'Choose the agent, a budget, and metadata',
      value: {
        input: 'Compare three ways to ship glass.',
        agent: 'general',
        label: 'Ticket 7731',
        limits: { max_steps: 20, max_tokens: 200_000 },
        metadata: { ticket: '7731', queue: 'refunds' },
      },
    },
  },
  answerFunctionCall: {
    output: { summary: 'The result', value: { output: { sku: 'MUG-7', count: 12 } } },
    error: {
      summary: 'Error that prevented a result',
      value: { error: 'There is no item with this number.' },
    },
  },
  createFanout: {
    create: { summary: 'Run two tasks in parallel', value: { tasks: NIGHT } },
    closing: {
      summary: 'Run two tasks, then one run that reads their results',
      value: {
        tasks: NIGHT,
        label: 'Overnight tickets',
        limits: { max_tokens: 500_000 },
        join: { policy: 'all', deadline_seconds: 1_800 },
        then: { input: 'Write one line for each ticket: its subject and its urgency.' },
      },
    },
    first: {
      summary: 'Use the first result and cancel the other task',
      value: { tasks: NIGHT, join: { policy: 'any' } },
    },
    open: {
      summary: 'Open a fan-out whose tasks are added in pages',
      value: { open: true, label: 'Archive of 2025' },
    },
  },
  addFanoutTasks: {
    page: {
      summary: 'Add the first page of tasks',
      description: 'The fan-out must be open: create it with `"open": true`.',
      value: { page: 0, tasks: [{ task: 'Ticket 1: the parcel was empty.' }] },
    },
  },
  createSession: {
    session: {
      summary: 'Open a session with the general agent',
      value: { agent: 'general', title: 'Ticket 7731', metadata: { ticket: '7731' } },
    },
  },
  forkSession: {
    message: {
      summary: 'Fork at a message',
      description: 'Replace `position` with a position from `GET /v1/sessions/{id}/messages`.',
      value: { position: '0.0', title: 'The other option' },
    },
    run: {
      summary: 'Fork at a step in a run',
      description: replaced('run_id', '`GET /v1/sessions/{id}/runs`'),
      value: { run_id: RUN, step: 0 },
    },
  },
  decideApproval: {
    deny: {
      summary: 'Deny the call',
      value: { decision: 'deny', reason: 'Ask for a photo of the damage first.' },
    },
    approve: { summary: 'Approve the call', value: { decision: 'approve' } },
  },
  decideApprovals: {
    approve: {
      summary: 'Approve two calls',
      description: EXAMPLE_APPROVALS,
      value: { ids: [APPROVAL, OTHER_APPROVAL], decision: 'approve' },
    },
    deny: {
      summary: 'Deny a call, with a reason for the model',
      description: EXAMPLE_APPROVALS,
      value: { ids: [APPROVAL], decision: 'deny', reason: 'Ask for a photo of the damage first.' },
    },
  },
  createResponse: {
    text: {
      summary: 'Ask the general agent',
      value: { model: MODEL, input: 'Name the largest ocean.', metadata: { ticket: '4711' } },
    },
    next: {
      summary: 'Continue from a response, streamed',
      description: replaced('previous_response_id', '`POST /v1/responses`'),
      value: {
        input: [{ role: 'user', content: 'Say it in one word.' }],
        previous_response_id: 'resp_01k5v8h3m9d7q2x4n6t8w0y1zc',
        stream: true,
      },
    },
  },
  createChatCompletion: {
    text: {
      summary: 'Ask the general agent',
      value: { model: MODEL, messages: [{ role: 'user', content: 'Name the largest ocean.' }] },
    },
  },
  callMcp: {
    list: {
      summary: 'List the tools',
      value: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    },
  },
  callAgent: {
    send: {
      summary: 'Send a message to the agent',
      value: {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendMessage',
        params: {
          message: {
            messageId: '6f1c2a50-2f6c-4c7e-9d0a-5f0f3a1b7c11',
            role: 'ROLE_USER',
            parts: [{ text: 'Name the largest ocean.' }],
          },
        },
      },
    },
    get: {
      summary: 'Get a task',
      description: replaced('params.id', 'the answer to `SendMessage`'),
      value: { jsonrpc: '2.0', id: 2, method: 'GetTask', params: { id: RUN } },
    },
  },
}
