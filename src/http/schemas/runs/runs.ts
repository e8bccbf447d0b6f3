/** Schemas of runs, as the API returns them. */

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
import { budget } from '../shared/event-parts.ts'
import {
  CANCELLED_RUNS,
  CREATED_RUNS,
  MESSAGES_SENT,
  RETRIED_RUNS,
  RUN_TREES,
  RUNS,
} from '../shared/examples.ts'
import {
  agentName,
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
  total: count('Number of subagents created'),
  live: count('Number of subagents that are active or whose end has not been reported yet'),
  completed: count('Number of completed subagents'),
  failed: count('Number of failed subagents'),
  cancelled: count('Number of cancelled subagents'),
  timed_out: count('Number of subagents that timed out'),
  dropped: z
    .int()
    .optional()
    .describe(
      'Number of subagents whose results no run received, because the run had ended and the ' +
        "run's session was deleted",
    ),
})

export const structured = () =>
  z
    .unknown()
    .describe(
      'Response as data that conforms to the `output_schema`; `null` if no schema was ' +
        'requested or no response conforms',
    )

const Attachment = z
  .strictObject({
    key: text('File key'),
    media_type: text(
      'Media type, derived from the file extension; `application/octet-stream` if unknown',
    ),
    bytes: countOrNull('Size in bytes; `null` if the file was deleted, and in lists'),
    download: z
      .strictObject({
        path: text("Path relative to this deployment's URL; the link requires no API key"),
        expires_at: time(
          `Expiration time of the link, ${LIMITS.download_seconds} s after this response`,
        ),
      })
      .nullable()
      .describe('Download link to the current file; `null` if the file was deleted, and in lists'),
  })
  .meta({ id: 'Attachment', description: "A file attached to a run's output" })

const Output = z.strictObject({
  text: text("The model's last answer"),
  structured: structured(),
  attachments: z.array(Attachment).describe('Files attached to the output'),
  schema_error: z
    .string()
    .optional()
    .describe('Reason why the response does not conform to the schema'),
})

export const kinds =
  'A `main` run is created by a request or closes a fan-out. A `subagent` run is ' +
  'started by a run or a fan-out. A `hook` run is started by an inbound webhook, and a ' +
  '`schedule` run by a schedule'

