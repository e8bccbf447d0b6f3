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
  extending,
  idOf,
  idOrNull,
  kindIs,
  text as said,
  textOrNull,
  time,
  timeOrNull,
} from '../shared/words.ts'
import { ScheduleSource } from './schedule-source.ts'

/** The members with the texts of the contract. */
function told<S extends Readonly<Record<string, z.ZodType>>>(
  shape: S,
  texts: { readonly [K in keyof S]?: string },
): S {
  const entries = Object.entries(shape).map(([key, schema]) => {
    const said = texts[key]
    return [key, said === undefined ? schema : schema.describe(said)]
  })
  return Object.fromEntries(entries) as S
}

const name = () =>
  z.string().max(64).describe('Its name: 1 to 64 of a-z, 0-9 and -; one name is one schedule')

const when = told(WHEN, {
  cron:
    'Five fields, or six with seconds (one number) first; `@daily` and the like. Exactly one of ' +
    '`cron`, `at` and `every` is given',
  timezone:
    'With `cron`: an IANA zone. Default: UTC. When clocks change, a fixed time that is skipped ' +
    'is due right after the gap, one that comes twice is due once; an expression with `*` or ' +
    '`/` in its times follows the clock on the wall',
  at: 'Once, at this time (RFC 3339; without an offset: UTC)',
  every: `So many seconds, or \`90s\`, \`15m\`, \`2h\`, \`1d\`, counted from its creation; at least ${LIMITS.schedule_seconds_min} s`,
})

const rules = told(RULES, {
  overlap:
    'When a slot is due and a run of the schedule has not ended: `skip` the slot, `queue` it, ' +
    '`cancel_previous` (the next one starts when that has ended), or `allow` both. Default: `skip`',
  catch_up:
    `Slots that nobody was there for within ${LIMITS.schedule_grace_seconds} s: none, the ` +
    '`latest` one, or `all` of the window. Default: `latest`',
  catch_up_window_seconds: 'How late a missed slot may still be. Default: a day',
  jitter_seconds: 'Each slot fires up to so much later, by its own share. Default: 0',
  ends_at: 'No slot is due after this time (RFC 3339)',
})

const {
  approvals: _,
  metadata,
  ...ofRun
} = told(RUN, {
  agent: 'The id of the agent that its runs are. Default: `general`',
  label: 'A short name for people and filters',
  role: 'The role layer `roles/<role>/` of its runs',
  repo_dir: 'The repository layer of its runs: a key prefix',
  session_id: 'The session whose transcript its runs continue',
  model: "An alias or `provider/model`. Default: the agent's",
  limits: 'Bounds of each run; what is omitted has its default',
  metadata: 'Your own pairs for its runs, which get `schedule` and `slot` besides',
})
const run = {
  ...ofRun,
  model_settings: ModelSettings.optional().describe('Settings of its calls to models'),
  approvals: approvals('its runs'),
  webhook: WebhookInput.optional().describe(
    'Webhook for each of its runs; a generated secret is shown once, and is the same for all',
  ),
  metadata,
}
const input = () => INPUT.describe(`The input of its runs, with places: ${SCHEDULE_PLACES}`)

const paused = PAUSED.describe('True: it begins paused. Default: false')

export const SchedulePut = z
  .strictObject({ ...when, ...rules, input: input(), ...run, paused })
  .meta({ id: 'SchedulePut', description: 'A schedule as it is to be', examples: SCHEDULE_INPUTS })

export const ScheduleInput = z
  .strictObject({
    name: name().optional().describe('Omitted: one is made'),
    ...when,
    ...rules,
    input: input(),
    ...run,
    paused,
  })
  .meta({
    id: 'ScheduleInput',
    description: 'A schedule to be created',
    examples: SCHEDULE_INPUTS,
  })

const clearable = (fields: Readonly<Record<string, z.ZodOptional>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      (field.unwrap() as z.ZodType)
        .nullable()
        .optional()
        .describe(`${field.description}; null takes it away`),
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
    description: 'Omitted members stay as they are; null removes one. Counts from the next slot on',
    examples: SCHEDULE_PATCHES,
    ...REMOVES,
  })

export const SchedulePause = z
  .strictObject({ reason: PAUSE_REASON })
  .meta({ id: 'SchedulePause', description: 'The body may be left out', examples: PAUSES })

const outcome = z
  .enum([
    ...['started', 'waiting', 'skipped', 'missed'],
    ...['completed', 'failed', 'cancelled', 'timed_out'],
  ] as [string, ...string[]])
  .describe(
    '`started`, `waiting` for an earlier run, `skipped` because of one, `missed` because nobody ' +
      'was there, or how its run ended',
  )

