/** Sessions: runs in a series that share a transcript. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { REMOVES } from '../../../core/nulls.ts'
import { kinds } from '../runs/runs.ts'
import { Usage } from '../shared/common.ts'
import { SESSION_FORKS, SESSION_INPUTS, SESSIONS } from '../shared/examples.ts'
import {
  count,
  idOf,
  idOrNull,
  kindIs,
  metadata,
  metadataGiven,
  text,
  textOrNull,
  time,
} from '../shared/words.ts'

function title() {
  return z.string().trim().min(1).max(LIMITS.session_title).describe('As people call it')
}
function retention() {
  return z
    .int()
    .min(60)
    .max(LIMITS.session_retention_seconds_max)
    .describe(
      'It is deleted when nothing has happened in it for so long; left out: it is kept until ' +
        'somebody deletes it',
    )
}

export const SessionInput = z
  .strictObject({
    agent: z
      .string()
      .max(200)
      .optional()
      .describe('The agent of its first turn, unless that names another one'),
    title: title().optional(),
    retention_seconds: retention().optional(),
    metadata: metadataGiven(),
  })
  .meta({
    id: 'SessionInput',
    description: 'A session to be created; every member may be left out',
    examples: SESSION_INPUTS,
  })

/** A change: what is left out stays, null takes away. */
export const SessionChange = z
  .strictObject({
    title: title()
      .nullable()
      .optional()
      .describe('As people call it; null: nobody does')
      .meta(REMOVES),
    agent: z
      .string()
      .max(200)
      .nullable()
      .optional()
      .describe('The agent of the next turn, unless that names another one')
      .meta(REMOVES),
    archived: z
      .boolean()
      .optional()
      .describe('Whether it is put away: no run comes in, and lists leave it out'),
    retention_seconds: retention()
      .nullable()
      .optional()
      .describe('It is deleted when nothing has happened in it for so long; null: it is kept')
      .meta(REMOVES),
    metadata: metadataGiven(),
  })
  .meta({
    id: 'SessionChange',
    description: 'A change of a session; every member may be left out, and null takes it away',
    examples: [{ title: 'Refund of order 1042', archived: true }],
    ...REMOVES,
  })

export const SessionFork = z
  .strictObject({
    position: z
      .string()
      .regex(/^\d{1,9}\.\d{1,9}$/)
      .optional()
      .describe('The last message that it keeps, by its `position`; left out: all of them'),
    run_id: z
      .string()
      .max(64)
      .optional()
      .describe(
        'Instead of `position`: a run of this session that has ended. Its last message is kept last',
      ),
    step: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Only with `run_id`: the step of that run, counted from 0. Its answer and the results of ' +
          'its calls are kept last; left out: the whole run is kept',
      ),
    title: title().optional(),
    metadata: metadataGiven(),
  })
  .refine(({ position, run_id }) => position === undefined || run_id === undefined, {
    path: ['run_id'],
    error: 'Give `position` or `run_id`, not both.',
  })
  .refine(({ run_id, step }) => run_id !== undefined || step === undefined, {
    path: ['step'],
    error: 'A step belongs to a run: give `run_id` too.',
  })
  .meta({
    id: 'SessionFork',
    description: 'Where a new session goes on from; every member may be left out',
    examples: SESSION_FORKS,
  })

export const SessionKind = z.enum(['main', 'subagent', 'schedule', 'hook'])

export const Session = z
  .strictObject({
    id: idOf('ses', 'The session'),
    object: kindIs('session'),
    kind: SessionKind.describe(`As the run that began it. ${kinds}`),
    agent: textOrNull('The agent of the next turn that names none; null: `general`'),
    title: textOrNull('As people call it; null: nobody has named it'),
    opening: textOrNull('How its first input begins; null: there was none'),
    archived: z.boolean().describe('Whether it is put away'),
    retention_seconds: z
      .int()
      .nullable()
      .describe('How long it is kept when nothing happens in it; null: until somebody deletes it'),
    forked_from: z
      .strictObject({
        session_id: idOf('ses', 'The session'),
        position: text('Its last message that was kept'),
      })
      .nullable()
      .describe('Where it goes on from; null: it began by itself'),
    current_run_id: idOrNull('run', 'The run that has the turn', 'no run has it'),
    waiting: count('Runs that wait for it'),
    parent_session_id: idOrNull('ses', 'The session of the run that started it', 'no run did'),
    created_by_run_id: idOrNull('run', 'The run that started it', 'no run did'),
    created_at: time('When it was created'),
    active_at: time('When a turn last came or ended, or it was changed'),
    metadata: metadata('this session'),
    usage: Usage.optional().describe(
      'Of its newest 1,000 runs that are kept, with their subagents; absent in lists',
    ),
    runs: count('Runs that it has had, those that wait included; absent in lists').optional(),
    cost: z
      .number()
      .nullable()
      .optional()
      .describe('US dollars of these; null: no price is known; absent in lists'),
  })
  .meta({ id: 'Session', description: 'Runs that share a transcript', examples: SESSIONS })
