/** Schemas of the input of a run, or of a fan-out task that becomes a run. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { LimitsInput, toolLists, WEBHOOK_EVENTS } from '../../../core/run/request.ts'
import { nonBlank } from '../shared/common.ts'
import { content, parts } from '../shared/content.ts'
import { MESSAGE_INPUTS, RUN_INPUTS } from '../shared/examples.ts'
import { ModelSettings } from '../shared/models.ts'
import { actsFor, metadataGiven } from '../shared/words.ts'
import { FORMAT_GIVEN, webhookFormat } from '../webhooks/endpoints.ts'
import { ApprovalsInput } from './approvals.ts'
import { functions } from './functions.ts'

const text = (max: number) => z.string().max(max)

const InputMessage = z.strictObject({
  role: z
    .enum(['user', 'assistant'])
    .describe('Author of the message; the last message must be from the user'),
  content: content('Message content'),
})

export const JoinInput = z
  .strictObject({
    policy: z
      .union([z.enum(['all', 'any']), z.strictObject({ quorum: quorum() })], {
        error: 'The policy must be "all", "any", or {quorum} from 1 to 1,000.',
      })
      .default('all')
      .describe(
        'Join policy: `all` waits until all children have ended, `any` requires one success, ' +
          'and `{quorum}` requires this number of successes',
      ),
    deadline_seconds: z
      .number()
      .positive()
      .max(LIMITS.run_timeout_seconds_max)
      .nullable()
      .default(null)
      .describe(
        'Maximum wall time from the start of the barrier, or of the wait within a step; ' +
          "`null` for the run's remaining time",
      ),
    on_child_failure: z
      .enum(['continue', 'fail'])
      .default('continue')
      .describe(
        'Behavior if a child does not complete: continue with the other children, or fail ' +
          'immediately',
      ),
    cancel_rest: z
      .boolean()
      .default(true)
      .describe('Whether to cancel children that the run is no longer waiting for'),
  })
  .meta({ id: 'Join', description: 'Conditions that end the wait for subagents or tasks' })

function quorum() {
  return z.int().min(1).max(1_000).describe('Number of required successes')
}

/** Members that declare the dedicated webhook of a run or a fan-out. */
export const webhookShape = {
  url: z.string().max(2_048).describe('Target URL; private addresses are rejected'),
  secret: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Signing secret: `whsec_` followed by 24 to 64 bytes in Base64; if omitted, generated ' +
        'and returned only once',
    ),
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
      .describe('Event types to send; defaults to the four events that end a run'),
  })
  .describe("Webhook for this run (Standard Webhooks 1.0), in addition to the tenant's endpoints")

export const onDuplicate = () =>
  z
    .enum(['shadow', 'reject'])
    .optional()
    .describe(
      'Behavior if several layers define the same name: use the nearer definition, or ' +
        "reject the request. Defaults to the policy's setting",
    )
export const strict = () =>
  z
    .boolean()
    .optional()
    .describe(
      'Whether warnings about files cause the request to be rejected. Defaults to the ' +
        "policy's setting",
    )

/** Members that select the layers of a run or a configuration preview. */
export const selectionShape = {
  role: text(64)
    .optional()
    .describe(
      'Role for the run, whose layer is `roles/<role>/`; if omitted, only the base layer ' +
        'applies',
    ),
  repo_dir: text(512)
    .optional()
    .describe('Repository folder, as a key prefix without a leading slash, such as `repos/app`'),
  base_dir: text(512).optional().describe('Base layer to use in place of `base/`'),
  mcp_config_path: text(512)
    .optional()
    .describe('Key of a configuration file, which becomes the only source of MCP servers'),
  mcp_servers: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('MCP servers, inline: a map from name to fields, as in `[mcp_servers.<name>]`'),
  strict: strict(),
  on_duplicate: onDuplicate(),
}

