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
import { Answered, OpenQuestion, todos } from './questions.ts'

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
  total: count('Number of subagents created'),
  live: count('Number still running, or whose end has not been reported yet'),
  completed: count('Number that completed'),
  failed: count('Number that failed'),
  cancelled: count('Number that were cancelled'),
  timed_out: count('Number that timed out'),
  dropped: z
    .int()
    .optional()
    .describe(
      'Number that completed after the run had ended and its session was deleted: nobody got ' +
        'the result',
    ),
})

export const structured = () =>
  z
    .unknown()
    .describe('The answer as data, by the `output_schema`; null: none was asked for, or none fits')

const Attachment = z
  .strictObject({
    key: text('Its key among the files of the tenant'),
    media_type: text('By the end of its name; `application/octet-stream` where that says nothing'),
    bytes: countOrNull('Its size in bytes; null: it is gone, or this is a list'),
    download: z
      .strictObject({
        path: text('Below the address of this deployment; whoever has it needs no API key'),
        expires_at: time(`So long it is good, ${LIMITS.download_seconds} s from this answer`),
      })
      .nullable()
      .describe('A link to the file as it is then; null: it is gone, or this is a list'),
  })
  .meta({ id: 'Attachment', description: 'A file that a run hands over' })

const Output = z.strictObject({
  text: text('The last answer of the model'),
  structured: structured(),
  attachments: z.array(Attachment).describe('Files attached to the output'),
  schema_error: z.string().optional().describe('Why the answer does not fit the schema'),
})

export const kinds =
  '`main`: asked for by a request, or the closing run of a fan-out. `subagent`: started by a run or a fan-out. `hook`: started by ' +
  'a webhook that came in. `schedule`: started by a schedule'

const RunBase = z
  .strictObject({
    id: idOf('run', 'The run'),
    object: kindIs('run'),
    kind: z.enum(['main', 'subagent', 'schedule', 'hook']).describe(kinds),
    status: RunStatus.describe(
      'The last four are ends and never change. `waiting`: see `waiting_on`',
    ),
    waiting_on: z
      .enum(WAITING_ON)
      .nullable()
      .describe(
        '`function`: for results of `function_calls`. `session`: for its turn. `model`: for a ' +
          'model that is unavailable, see `outage`. Null: it does not wait',
      ),
    outage: z
      .strictObject({
        since: time('When the first attempt failed; the running time is paused since then'),
        retry_at: timeOrNull('The time of the next attempt', 'an attempt is under way'),
        gives_up_at: timeOrNull(
          'The end of the patience, when the run fails',
          'after three attempts',
        ),
        attempts: count('Failed attempts'),
        error: RunError.describe('The last failure'),
      })
      .optional()
      .describe('The run waits for a model that is unavailable; absent: it does not'),
    stop_reason: textOrNull(`Why it ended. ${stopReasons}. Null: it has not ended`),
    agent: agentName(),
    model: textOrNull('`provider/model`; null before the run has started'),
    input: text('The first 500 characters of the last input message'),
    label: labelOrNull(),
    role: textOrNull('The role whose layer it uses; null: none was named'),
    repo_dir: textOrNull('The prefix of its repository layer; null: it has none'),
    session_id: idOf('ses', 'The session that its transcript belongs to'),
    parent_run_id: idOrNull('run', 'The run that started it', 'no run did'),
    fanout_id: idAbsent('fan', 'The fan-out that started it', 'none did'),
    root_run_id: idOf('run', 'The topmost run of its tree; its own where no run started it'),
    requester_session_id: idOrNull('ses', 'The session of the run that started it', 'no run did'),
    depth: count(
      'Depth in its tree: 0 for a top-level run, 1 for its subagents and for tasks of a fan-out',
    ),
    lane: z
      .enum(['main', 'subagent', 'background'])
      .describe('The queue that it is scheduled in; subagents have one of their own'),
    config_digest: textOrNull(
      'SHA-256 of the configuration that it was given, for `POST /v1/resolve/diff`; null before ' +
        'the run has started',
    ),
    created_at: time('When it was accepted'),
    start_at: time('Nothing of it is performed before; absent: it may begin at once').optional(),
    expires_at: time('It ends unless it has begun by then; absent: never').optional(),
    priority: z.int().optional().describe('Among queued runs of its lane; absent: 0'),
    started_at: timeOrNull('When work on it began', 'not yet'),
    ended_at: timeOrNull('When it ended', 'not yet'),
    output: Output.nullable().describe(
      'The final answer; null unless it completed. In lists the text may be shortened',
    ),
    partial: z
      .string()
      .optional()
      .describe('Its last text, when it ended without an output; in lists shortened'),
    error: RunError.nullable().describe('Why it did not complete; null: nothing went wrong'),
    steps: count('Answers of the model so far'),
    cost: z
      .number()
      .nullable()
      .describe("By the policy's prices, with that of its subagents; null: no price is known"),
    usage: Usage.describe('Its own and that of its subagents that have ended'),
    budget: budget(),
    children: ChildCounts.describe('Counts of its subagents by status'),
    question: OpenQuestion.optional(),
    function_calls: functionCalls(),
    todos: todos()
      .optional()
      .describe('The list that it works by; absent: it has made none. Lists of runs leave it out'),
    warnings: warnings(
      Warning,
      'Problems that the run goes on with; before the start: as found when it was accepted',
    ),
    metadata: metadata('this run'),
  })
  .meta({ id: 'RunBase', description: 'Members of every answer about a run' })

