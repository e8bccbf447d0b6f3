/** The input of a run, or of a task that becomes one. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { LimitsInput, toolLists, WEBHOOK_EVENTS } from '../../../core/run/request.ts'
import { nonBlank } from '../shared/common.ts'
import { content, parts } from '../shared/content.ts'
import { MESSAGE_INPUTS, RUN_INPUTS } from '../shared/examples.ts'
import { ModelSettings } from '../shared/models.ts'
import { metadataGiven } from '../shared/words.ts'
import { FORMAT_GIVEN, webhookFormat } from '../webhooks/endpoints.ts'
import { ApprovalsInput } from './approvals.ts'
import { functions } from './functions.ts'

const text = (max: number) => z.string().max(max)

const InputMessage = z.strictObject({
  role: z
    .enum(['user', 'assistant'])
    .describe('Author of the message; the last message is by the user'),
  content: content('Content of the message'),
})

export const JoinInput = z
  .strictObject({
    policy: z
      .union([z.enum(['all', 'any']), z.strictObject({ quorum: quorum() })], {
        error: 'The policy is "all", "any", or {quorum} from 1 to 1,000.',
      })
      .default('all')
      .describe(
        '`all`: wait until all have ended. `any`: one success is enough. `{quorum}`: this ' +
          'number of successes is enough',
      ),
    deadline_seconds: z
      .number()
      .positive()
      .max(LIMITS.run_timeout_seconds_max)
      .nullable()
      .default(null)
      .describe(
        'Wall time from the start of the barrier, or of the wait within a step; null: the ' +
          "rest of the run's time",
      ),
    on_child_failure: z
      .enum(['continue', 'fail'])
      .default('continue')
      .describe('When a child does not complete: continue with the others, or fail at once'),
    cancel_rest: z
      .boolean()
      .default(true)
      .describe('Whether to cancel children that are no longer waited for'),
  })
  .meta({ id: 'Join', description: 'When the wait for subagents or tasks is over' })

function quorum() {
  return z.int().min(1).max(1_000).describe('Number of required successes')
}

/** Members of the own webhook of a run or a fan-out. */
export const webhookShape = {
  url: z.string().max(2_048).describe('Target URL; private addresses are refused'),
  secret: z
    .string()
    .max(200)
    .optional()
    .describe('`whsec_` and 24 to 64 bytes in Base64; omitted: generated and shown once'),
  format: webhookFormat().optional().describe(FORMAT_GIVEN),
}

export const WebhookInput = z
  .strictObject({
    ...webhookShape,
    events: z
      .array(z.enum(WEBHOOK_EVENTS))
      .min(1)
      .max(20)
      .optional()
      .describe('Event types to send; default: the four ends of a run'),
  })
  .describe("Webhook for this run (Standard Webhooks 1.0), in addition to the tenant's endpoints")

export const onDuplicate = () =>
  z
    .enum(['shadow', 'reject'])
    .optional()
    .describe(
      'When layers define the same name: use the nearer one, or refuse the request. ' +
        'Default: that of the policy',
    )
export const strict = () =>
  z
    .boolean()
    .optional()
    .describe('Warnings about files refuse the request. Default: that of the policy')

/** Which layers a run or a question names. */
export const selectionShape = {
  role: text(64)
    .optional()
    .describe('The role, whose layer is `roles/<role>/`; omitted: the base layer'),
  repo_dir: text(512).optional().describe('Key prefix without leading slash, such as `repos/app`'),
  base_dir: text(512).optional().describe('Replaces `base/`'),
  mcp_config_path: text(512)
    .optional()
    .describe('Key of a configuration file, which becomes the only source of MCP servers'),
  mcp_servers: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The same, inline: a map from name to fields, as in `[mcp_servers.<name>]`'),
  strict: strict(),
  on_duplicate: onDuplicate(),
}

/** The input of the one run that comes of a request or of a task. */
export const runShape = {
  model: text(200)
    .optional()
    .describe('An alias or `provider/model`. Default: that of the agent, else of the deployment'),
  model_settings: ModelSettings.optional().describe(
    'Settings of its model calls; they override those of its agent and of its alias. The ' +
      'run has a warning for settings that a provider does not support',
  ),
  output_schema: z
    .record(z.string(), z.unknown())
    .refine((schema) => JSON.stringify(schema).length <= 16_384, 'At most 16 KiB')
    .optional()
    .describe(
      'JSON Schema of the answer. An answer that does not conform is requested once more; ' +
        'then `schema_error` says why',
    ),
  output_schema_required: z
    .boolean()
    .optional()
    .describe(
      'With `output_schema`: when no answer conforms, the run ends as `failed` with the ' +
        'code `schema_unmet`',
    ),
  metadata: metadataGiven(),
}
/** Time at which the work may start. */
export const beginShape = {
  start_at: text(40)
    .optional()
    .describe(
      `Nothing is performed or billed before this time (RFC 3339), which is within ${LIMITS.start_seconds_max} s`,
    ),
  expires_in: z
    .int()
    .min(1)
    .max(LIMITS.start_seconds_max)
    .optional()
    .describe(
      'Seconds from `start_at`, else from now. A run that has not started by then ends as ' +
        '`timed_out` with the code `expired`, at the latest when its turn in the lane comes',
    ),
  priority: z
    .int()
    .min(-LIMITS.priority_max)
    .max(LIMITS.priority_max)
    .refine((value) => !Object.is(value, -0), 'Must not be minus zero')
    .optional()
    .describe(
      'Queued runs of the tenant with a higher priority start first within a lane; default ' +
        '0. Where the queue keeps its own order (AWS), the warning `priority_ignored` says so',
    ),
}
export const label = () => text(200).optional().describe('A short name for people and filters')
export const agent = () => text(200).optional().describe('ID of an agent. Default: `general`')
export const approvals = (of: string) =>
  ApprovalsInput.optional().describe(`Approval settings for ${of} and everything below`)

export const RunInput = z
  .strictObject({
    input: z
      .union([nonBlank(), parts(), z.array(InputMessage).min(1).max(1_000)], {
        error:
          'The input is a non-empty text, a list of parts {type, …}, or a list of 1 to 1,000 ' +
          'messages {role, content}.',
      })
      .describe('The task: a text, parts with pictures and files, or a conversation so far'),
    agent: agent(),
    label: label(),
    context: z
      .string()
      .optional()
      .describe('Background that precedes the input, if the input is one message'),
    session_id: z.string().max(64).optional().describe('The session to continue'),
    on_busy: z
      .enum(['enqueue', 'reject', 'interrupt'])
      .optional()
      .describe(
        'When the session has an active run: wait for the turn, refuse with 409, or cancel ' +
          'that run. Absent: answer its open question, if it has one, else `enqueue`',
      ),
    ...selectionShape,
    model: runShape.model,
    model_settings: runShape.model_settings,
    ...toolLists,
    functions: functions(),
    join: JoinInput.optional().describe('The join policy for its subagents'),
    limits: LimitsInput.optional(),
    webhook: WebhookInput.optional(),
    output_schema: runShape.output_schema,
    output_schema_required: runShape.output_schema_required,
    approvals: approvals('the run'),
    metadata: runShape.metadata,
    ...beginShape,
  })
  .meta({ id: 'RunInput', description: 'A run to create', examples: RUN_INPUTS })
export type RunInput = z.output<typeof RunInput>

export const MessageInput = z
  .strictObject({
    content: content('Content of the message'),
  })
  .meta({
    id: 'MessageInput',
    description: 'A message to an active run',
    examples: MESSAGE_INPUTS,
  })
