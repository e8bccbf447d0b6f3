/** Schemas of schedules, which define when runs start and with which input. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import {
  INPUT,
  PAUSE_REASON,
  PAUSED,
  RULES,
  RUN,
  SCHEDULE_PLACES,
  WHEN,
} from '../../../core/manage/schedules.ts'
import { REMOVES } from '../../../core/nulls.ts'
import { approvals, WebhookInput } from '../runs/run-input.ts'
import {
  PAUSES,
  SCHEDULE_INPUTS,
  SCHEDULE_PATCHES,
  SCHEDULES,
  SCHEDULES_WRITTEN,
} from '../shared/examples.ts'
import { ModelSettings } from '../shared/models.ts'
import {
  actsFor,
  agentName,
  count,
  text as described,
  extending,
  idOf,
  idOrNull,
  kindIs,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'
import { outcome } from './schedule-fires.ts'
import { ScheduleSource } from './schedule-source.ts'

/** Adds the contract's descriptions to the members of a schedule. */
function describeMembers<S extends Readonly<Record<string, z.ZodType>>>(
  shape: S,
  texts: { readonly [K in keyof S]?: string },
): S {
  const entries = Object.entries(shape).map(([key, schema]) => {
    const text = texts[key]
    return [key, text === undefined ? schema : schema.describe(text)]
  })
  return Object.fromEntries(entries) as S
}

const name = () =>
  z
    .string()
    .max(64)
    .describe('Name that identifies the schedule: 1 to 64 characters from a-z, 0-9, and -')

const when = describeMembers(WHEN, {
  cron:
    'Cron expression with five fields, or six with seconds (a single number) first; ' +
    '`@daily` and similar are supported. Exactly one of `cron`, `at`, and `every` is ' +
    'required',
  timezone:
    'IANA time zone for the `cron` expression. Defaults to UTC. When clocks change, a ' +
    'skipped fixed time is due right after the gap, and a repeated fixed time is due ' +
    'once. Expressions with `*` or `/` in the times follow the local clock',
  at: 'Time of the only slot (RFC 3339; without an offset: UTC)',
  every:
    'Interval from the creation time, in seconds or as `90s`, `15m`, `2h`, `1d`; at least ' +
    `${LIMITS.schedule_seconds_min} s`,
})

const rules = describeMembers(RULES, {
  overlap:
    "Behavior if a slot is due while one of the schedule's runs is active. `skip` or " +
    '`queue` the slot, `cancel_previous` (start after the active run has been cancelled), ' +
    'or `allow` both. Defaults to `skip`',
  catch_up:
    `Slots to run late if missed by more than ${LIMITS.schedule_grace_seconds} s: \`none\`, ` +
    'the `latest` slot, or `all` slots in the window. Defaults to `latest`',
  catch_up_window_seconds:
    'Maximum delay, in seconds, for running a missed slot. Defaults to one day',
  jitter_seconds: 'Maximum random delay for each slot, in seconds. Defaults to 0',
})

/** Members of a schedule that define its due times. */
export const TIMING = { ...when, ends_at: rules.ends_at, jitter_seconds: rules.jitter_seconds }

const {
  approvals: _,
  metadata,
  ...ofRun
} = describeMembers(RUN, {
  role: 'Role for the runs, whose layer is `roles/<role>/`',
  repo_dir: "Repository layer of the schedule's runs, as a key prefix",
  metadata:
    "Key-value pairs for the schedule's runs, which also have the metadata `schedule` and " +
    '`slot`',
})
const run = {
  ...ofRun,
  model_settings: ModelSettings.optional().describe("Settings for the runs' model calls"),
  approvals: approvals('the runs'),
  webhook: WebhookInput.optional().describe(
    "Webhook for each of the schedule's runs; a generated secret is returned only once " +
      'and is the same for all runs',
  ),
  subject: actsFor('each run'),
  metadata,
}
const input = () =>
  INPUT.describe(`Input for the schedule's runs, with placeholders: ${SCHEDULE_PLACES}`)

const paused = PAUSED.describe('Whether the schedule starts in the paused state. Defaults to false')

export const SchedulePut = z
  .strictObject({ ...when, ...rules, input: input(), ...run, paused })
  .meta({ id: 'SchedulePut', description: 'The complete schedule', examples: SCHEDULE_INPUTS })

export const ScheduleInput = z
  .strictObject({
    name: name().optional().describe('Name of the schedule; if omitted, a name is generated'),
    ...when,
    ...rules,
    input: input(),
    ...run,
    paused,
  })
  .meta({
    id: 'ScheduleInput',
    description: 'A schedule to create',
    examples: SCHEDULE_INPUTS,
  })

/** Allows null, which removes a member; each description stays with its member. */
export const clearable = (fields: Readonly<Record<string, z.ZodOptional>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      (field.unwrap() as z.ZodType)
        .nullable()
        .optional()
        .describe(`${field.description}; \`null\` removes the field`),
    ]),
  )