export const Run = RunBase.extend({}).meta({
  id: 'Run',
  ...extending(RunBase),
  description: 'A durable execution of an agent',
  examples: RUNS,
})

export const CreatedRun = RunBase.extend({
  webhook_secret: webhookSecret(),
  answered: Answered.optional(),
}).meta({
  id: 'CreatedRun',
  ...extending(RunBase),
  description: 'A run as its creation is answered',
  examples: CREATED_RUNS,
})

export const CancelledRun = RunBase.extend({
  cancelled_children: cancelledChildren(),
}).meta({
  id: 'CancelledRun',
  ...extending(RunBase),
  description: 'A run after a cancel, with its direct children',
  examples: CANCELLED_RUNS,
})

export const RetriedRun = RunBase.extend({
  retried: z
    .array(idOf('run', 'The run itself, or a subagent below it'))
    .describe('Runs whose model call is retried; empty: an attempt is already under way'),
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
      return z.array(RunTree).describe('Its subagents, each with its own')
    },
  })
  .meta({ id: 'RunTree', description: 'A run with all below it', examples: RUN_TREES })

const Part = z.strictObject({
  type: z
    .enum(['text', 'reasoning', 'call'])
    .describe('Kind of the part; decides which other members are present'),
  text: text('With `text` and `reasoning`: what the model wrote').optional(),
  id: callId('With `call`: the tool call').optional(),
  tool: text('With `call`: the name of the tool').optional(),
  arguments: z.string().optional().describe('With `call`: JSON text as the model wrote it'),
})
const shownBeside = () =>
  z
    .array(ShownMedia)
    .optional()
    .describe(
      'Pictures, sound and files that the text names; their bytes: `GET /v1/runs/{id}/media/{digest}`',
    )
const Result = z.strictObject({
  call: callId('The tool call that it answers'),
  tool: text('The name of the tool'),
  text: text('The result as the model saw it'),
  is_error: z.boolean().describe('Whether the call failed, or was refused'),
  media: shownBeside(),
})
export const TranscriptMessage = z
  .strictObject({
    role: z
      .enum(['system', 'user', 'assistant', 'tool'])
      .describe(
        'Author of the message; results of subagents appear as `user`, waited for as `tool`',
      ),
    text: text('With `system` and `user`: the whole text').optional(),
    media: shownBeside(),
    parts: z
      .array(Part)
      .optional()
      .describe('With `assistant`: its texts and tool calls, in order'),
    results: z.array(Result).optional().describe('With `tool`: one result for each call'),
    position: text('In the list of a session: its place there, which never changes').optional(),
  })
  .meta({
    id: 'TranscriptMessage',
    description: 'A message as the model was shown it, or as it answered',
    examples: TRANSCRIPT,
  })

export const MessageSent = z
  .strictObject({
    message_id: idOf('msg', 'The message, as `message.received` names it'),
    run_id: idOf('run', 'The run that will read it'),
    answers: textOrNull(
      'The tool call whose question it answers; null: none was open, it is an ordinary message',
    ),
  })
  .meta({ examples: MESSAGES_SENT })
