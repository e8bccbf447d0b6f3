/**
 * Schedule operations: one table of names and parameters shared by REST, the model's tools, and
 * `POST /mcp`, implemented in `engine/manage/schedules.ts`. Parameter descriptions for models are
 * shorter than those in the API contract.
 */

import * as z from 'zod'
import { LIMITS } from '../limits.ts'
import { SettingsSchema } from '../model-settings.ts'
import { ApprovalsShape, LimitsInput, Metadata, toolLists, WEBHOOK_EVENTS } from '../run/request.ts'
import { CATCH_UPS, OVERLAPS } from '../schedule/schedule.ts'
import { PLACES } from '../schedule/template.ts'
import { CHOSEN_FORMATS } from '../webhook/format.ts'
import { type Operation, shownSchema } from './operations.ts'

const text = (max: number) => z.string().max(max)
export const SCHEDULE_PLACES = Object.keys(PLACES)
  .map((place) => `\`{{${place}}}\``)
  .join(', ')

/** Parameters that define the due times of a schedule. */
export const WHEN = {
  cron: text(200)
    .optional()
    .describe(
      'Cron expression: five fields, or six with seconds first. Give exactly one of cron, ' +
        'at, and every',
    ),
  timezone: text(64).optional().describe('IANA time zone for cron; default UTC'),
  at: text(40).optional().describe('Time of a single run (RFC 3339)'),
  every: z
    .union([z.number(), text(20)], {
      error: 'Must be a number of seconds, or a number with s, m, h, or d.',
    })
    .optional()
    .describe(
      `Interval: seconds, or e.g. \`15m\`, \`2h\`; at least ${LIMITS.schedule_seconds_min} s`,
    ),
}

/** Rules of a schedule for missed slots, and for slots that are due while a run is still active. */
export const RULES = {
  description: text(500).optional().describe('Description for people'),
  overlap: z
    .enum(OVERLAPS)
    .optional()
    .describe('Behavior if a run is active at the next slot; default skip'),
  catch_up: z.enum(CATCH_UPS).optional().describe('Missed slots to run late; default latest'),
  catch_up_window_seconds: z
    .int()
    .min(0)
    .max(LIMITS.schedule_window_seconds_max)
    .optional()
    .describe('Maximum missed-slot delay; default one day'),
  jitter_seconds: z
    .int()
    .min(0)
    .max(LIMITS.schedule_jitter_seconds_max)
    .optional()
    .describe('Maximum random slot delay'),
  ends_at: text(40).optional().describe('Time after which no slot is due'),
}

/**
 * Parameters of the runs that a schedule starts, except the webhook, whose secret is accepted only
 * by REST.
 */
export const RUN = {
  agent: text(200).optional().describe('Agent ID; default `general`'),
  label: text(200).optional().describe('Short display name'),
  role: text(64).optional().describe('Role layer'),
  repo_dir: text(512).optional().describe('Repository layer, e.g. `repos/app`'),
  base_dir: text(512).optional().describe('Base layer to use in place of `base/`'),
  session_id: text(64).optional().describe('ID of the session that the runs continue'),
  model: text(200).optional().describe('Model: an alias or `provider/model`'),
  model_settings: SettingsSchema.optional().describe('Model call settings'),
  ...toolLists,
  limits: LimitsInput.optional().describe('Limits per run'),
  approvals: ApprovalsShape.optional().describe('Approval settings'),
  metadata: Metadata.optional().describe('Key-value pairs for the runs'),
}

export const INPUT = z.string().min(1).max(65_536)
export const PAUSED = z.boolean().optional().describe('Whether the schedule starts paused')
export const PAUSE_REASON = text(300).optional().describe('Reason for the pause')

const webhook = z
  .strictObject({
    url: text(2_048).describe('Target URL'),
    format: z.enum(CHOSEN_FORMATS).optional().describe('Body format; default: standard'),
    events: z
      .array(z.enum(WEBHOOK_EVENTS))
      .min(1)
      .max(20)
      .optional()
      .describe("Events to send; default: the run's end events"),
  })
  .optional()
  .describe('Webhook for run end events. Only people can set the secret, with PATCH /v1/schedules')

const name = text(64).min(1).describe('Schedule name: a-z, 0-9, and -')

export const SCHEDULE_OPERATIONS = {
  schedules_list: {
    description: 'Lists schedules, newest first.',
    writes: false,
    input: z.strictObject({
      kind: z
        .enum(['schedule', 'wakeup'])
        .default('schedule')
        .describe('Schedule kind. `wakeup`: created by models for their own session'),
      limit: z.int().min(1).max(LIMITS.page).default(20).describe('Maximum number of schedules'),
      cursor: text(1_000).optional().describe('`next_cursor` of the previous page'),
    }),
  },
  schedules_get: {
    description: 'Shows a schedule and its next slots.',
    writes: false,
    input: z.strictObject({ name }),
  },
  schedules_put: {
    description:
      'Writes a schedule: each slot starts one run. Omitted members get defaults; repeating ' +
      'a call has no effect.',
    writes: true,
    input: z.strictObject({
      name,
      ...WHEN,
      ...RULES,
      input: INPUT.describe(`Run input, with placeholders: ${SCHEDULE_PLACES}`),
      ...RUN,
      webhook,
      paused: PAUSED,
    }),
  },
  schedules_switch_on: {
    description:
      'Enables the schedule in the file `.agents/schedules/<file>.md` in these layers; its ' +
      'runs use the same layers. Edits apply from the next slot.',
    writes: true,
    input: z.strictObject({
      name,
      file: text(64).optional().describe('File name without `.md`; default: the name'),
      role: RUN.role,
      repo_dir: RUN.repo_dir,
      base_dir: RUN.base_dir,
      paused: PAUSED,
    }),
  },
  schedules_delete: {
    description: 'Deletes a schedule; active runs continue.',
    writes: true,
    input: z.strictObject({ name }),
  },
  schedules_pause: {
    description: 'Pauses a schedule; slots during the pause are skipped.',
    writes: true,
    input: z.strictObject({ name, reason: PAUSE_REASON }),
  },
  schedules_resume: {
    description: 'Resumes a schedule.',
    writes: true,
    input: z.strictObject({ name }),
  },
  schedules_run: {
    description: 'Runs a schedule now, even if paused; `overlap` applies.',
    writes: true,
    input: z.strictObject({ name }),
  },
} as const satisfies Readonly<Record<string, Operation>>

export type ScheduleOperation = keyof typeof SCHEDULE_OPERATIONS
export type ScheduleOperationInput<N extends ScheduleOperation> = z.output<
  (typeof SCHEDULE_OPERATIONS)[N]['input']
>

export const isScheduleOperation = (tool: string): tool is ScheduleOperation =>
  Object.hasOwn(SCHEDULE_OPERATIONS, tool)

/**
 * Returns the parameters of a schedule operation as JSON Schema; run settings include only member
 * names and bounds.
 */
export function scheduleSchema(operation: ScheduleOperation): Readonly<Record<string, unknown>> {
  const schema = shownSchema(SCHEDULE_OPERATIONS[operation].input)
  const { properties = {} } = schema as { properties?: Record<string, DescribedSchema> }
  for (const name of ['model_settings', 'limits', 'approvals']) {
    for (const member of Object.values(properties[name]?.properties ?? {})) {
      delete member.description
    }
  }
  return schema
}

interface DescribedSchema {
  description?: string
  readonly properties?: Readonly<Record<string, DescribedSchema>>
}