const RunBase = z
  .strictObject({
    id: idOf('run', 'ID of the run'),
    object: kindIs('run'),
    kind: z.enum(['main', 'subagent', 'schedule', 'hook']).describe(kinds),
    status: RunStatus.describe(
      'Status of the run; the last four values are final. For `waiting`, see `waiting_on`',
    ),
    waiting_on: z
      .enum([...WAITING_ON, 'tenant'])
      .nullable()
      .describe(
        'Condition that the run is waiting for: `function` for results of `function_calls`, ' +
          '`session` for a turn, `model` for an unavailable model (see `outage`), `tenant` for ' +
          'the resumption of the paused or suspended tenant. `null` if the run is not waiting',
      ),
    outage: z
      .strictObject({
        since: time(
          'Time of the first failed attempt; the running time has been paused since then',
        ),
        retry_at: timeOrNull('Time of the next attempt', 'an attempt is in progress'),
        gives_up_at: timeOrNull(
          'Time at which the run stops waiting and fails',
          'the run fails after three attempts',
        ),
        attempts: count('Number of failed attempts'),
        error: RunError.describe('Error from the last failed attempt'),
      })
      .optional()
      .describe(
        'Outage that affects the model that the run is waiting for; absent if the run is not ' +
          'waiting for a model',
      ),
    stop_reason: textOrNull(
      `Reason why the run ended. ${stopReasons}. \`null\` if the run has not ended`,
    ),
    agent: agentName(),
    model: textOrNull("The run's model, as `provider/model`; `null` if the run has not started"),
    input: text('First 500 characters of the last input message'),
    label: labelOrNull(),
    role: textOrNull('Role whose layer the run uses; `null` if the run has no role'),
    repo_dir: textOrNull("Prefix of the run's repository layer; `null` if the run has none"),
    session_id: idOf('ses', "ID of the session that contains the run's transcript"),
    parent_run_id: idOrNull('run', 'ID of the run that started this run or session', 'none'),
    fanout_id: idAbsent('fan', 'ID of the fan-out that started this run', 'none'),
    root_run_id: idOf('run', "ID of the root run of the tree; for a root run, the run's own ID"),
    requester_session_id: idOrNull(
      'ses',
      'ID of the session from which this run or session was started',
      'none',
    ),
    depth: count(
      "Depth in the tree: 0 for a root, 1 for the root's subagents and for fan-out tasks",
    ),
    lane: z
      .enum(['main', 'subagent', 'background'])
      .describe('Lane in which the run is scheduled; subagents have a separate lane'),
    config_digest: textOrNull(
      "SHA-256 of the run's configuration, for `POST /v1/resolve/diff`; `null` if the run " +
        'has not started',
    ),
    created_at: time('Time at which the request was accepted'),
    start_at: time(
      'Time before which nothing is executed; absent if the run can start immediately',
    ).optional(),
    expires_at: time(
      'Time at which the run expires if it has not started; absent if the run does not ' + 'expire',
    ).optional(),
    priority: z.int().optional().describe('Priority among queued runs in the lane; absent if 0'),
    started_at: timeOrNull(
      'Time at which work started',
      'the run or fan-out has not reached this state',
    ),
    ended_at: timeOrNull(
      'Time at which the run or fan-out ended',
      'the run or fan-out has not reached this state',
    ),
    output: Output.nullable().describe(
      "The run's final output; `null` if the run has not completed. The text may be " +
        'truncated in lists',
    ),
    partial: z
      .string()
      .optional()
      .describe('Last text from a run that ended without an output; truncated in lists'),
    error: RunError.nullable().describe(
      'Error that prevented completion; `null` if there was no error',
    ),
    steps: count('Number of model responses so far'),
    cost: z
      .number()
      .nullable()
      .describe(
        "Cost based on the policy's prices, including subagents; `null` if no price is known",
      ),
    usage: Usage.describe('Usage for the run and for subagents that have ended'),
    budget: budget(),
    children: ChildCounts.describe('Number of subagents by status'),
    question: OpenQuestion.optional(),
    function_calls: functionCalls(),
    todos: todos()
      .optional()
      .describe("The run's to-do list; absent if there is none, and in run lists"),
    warnings: warnings(
      Warning,
      'Problems that did not stop the run; before the start, problems found when the run ' +
        'was accepted',
    ),
    metadata: metadata('this run'),
    subject: text('End user whose secrets the run uses; absent if there is none').optional(),
  })
  .meta({ id: 'RunBase', description: 'Members common to all run responses' })

export const Run = RunBase.extend({}).meta({
  id: 'Run',
  ...extending(RunBase),
  description: 'A durable agent execution',
  examples: RUNS,
})

export const CreatedRun = RunBase.extend({
  webhook_secret: webhookSecret(),
  answered: AnswerReceipt.optional(),
}).meta({
  id: 'CreatedRun',
  ...extending(RunBase),
  description: 'A run as returned by the request that creates it',
  examples: CREATED_RUNS,
})

export const CancelledRun = RunBase.extend({
  cancelled_children: cancelledChildren(),
}).meta({
  id: 'CancelledRun',
  ...extending(RunBase),
  description: 'A run after a cancellation, with direct children',
  examples: CANCELLED_RUNS,
})

export const RetriedRun = RunBase.extend({
  retried: z
    .array(idOf('run', 'ID of the run itself, or of a descendant'))
    .describe(
      'IDs of the runs whose model call is retried; empty if an attempt is already in ' +
        'progress',
    ),
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
      return z.array(RunTree).describe("The run's subagents, each with further subagents")
    },
  })
  .meta({ id: 'RunTree', description: 'A run with all descendants', examples: RUN_TREES })

export const MessageSent = z
  .strictObject({
    message_id: idOf('msg', 'ID of the message, as in `message.received`'),
    run_id: idOf('run', 'ID of the run that will read the message'),
    answers: textOrNull(
      'ID of the tool call whose question the message answers; `null` if no question was ' +
        'open, so that this is an ordinary message',
    ),
  })
  .meta({ examples: MESSAGES_SENT })