/** Input members of a single run, which a request or a task creates. */
export const runShape = {
  model: text(200)
    .optional()
    .describe(
      "Model: an alias or `provider/model`. Defaults to the agent's model, then to the " +
        "deployment's default",
    ),
  model_settings: ModelSettings.optional().describe(
    "Settings for the run's model calls; these override the agent's and the alias's " +
      'settings. Settings that a provider does not support cause a warning',
  ),
  output_schema: z
    .record(z.string(), z.unknown())
    .refine((schema) => JSON.stringify(schema).length <= 16_384, 'Must be at most 16 KiB')
    .optional()
    .describe(
      'JSON Schema of the response. A response that does not conform is requested once ' +
        'more; after that, `schema_error` states the reason',
    ),
  output_schema_required: z
    .boolean()
    .optional()
    .describe(
      'Whether the run ends as `failed` with code `schema_unmet` if no response conforms to ' +
        'the `output_schema`',
    ),
  metadata: metadataGiven(),
}
/** Members that set a run's earliest start time. */
export const beginShape = {
  start_at: text(40)
    .optional()
    .describe(
      `Start time (RFC 3339), within ${LIMITS.start_seconds_max} s; nothing is executed or ` +
        'billed before this time',
    ),
  expires_in: z
    .int()
    .min(1)
    .max(LIMITS.start_seconds_max)
    .optional()
    .describe(
      'Maximum time in seconds to wait for a start, from `start_at` or else from now. A run ' +
        'that has not started by then ends as `timed_out` with code `expired`, no later than ' +
        'when it reaches the front of the lane',
    ),
  priority: z
    .int()
    .min(-LIMITS.priority_max)
    .max(LIMITS.priority_max)
    .refine((value) => !Object.is(value, -0), 'The value must not be negative zero')
    .optional()
    .describe(
      "Priority of the run; among the tenant's queued runs in a lane, higher priorities " +
        'start first. Default 0. If the queue has a fixed order (AWS), the response includes ' +
        'the warning `priority_ignored`',
    ),
}
export const label = () => text(200).optional().describe('Short name for display and filters')
export const agent = () => text(200).optional().describe('ID of the agent. Defaults to `general`')
export const approvals = (of: string) =>
  ApprovalsInput.optional().describe(`Approval settings for ${of} and all descendants`)

export const RunInput = z
  .strictObject({
    input: z
      .union([nonBlank(), parts(), z.array(InputMessage).min(1).max(1_000)], {
        error:
          'The input must be a non-empty string, a list of parts {type, …}, or a list of 1 to ' +
          '1,000 messages {role, content}.',
      })
      .describe(
        'Task for the run: a string, a list of parts with images and files, or a conversation ' +
          'so far',
      ),
    agent: agent(),
    label: label(),
    context: z
      .string()
      .optional()
      .describe('Background that precedes the input; only for an input with one message'),
    session_id: z.string().max(64).optional().describe('ID of the session to continue'),
    on_busy: z
      .enum(['enqueue', 'reject', 'interrupt'])
      .optional()
      .describe(
        'Behavior if the session has an active run: wait for the turn, reject with 409, or ' +
          "cancel that run. If absent, the input answers the run's open question if there is " +
          'one; otherwise `enqueue` applies',
      ),
    ...selectionShape,
    model: runShape.model,
    model_settings: runShape.model_settings,
    ...toolLists,
    functions: functions(),
    join: JoinInput.optional().describe("Join policy for the run's subagents"),
    limits: LimitsInput.optional(),
    webhook: WebhookInput.optional(),
    output_schema: runShape.output_schema,
    output_schema_required: runShape.output_schema_required,
    approvals: approvals('the run'),
    metadata: runShape.metadata,
    subject: actsFor('the run'),
    ...beginShape,
  })
  .meta({ id: 'RunInput', description: 'A run to create', examples: RUN_INPUTS })
export type RunInput = z.output<typeof RunInput>

export const MessageInput = z
  .strictObject({
    content: content('Message content'),
  })
  .meta({
    id: 'MessageInput',
    description: 'A message to an active run',
    examples: MESSAGE_INPUTS,
  })
