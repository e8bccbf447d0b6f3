/** Runs as shown. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import {
  cancelledChildren,
  RunError,
  Usage,
  Warning,
  warnings,
  webhookSecret,
} from '../shared/common.ts'
import { ShownMedia } from '../shared/content.ts'
import { budget } from '../shared/event-parts.ts'
import {
  CANCELLED_RUNS,
  CREATED_RUNS,
  MESSAGES_SENT,
  RETRIED_RUNS,
  RUN_TREES,
  RUNS,
  TRANSCRIPT,
} from '../shared/examples.ts'
import {
  agentName,
  callId,
  count,
  countOrNull,
  extending,
  idAbsent,
  idOf,
  idOrNull,
  kindIs,
  labelOrNull,
  metadata,
  stopReasons,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'
import { functionCalls } from './functions.ts'
import { AnswerReceipt, OpenQuestion, todos } from './questions.ts'

const STATUSES = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'timed_out',
] as const
export const RunStatus = z.enum(STATUSES)
export const WAITING_ON = [
  'subagents',
  'approval',
  'input',
  'function',
  'session',
  'model',
] as const

const ChildCounts = z.strictObject({
  total: count('Subagents created'),
  live: count('Active subagents, and those whose end has not been reported yet'),
  completed: count('Completed subagents'),
  failed: count('Failed subagents'),
  cancelled: count('Cancelled subagents'),
  timed_out: count('Subagents that timed out'),
  dropped: z
    .int()
    .optional()
    .describe(
      'Subagents that completed after the run had ended and its session was deleted, so ' +
        'that no run received their results',
    ),
})

export const structured = () =>
  z
    .unknown()
    .describe('The answer as data by the `output_schema`; null: none was requested, or none fits')

const Attachment = z
  .strictObject({
    key: text('Key of the file'),
    media_type: text('By the extension of its name; `application/octet-stream` when unknown'),
    bytes: countOrNull('Size in bytes; null: it was deleted, or this is a list'),
    download: z
      .strictObject({
        path: text('Path below the URL of this deployment; the link requires no API key'),
        expires_at: time(`Expiry of the link, ${LIMITS.download_seconds} s after this response`),
      })
      .nullable()
      .describe('A link to the current file; null: it was deleted, or this is a list'),
  })
  .meta({ id: 'Attachment', description: 'A file that a run attaches' })

const Output = z.strictObject({
  text: text('The last answer of the model'),
  structured: structured(),
  attachments: z.array(Attachment).describe('Files attached to the output'),
  schema_error: z.string().optional().describe('Why the answer does not fit the schema'),
})

export const kinds =
  '`main`: created by a request, or the closing run of a fan-out. `subagent`: started ' +
  'by a run or a fan-out. `hook`: started by an inbound webhook. `schedule`: started by ' +
  'a schedule'

const RunBase = z
  .strictObject({
    id: idOf('run', 'The run'),
    object: kindIs('run'),
    kind: z.enum(['main', 'subagent', 'schedule', 'hook']).describe(kinds),
    status: RunStatus.describe('The last four are final. `waiting`: see `waiting_on`'),
    waiting_on: z
      .enum(WAITING_ON)
      .nullable()
      .describe(
        '`function`: results of `function_calls`. `session`: its turn. `model`: a model that ' +
          'is unavailable, see `outage`. Null: it does not wait',
      ),
    outage: z
      .strictObject({
        since: time('Time of the first failed attempt; the running time is paused since then'),
        retry_at: timeOrNull('The time of the next attempt', 'an attempt is in progress'),
        gives_up_at: timeOrNull('End of the patience, when the run fails', 'after three attempts'),
        attempts: count('Number of failed attempts'),
        error: RunError.describe('The last failure'),
      })
      .optional()
      .describe('The run waits for an unavailable model; absent: it does not'),
    stop_reason: textOrNull(`Why it ended. ${stopReasons}. Null: it has not ended`),
    agent: agentName(),
    model: textOrNull('`provider/model`; null: it has not started'),
    input: text('The first 500 characters of the last input message'),
    label: labelOrNull(),
    role: textOrNull('The role whose layer it uses; null: none'),
    repo_dir: textOrNull('The prefix of its repository layer; null: none'),
    session_id: idOf('ses', 'The session of its transcript'),
    parent_run_id: idOrNull('run', 'The run that started it', 'none'),
    fanout_id: idAbsent('fan', 'The fan-out that started it', 'none'),
    root_run_id: idOf('run', 'The root of its tree; its own ID for a root'),
    requester_session_id: idOrNull('ses', 'The session of the run that started it', 'none'),
    depth: count('Depth in its tree: 0 for a root, 1 for its subagents and for tasks of a fan-out'),
    lane: z
      .enum(['main', 'subagent', 'background'])
      .describe('The lane that it is scheduled in; subagents have their own'),
    config_digest: textOrNull(
      'SHA-256 of its configuration, for `POST /v1/resolve/diff`; null: it has not started',
    ),
    created_at: time('Time of acceptance'),
    start_at: time('Nothing is performed before; absent: it can start at once').optional(),
    expires_at: time('It ends at this time unless it has started; absent: never').optional(),
    priority: z.int().optional().describe('Priority among queued runs of its lane; absent: 0'),
    started_at: timeOrNull('Start of the work', 'not yet'),
    ended_at: timeOrNull('Time of the end', 'not yet'),
    output: Output.nullable().describe(
      'The final answer; null: it has not completed. Lists can truncate the text',
    ),
    partial: z
      .string()
      .optional()
      .describe('Its last text, when it ended without an output; truncated in lists'),
    error: RunError.nullable().describe('Why it did not complete; null: nothing went wrong'),
    steps: count('Number of model answers so far'),
    cost: z
      .number()
      .nullable()
      .describe('By the prices of the policy, including its subagents; null: no price is known'),
    usage: Usage.describe('Its own usage and that of its subagents that have ended'),
    budget: budget(),
    children: ChildCounts.describe('Its subagents by status'),
    question: OpenQuestion.optional(),
    function_calls: functionCalls(),
    todos: todos().optional().describe('Its to-do list; absent: none. Lists of runs omit it'),
    warnings: warnings(
      Warning,
      'Problems that the run continues with; before the start, as found when it was ' + 'accepted',
    ),
    metadata: metadata('this run'),
  })
  .meta({ id: 'RunBase', description: 'Members of every response about a run' })

export const Run = RunBase.extend({}).meta({
  id: 'Run',
  ...extending(RunBase),
  description: 'A durable execution of an agent',
  examples: RUNS,
})

export const CreatedRun = RunBase.extend({
  webhook_secret: webhookSecret(),
  answered: AnswerReceipt.optional(),
}).meta({
  id: 'CreatedRun',
  ...extending(RunBase),
  description: 'A run that was created',
  examples: CREATED_RUNS,
})

export const CancelledRun = RunBase.extend({
  cancelled_children: cancelledChildren(),
}).meta({
  id: 'CancelledRun',
  ...extending(RunBase),
  description: 'A run after its cancellation, with its direct children',
  examples: CANCELLED_RUNS,
})

export const RetriedRun = RunBase.extend({
  retried: z
    .array(idOf('run', 'The run itself, or a subagent below it'))
    .describe('Runs whose model call is retried; empty: an attempt is already in progress'),
}).meta({
  id: 'RetriedRun',
  ...extending(RunBase),
  description: 'A run whose model call is retried',
  examples: RETRIED_RUNS,
})

export interface RunTreeNode {
  run: z.output<typeof Run>
  children: RunTreeNode[]
}
export const RunTree: z.ZodType<RunTreeNode> = z
  .strictObject({
    run: Run,
    get children() {
      return z.array(RunTree).describe('Its subagents, each with its own subagents')
    },
  })
  .meta({ id: 'RunTree', description: 'Get a run with everything below it', examples: RUN_TREES })

const Part = z.strictObject({
  type: z
    .enum(['text', 'reasoning', 'call'])
    .describe('Kind of the part; determines which other members are present'),
  text: text('With `text` and `reasoning`: what the model wrote').optional(),
  id: callId('With `call`: ID of the tool call').optional(),
  tool: text('With `call`: the name of the tool').optional(),
  arguments: z
    .string()
    .optional()
    .describe('With `call`: arguments as JSON text, as the model wrote it'),
})
const shownBeside = () =>
  z
    .array(ShownMedia)
    .optional()
    .describe(
      'Pictures, sounds, and files that the text names; get their content with `GET ' +
        '/v1/runs/{id}/media/{digest}`',
    )
const Result = z.strictObject({
  call: callId('The tool call of the result'),
  tool: text('The name of the tool'),
  text: text('The result as the model saw it'),
  is_error: z.boolean().describe('Whether the call failed or was refused'),
  media: shownBeside(),
})
export const TranscriptMessage = z
  .strictObject({
    role: z
      .enum(['system', 'user', 'assistant', 'tool'])
      .describe(
        'Author of the message; results of subagents have `user`, or `tool` when the call ' +
          'waited for them',
      ),
    text: text('With `system` and `user`: the complete text').optional(),
    media: shownBeside(),
    parts: z
      .array(Part)
      .optional()
      .describe('With `assistant`: its texts and tool calls, in order'),
    results: z.array(Result).optional().describe('With `tool`: one result for each call'),
    position: text('In the messages of a session: position, which never changes').optional(),
  })
  .meta({
    id: 'TranscriptMessage',
    description: 'A message as the model was shown it, or as it answered',
    examples: TRANSCRIPT,
  })

export const MessageSent = z
  .strictObject({
    message_id: idOf('msg', 'ID of the message, as in `message.received`'),
    run_id: idOf('run', 'The run that will read it'),
    answers: textOrNull(
      'The tool call whose question it answers; null: no question was open, so this is an ' +
        'ordinary message',
    ),
  })
  .meta({ examples: MESSAGES_SENT })
