/**
 * The operations on schedules: one table of names and parameters that REST, the model's tools and
 * `POST /mcp` share. `engine/manage/schedules.ts` implements them. Models read less about each
 * parameter than people, who have the API's contract.
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

/** When it is due. */
export const WHEN = {
  cron: text(200)
    .optional()
    .describe('Five fields, or six with seconds first. Exactly one of cron, at and every is given'),
  timezone: text(64).optional().describe('With cron: an IANA zone; default UTC'),
  at: text(40).optional().describe('Once, at this time (RFC 3339)'),
  every: z
    .union([z.number(), text(20)], { error: 'Seconds, or a number with s, m, h or d.' })
    .optional()
    .describe(`Seconds, or like \`15m\`, \`2h\`; at least ${LIMITS.schedule_seconds_min} s`),
}

/** Slots that meet a run, or that were missed. */
export const RULES = {
  description: text(500).optional().describe('For people'),
  overlap: z
    .enum(OVERLAPS)
    .optional()
    .describe('When a run of it has not ended at the next slot; default skip'),
  catch_up: z
    .enum(CATCH_UPS)
    .optional()
    .describe('Which missed slots are caught up with; default latest'),
  catch_up_window_seconds: z
    .int()
    .min(0)
    .max(LIMITS.schedule_window_seconds_max)
    .optional()
    .describe('How late a missed slot may be; default a day'),
  jitter_seconds: z
    .int()
    .min(0)
    .max(LIMITS.schedule_jitter_seconds_max)
    .optional()
    .describe('Each slot fires up to so much later'),
  ends_at: text(40).optional().describe('No slot is due after this time'),
}

/** The run of a slot, but its webhook, whose secret REST takes and no operation does. */
export const RUN = {
  agent: text(200).optional().describe('The id of the agent; default `general`'),
  label: text(200).optional().describe('A short name for people'),
  role: text(64).optional().describe('Role layer'),
  repo_dir: text(512).optional().describe('Repository layer, e.g. `repos/app`'),
  base_dir: text(512).optional().describe('Replaces `base/`'),
  session_id: text(64).optional().describe('The session that its runs continue'),
  model: text(200).optional().describe('An alias or `provider/model`'),
  model_settings: SettingsSchema.optional().describe('Settings of its calls to models'),
  ...toolLists,
  limits: LimitsInput.optional().describe('Bounds of each run'),
  approvals: ApprovalsShape.optional().describe('How people are asked'),
  metadata: Metadata.optional().describe('Your own pairs for its runs'),
}

export const INPUT = z.string().min(1).max(65_536)
export const PAUSED = z.boolean().optional().describe('True: it begins paused')
export const PAUSE_REASON = text(300).optional().describe('Why, for people')

const webhook = z
  .strictObject({
    url: text(2_048).describe('Target of the POST requests'),
    format: z.enum(CHOSEN_FORMATS).optional().describe('Of the body; default: standard'),
    events: z
      .array(z.enum(WEBHOOK_EVENTS))
      .min(1)
      .max(20)
      .optional()
      .describe('Default: the four ends of a run'),
  })
  .optional()
  .describe(
    'Gets the ends of its runs. Its secret is set by people alone, with PATCH /v1/schedules',
  )

const name = text(64).min(1).describe('Its name: a-z, 0-9 and -')

export const SCHEDULE_OPERATIONS = {
  schedules_list: {
    description: 'Lists schedules, newest first: when which run starts.',
    writes: false,
    input: z.strictObject({
      kind: z
        .enum(['schedule', 'wakeup'])
        .default('schedule')
        .describe('`wakeup`: those that models have made for their own session'),
      limit: z.int().min(1).max(LIMITS.page).default(20).describe('At most so many'),
      cursor: text(1_000).optional().describe('`next_cursor` of the page before'),
    }),
  },
  schedules_get: {
    description: 'Shows a schedule with its next slots.',
    writes: false,
    input: z.strictObject({ name }),
  },
  schedules_put: {
    description:
      'Writes a schedule: each slot starts one run. What is omitted has its default; the same ' +
      'again changes nothing.',
    writes: true,
    input: z.strictObject({
      name,
      ...WHEN,
      ...RULES,
      input: INPUT.describe(`The input of its runs, with places: ${SCHEDULE_PLACES}`),
      ...RUN,
      webhook,
      paused: PAUSED,
    }),
  },
  schedules_switch_on: {
    description:
      'Switches on the schedule of a file, `.agents/schedules/<file>.md` of these layers, which ' +
      'its runs have too. Edits of the file count from the next slot.',
    writes: true,
    input: z.strictObject({
      name,
      file: text(64).optional().describe('Without `.md`; default: the name'),
      role: RUN.role,
      repo_dir: RUN.repo_dir,
      base_dir: RUN.base_dir,
      paused: PAUSED,
    }),
  },
  schedules_delete: {
    description: 'Deletes a schedule; runs that it has started go on.',
    writes: true,
    input: z.strictObject({ name }),
  },
  schedules_pause: {
    description: 'Pauses a schedule; slots meanwhile are not caught up with.',
    writes: true,
    input: z.strictObject({ name, reason: PAUSE_REASON }),
  },
  schedules_resume: {
    description: 'Resumes a schedule, from now on.',
    writes: true,
    input: z.strictObject({ name }),
  },
  schedules_run: {
    description: 'Runs a schedule now, also while it is paused; `overlap` counts.',
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

/** The parameters as JSON Schema; settings of runs by their members' names and bounds alone. */
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
