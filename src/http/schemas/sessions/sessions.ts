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
  return z.string().trim().min(1).max(LIMITS.session_title).describe('Title for people')
}
function retention() {
  return z
    .int()
    .min(60)
    .max(LIMITS.session_retention_seconds_max)
    .describe(
      'Retention in seconds after the last activity; omitted: it is kept until it is ' + 'deleted',
    )
}

export const SessionInput = z
  .strictObject({
    agent: z
      .string()
      .max(200)
      .optional()
      .describe('Agent of its first turn, unless the turn names another one'),
    title: title().optional(),
    retention_seconds: retention().optional(),
    metadata: metadataGiven(),
  })
  .meta({
    id: 'SessionInput',
    description: 'A session to create; all members are optional',
    examples: SESSION_INPUTS,
  })

/** A change: omitted members stay, null removes. */
export const SessionChange = z
  .strictObject({
    title: title().nullable().optional().describe('Title for people; null: none').meta(REMOVES),
    agent: z
      .string()
      .max(200)
      .nullable()
      .optional()
      .describe('Agent of the next turn, unless the turn names another one')
      .meta(REMOVES),
    archived: z
      .boolean()
      .optional()
      .describe('Whether it is archived: it takes no runs, and lists omit it'),
    retention_seconds: retention()
      .nullable()
      .optional()
      .describe('Retention in seconds after the last activity; null: it is kept')
      .meta(REMOVES),
    metadata: metadataGiven(),
  })
  .meta({
    id: 'SessionChange',
    description: 'A change of a session; all members are optional, and null removes a value',
    examples: [{ title: 'Refund of order 1042', archived: true }],
    ...REMOVES,
  })

export const SessionFork = z
  .strictObject({
    position: z
      .string()
      .regex(/^\d{1,9}\.\d{1,9}$/)
      .optional()
      .describe('The last message to copy, by its `position`; omitted: all messages'),
    run_id: z
      .string()
      .max(64)
      .optional()
      .describe(
        'Alternative to `position`: a run of this session that has ended, whose last message ' +
          'is copied last',
      ),
    step: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Only with `run_id`: a step of that run, from 0. Its answer and the results of its ' +
          'calls are copied last; omitted: the whole run',
      ),
    title: title().optional(),
    metadata: metadataGiven(),
  })
  .refine(({ position, run_id }) => position === undefined || run_id === undefined, {
    path: ['run_id'],
    error: 'Either `position` or `run_id` is allowed, not both.',
  })
  .refine(({ run_id, step }) => run_id !== undefined || step === undefined, {
    path: ['step'],
    error: 'A step requires `run_id`.',
  })
  .meta({
    id: 'SessionFork',
    description: 'Where to fork; all members are optional',
    examples: SESSION_FORKS,
  })

export const SessionKind = z.enum(['main', 'subagent', 'schedule', 'hook'])

export const Session = z
  .strictObject({
    id: idOf('ses', 'The session'),
    object: kindIs('session'),
    kind: SessionKind.describe(`Kind of the run that created it. ${kinds}`),
    agent: textOrNull('Agent of the next turn that names none; null: `general`'),
    title: textOrNull('Title for people; null: none'),
    opening: textOrNull('Beginning of its first input; null: none'),
    archived: z.boolean().describe('Whether it is archived'),
    retention_seconds: z
      .int()
      .nullable()
      .describe('Retention in seconds after the last activity; null: until it is deleted'),
    forked_from: z
      .strictObject({
        session_id: idOf('ses', 'The session'),
        position: text('Its last message that was kept'),
      })
      .nullable()
      .describe('The session and message that it was forked from; null: none'),
    current_run_id: idOrNull('run', 'The active run', 'none is active'),
    waiting: count('Runs that wait for their turn'),
    parent_session_id: idOrNull('ses', 'The session of the run that started it', 'none'),
    created_by_run_id: idOrNull('run', 'The run that started it', 'none'),
    created_at: time('Time of creation'),
    active_at: time('Time of its last change, or when a turn last arrived or ended'),
    metadata: metadata('this session'),
    usage: Usage.optional().describe(
      'Usage of its newest 1,000 runs that are kept, with their subagents; absent in lists',
    ),
    runs: count('Number of its runs, including those that wait; absent in lists').optional(),
    cost: z
      .number()
      .nullable()
      .optional()
      .describe('Their cost in US dollars; null: no price is known. Absent in lists'),
  })
  .meta({
    id: 'Session',
    description: 'A conversation: runs that share a transcript',
    examples: SESSIONS,
  })