export const SchedulePatch = z
  .strictObject({
    ...when,
    input: input().optional(),
    agent: run.agent,
    ...clearable(rules),
    ...clearable(
      Object.fromEntries(Object.entries(run).filter(([key]) => key !== 'agent')) as never,
    ),
  })
  .meta({
    id: 'SchedulePatch',
    description:
      'Changes to a schedule; omitted members are unchanged, and `null` removes a member. ' +
      'Changes apply starting with the next slot',
    examples: SCHEDULE_PATCHES,
    ...REMOVES,
  })

export const SchedulePause = z.strictObject({ reason: PAUSE_REASON }).meta({
  id: 'SchedulePause',
  description: 'Reason for the pause; the body is optional',
  examples: PAUSES,
})

const ScheduleBase = z
  .strictObject({
    id: idOf('sch', 'ID of the schedule'),
    object: kindIs('schedule'),
    name: described(
      "Name that identifies the schedule; included in the metadata of the schedule's runs",
    ),
    kind: z
      .enum(['schedule', 'wakeup'])
      .describe(
        'Schedule kind; `wakeup` means that a model created the schedule for its own session',
      ),
    status: z
      .enum(['active', 'paused', 'ended'])
      .describe('Status of the schedule; `ended` means that no further slot is due'),
    pause: z
      .strictObject({
        reason: z
          .enum(['by_hand', 'failing', 'source'])
          .describe(
            "Reason for the pause: a client's request, ten consecutive failures, or a missing or " +
              'invalid source file. In the last case, the schedule resumes when the file is ' +
              'correct',
          ),
        detail: textOrNull('Stated reason; `null` if none was stated'),
        at: time('Time at which the schedule was paused'),
      })
      .nullable()
      .describe('Details of the pause; `null` if the schedule is not paused'),
    cron: textOrNull('Cron expression with six fields, seconds first; `null` if there is none'),
    timezone: textOrNull('IANA time zone for the `cron` expression; `null` if there is none'),
    at: timeOrNull("Time of the schedule's only slot", 'the schedule has more than one slot'),
    every_seconds: z.int().nullable().describe('Interval in seconds; `null` if there is none'),
    source: ScheduleSource.nullable().describe(
      'File that defines the schedule; `null` if the schedule was created by a request',
    ),
    description: textOrNull('Human-readable name or description; `null` if not set'),
    overlap: rules.overlap.unwrap().describe('Behavior if a slot is due while a run is active'),
    catch_up: rules.catch_up.unwrap().describe('Missed slots to run late'),
    catch_up_window_seconds: count('Maximum delay, in seconds, for running a missed slot'),
    jitter_seconds: count('Maximum random delay for each slot, in seconds'),
    ends_at: timeOrNull('Time after which no slot is due', 'none'),
    run: z
      .strictObject({
        ...run,
        input: described("Template for the runs' input"),
        agent: agentName('Agent that executes the runs'),
        webhook: WebhookInput.omit({ secret: true })
          .optional()
          .describe("Webhook for the schedule's runs"),
      })
      .describe('Run that a slot starts'),
    next_at: timeOrNull('Time of the next run, including jitter', 'none'),
    upcoming: z
      .array(z.string())
      .describe('Times of the next slots, without jitter (RFC 3339, UTC)'),
    running: z
      .array(
        z.strictObject({
          run_id: idOf('run', 'ID of the run'),
          slot: time('Nominal time of the slot'),
          status: z
            .enum(['due', 'running', 'waiting'])
            .describe(
              'Status of the run: `due` if about to be created, `waiting` if an earlier run must ' +
                'end first',
            ),
          reason: textOrNull(
            'Reason why the run cannot be created yet, such as a quota; `null` if none',
          ),
        }),
      )
      .describe('Runs that have not ended'),
    failures: count(
      'Number of consecutive failed runs; the schedule is paused at ' +
        `${LIMITS.schedule_failures}`,
    ),
    last: z
      .strictObject({
        slot: time('Nominal time of the slot'),
        run_id: idOrNull('run', 'ID of the run', 'none'),
        outcome,
      })
      .nullable()
      .describe("The latest slot's result; `null` if no slot has been due"),
    created_by_run_id: idOrNull('run', 'ID of the run whose model created the schedule', 'none'),
    created_at: time('Creation time'),
  })
  .meta({ id: 'ScheduleBase', description: 'Members common to all schedule responses' })

export const Schedule = ScheduleBase.extend({}).meta({
  id: 'Schedule',
  ...extending(ScheduleBase),
  description: 'A schedule that starts runs at defined times',
  examples: SCHEDULES,
})

export const ScheduleWritten = ScheduleBase.extend({
  webhook_secret: z
    .string()
    .optional()
    .describe(
      'Generated secret; present only in this response, and only if the server generated ' +
        'the secret',
    ),
}).meta({
  id: 'ScheduleWritten',
  ...extending(ScheduleBase),
  description: 'A schedule after a write',
  examples: SCHEDULES_WRITTEN,
})
