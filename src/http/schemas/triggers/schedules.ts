/** Schedules: when which run starts. */

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
  FIRED,
  FIRES,
  PAUSES,
  SCHEDULE_INPUTS,
  SCHEDULE_PATCHES,
  SCHEDULES,
  SCHEDULES_WRITTEN,
} from '../shared/examples.ts'
import { ModelSettings } from '../shared/models.ts'
import {
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
import { ScheduleSource } from './schedule-source.ts'

/** The members with the texts of the contract. */
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
  z.string().max(64).describe('Name: 1 to 64 of a-z, 0-9, and -; identifies the schedule')

const when = describeMembers(WHEN, {
  cron:
    'Five fields, or six with seconds (one number) first; `@daily` and similar. Exactly ' +
    'one of `cron`, `at`, and `every` is required',
  timezone:
    'With `cron`: an IANA time zone. Default: UTC. When clocks change, a fixed time that ' +
    'is skipped is due right after the gap, and one that occurs twice is due once; an ' +
    'expression with `*` or `/` in its times follows the local clock',
  at: 'Once, at this time (RFC 3339; without an offset: UTC)',
  every:
    'Interval in seconds, or as `90s`, `15m`, `2h`, `1d`, from its creation; at least ' +
    `${LIMITS.schedule_seconds_min} s`,
})

const rules = describeMembers(RULES, {
  overlap:
    'When a slot is due while a run of the schedule is active: `skip` the slot, `queue` ' +
    'it, `cancel_previous` (start after the active run has been cancelled), or `allow` ' +
    'both. Default: `skip`',
  catch_up:
    `Which slots that were missed by more than ${LIMITS.schedule_grace_seconds} s are ` +
    'made up for: `none`, the `latest` one, or `all` of the window. Default: `latest`',
  catch_up_window_seconds: 'How late a missed slot can be made up for. Default: a day',
  jitter_seconds: 'Each slot is delayed by a random part of this. Default: 0',
  ends_at: 'No slot is due after this time (RFC 3339)',
})

const {
  approvals: _,
  metadata,
  ...ofRun
} = describeMembers(RUN, {
  agent: 'ID of the agent of its runs. Default: `general`',
  label: 'A short name for people and filters',
  role: 'Role of its runs, whose layer is `roles/<role>/`',
  repo_dir: 'Repository layer of its runs: a key prefix',
  session_id: 'The session that its runs continue',
  model: 'An alias or `provider/model`. Default: that of the agent',
  limits: 'Limits of each run; omitted limits have their defaults',
  metadata: 'Your own key-value pairs for its runs, which also get `schedule` and `slot`',
})
const run = {
  ...ofRun,
  model_settings: ModelSettings.optional().describe('Settings of its model calls'),
  approvals: approvals('its runs'),
  webhook: WebhookInput.optional().describe(
    'Webhook of each of its runs; a generated secret is shown once and used for all of ' + 'them',
  ),
  metadata,
}
const input = () => INPUT.describe(`Input of its runs, with placeholders: ${SCHEDULE_PLACES}`)

const paused = PAUSED.describe('True: it starts paused. Default: false')

export const SchedulePut = z
  .strictObject({ ...when, ...rules, input: input(), ...run, paused })
  .meta({ id: 'SchedulePut', description: 'The complete schedule', examples: SCHEDULE_INPUTS })

export const ScheduleInput = z
  .strictObject({
    name: name().optional().describe('Omitted: a name is generated'),
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

const clearable = (fields: Readonly<Record<string, z.ZodOptional>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      (field.unwrap() as z.ZodType)
        .nullable()
        .optional()
        .describe(`${field.description}; null removes it`),
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
    description: 'Omitted members are unchanged; null removes one. Applies from the next slot on',
    examples: SCHEDULE_PATCHES,
    ...REMOVES,
  })

export const SchedulePause = z
  .strictObject({ reason: PAUSE_REASON })
  .meta({ id: 'SchedulePause', description: 'The body is optional', examples: PAUSES })

const outcome = z
  .enum([
    ...['started', 'waiting', 'skipped', 'missed'],
    ...['completed', 'failed', 'cancelled', 'timed_out'],
  ] as [string, ...string[]])
  .describe(
    '`started`; `waiting` for an earlier run; `skipped` because of one; `missed` because ' +
      'the deployment was unavailable; or how its run ended',
  )

const ScheduleBase = z
  .strictObject({
    id: idOf('sch', 'The schedule'),
    object: kindIs('schedule'),
    name: described('Identifies the schedule; runs have it in their metadata'),
    kind: z
      .enum(['schedule', 'wakeup'])
      .describe('`wakeup`: created by a model, for its own session'),
    status: z.enum(['active', 'paused', 'ended']).describe('`ended`: no slot will be due'),
    pause: z
      .strictObject({
        reason: z
          .enum(['by_hand', 'failing', 'source'])
          .describe(
            'Why it is paused: by a client, after ten consecutive failures, or because the file ' +
              'that defines it is missing or invalid (it then resumes when the file is correct)',
          ),
        detail: textOrNull('The given reason; null: none'),
        at: time('Time of the pause'),
      })
      .nullable()
      .describe('Null: it is not paused'),
    cron: textOrNull('In six fields, seconds first; null: none'),
    timezone: textOrNull('IANA time zone of `cron`; null: none'),
    at: timeOrNull('Time of its only slot', 'it is due more than once'),
    every_seconds: z.int().nullable().describe('Interval in seconds; null: none'),
    source: ScheduleSource.nullable().describe(
      'The file that defines it; null: it was created by a request',
    ),
    description: textOrNull('For people; null: none'),
    overlap: rules.overlap.unwrap().describe('What to do when a slot is due while a run is active'),
    catch_up: rules.catch_up.unwrap().describe('Which missed slots are made up for'),
    catch_up_window_seconds: count('How late a missed slot can be made up for'),
    jitter_seconds: count('Each slot is delayed by a random part of this'),
    ends_at: timeOrNull('No slot is due after it', 'none'),
    run: z
      .strictObject({
        ...run,
        input: described('Template of their input'),
        agent: agentName('The agent of its runs'),
        webhook: WebhookInput.omit({ secret: true }).optional().describe('Webhook of its runs'),
      })
      .describe('The run that a slot starts'),
    next_at: timeOrNull('Time of the next run, including jitter', 'none'),
    upcoming: z.array(z.string()).describe('The next slots, without jitter (RFC 3339, UTC)'),
    running: z
      .array(
        z.strictObject({
          run_id: idOf('run', 'Its run'),
          slot: time('Nominal time'),
          status: z
            .enum(['due', 'running', 'waiting'])
            .describe('`due`: about to be created. `waiting`: an earlier run must end first'),
        }),
      )
      .describe('Runs that have not ended'),
    failures: count(
      `Number of consecutive failed runs; ${LIMITS.schedule_failures} pause the schedule`,
    ),
    last: z
      .strictObject({
        slot: time('Nominal time'),
        run_id: idOrNull('run', 'Its run', 'none'),
        outcome,
      })
      .nullable()
      .describe('Result of the latest slot; null: none yet'),
    created_by_run_id: idOrNull('run', 'The run whose model created it', 'none'),
    created_at: time('Time of creation'),
  })
  .meta({ id: 'ScheduleBase', description: 'Members of every response about a schedule' })

export const Schedule = ScheduleBase.extend({}).meta({
  id: 'Schedule',
  ...extending(ScheduleBase),
  description: 'Starts a run at certain times',
  examples: SCHEDULES,
})

export const ScheduleWritten = ScheduleBase.extend({
  webhook_secret: z
    .string()
    .optional()
    .describe('Only when it was generated, and only in this response'),
}).meta({
  id: 'ScheduleWritten',
  ...extending(ScheduleBase),
  description: 'A schedule after a write',
  examples: SCHEDULES_WRITTEN,
})

export const ScheduleRun = z
  .strictObject({
    run_id: idOf('run', 'The run of this slot'),
    status: z.enum(['started', 'waiting']).describe('`waiting`: an earlier run must end first'),
  })
  .meta({ id: 'ScheduleRun', description: 'A manually started run', examples: FIRED })

export const ScheduleFire = z
  .strictObject({
    slot: time('Nominal time; for a manual start, the time of the request'),
    manual: z.boolean().describe('Whether it was started manually'),
    run_id: idOrNull('run', 'Its run', 'none'),
    outcome,
    at: time('Time of the decision, or of the end of its run'),
    reason: textOrNull('Why there was no run, or why it failed; null: no reason'),
    count: count('With `missed`: number of missed slots, of which this is the newest; otherwise 1'),
    more: z.boolean().describe('With `missed`: there were older ones that were not counted'),
  })
  .meta({ id: 'ScheduleFire', description: 'Result of a slot', examples: FIRES })