const ScheduleBase = z
  .strictObject({
    id: idOf('sch', 'The schedule'),
    object: kindIs('schedule'),
    name: said('One name is one schedule; runs carry it in their metadata'),
    kind: z.enum(['schedule', 'wakeup']).describe('`wakeup`: a model made it, for its own session'),
    status: z.enum(['active', 'paused', 'ended']).describe('`ended`: nothing will be due any more'),
    pause: z
      .strictObject({
        reason: z
          .enum(['by_hand', 'failing', 'source'])
          .describe(
            'Why it is paused: by people, after ten failures in a row, or because the file that ' +
              'defines it is gone or wrong (then it goes on by itself when the file is right)',
          ),
        detail: textOrNull('Why; null: nobody said'),
        at: time('When it was paused'),
      })
      .nullable()
      .describe('Null: it is not paused'),
    cron: textOrNull('In six fields, seconds first; null: it has none'),
    timezone: textOrNull('Of `cron`, as IANA spells it; null: it has none'),
    at: timeOrNull('When it is due once', 'it is due more than once'),
    every_seconds: z.int().nullable().describe('Between two slots; null: it has no such rhythm'),
    source: ScheduleSource.nullable().describe('The file that defines it; null: requests do'),
    description: textOrNull('For people; null: none'),
    overlap: rules.overlap.unwrap().describe('When a slot meets a run that has not ended'),
    catch_up: rules.catch_up.unwrap().describe('Which slots count that nobody was there for'),
    catch_up_window_seconds: count('How late a missed slot may still be'),
    jitter_seconds: count('Each slot fires up to so much later'),
    ends_at: timeOrNull('No slot is due after it', 'it has no end'),
    run: z
      .strictObject({
        ...run,
        input: said('The template of their input'),
        agent: agentName('The agent that its runs are'),
        webhook: WebhookInput.omit({ secret: true }).optional().describe('Webhook of its runs'),
      })
      .describe('The run that a slot starts'),
    next_at: timeOrNull('When it fires next, jitter included', 'it will not'),
    upcoming: z.array(z.string()).describe('The next slots, without jitter (RFC 3339, UTC)'),
    running: z
      .array(
        z.strictObject({
          run_id: idOf('run', 'Its run'),
          slot: time('The nominal time'),
          status: z
            .enum(['due', 'running', 'waiting'])
            .describe('`due`: about to be created. `waiting`: an earlier one has to end first'),
        }),
      )
      .describe('Fires that have not ended'),
    failures: count(`Runs in a row that failed; ${LIMITS.schedule_failures} pause it`),
    last: z
      .strictObject({
        slot: time('The nominal time'),
        run_id: idOrNull('run', 'Its run', 'there was none'),
        outcome,
      })
      .nullable()
      .describe('The last thing that became of a slot; null: nothing yet'),
    created_by_run_id: idOrNull('run', 'The run whose model made it', 'no model did'),
    created_at: time('When it was created'),
  })
  .meta({ id: 'ScheduleBase', description: 'Members of every answer about a schedule' })

export const Schedule = ScheduleBase.extend({}).meta({
  id: 'Schedule',
  ...extending(ScheduleBase),
  description: 'When which run starts',
  examples: SCHEDULES,
})

export const ScheduleWritten = ScheduleBase.extend({
  webhook_secret: z.string().optional().describe('Only when it was made, only in this answer'),
}).meta({
  id: 'ScheduleWritten',
  ...extending(ScheduleBase),
  description: 'A schedule as a write is answered',
  examples: SCHEDULES_WRITTEN,
})

export const ScheduleRun = z
  .strictObject({
    run_id: idOf('run', 'The run of this fire'),
    status: z.enum(['started', 'waiting']).describe('`waiting`: an earlier one has to end first'),
  })
  .meta({ id: 'ScheduleRun', description: 'A fire by hand', examples: FIRED })

export const ScheduleFire = z
  .strictObject({
    slot: time('The nominal time; of a fire by hand: when it was asked for'),
    manual: z.boolean().describe('Somebody has asked for it'),
    run_id: idOrNull('run', 'Its run', 'there is none'),
    outcome,
    at: time('When that was decided, or its run ended'),
    reason: textOrNull('Why there was no run, or why it failed; null: nothing to say'),
    count: count('With `missed`: so many slots, this the newest of them; else 1'),
    more: z.boolean().describe('With `missed`: and older ones that nobody has counted'),
  })
  .meta({ id: 'ScheduleFire', description: 'What became of a slot', examples: FIRES })
