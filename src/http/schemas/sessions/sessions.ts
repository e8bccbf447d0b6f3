/** Schemas of sessions: consecutive runs that share a transcript. */

import * as z from 'zod'
import { LIMITS } from '../../../core/limits.ts'
import { REMOVES } from '../../../core/nulls.ts'
import { kinds } from '../runs/runs.ts'
import { Usage } from '../shared/common.ts'
import { SESSION_FORKS, SESSION_INPUTS, SESSIONS } from '../shared/examples.ts'
import {
  actsFor,
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
  return z.string().trim().min(1).max(LIMITS.session_title).describe('Human-readable title')
}
function retention() {
  return z
    .int()
    .min(60)
    .max(LIMITS.session_retention_seconds_max)
    .describe(
      'Retention time in seconds after the last activity; if omitted, the session is kept ' +
        'until deleted',
    )
}

export const SessionInput = z
  .strictObject({
    agent: z
      .string()
      .max(200)
      .optional()
      .describe("Agent for the session's first turn, unless the turn names another agent"),
    title: title().optional(),
    retention_seconds: retention().optional(),
    subject: actsFor('each run of the session'),
    metadata: metadataGiven(),
  })
  .meta({
    id: 'SessionInput',
    description: 'A session to create; all members are optional',
    examples: SESSION_INPUTS,
  })

/** Schema of a session change: omitted members keep their values, and null removes a member. */
export const SessionChange = z
  .strictObject({
    title: title()
      .nullable()
      .optional()
      .describe('Human-readable title; `null` for no title')
      .meta(REMOVES),
    agent: z
      .string()
      .max(200)
      .nullable()
      .optional()
      .describe("Agent for the session's next turn, unless the turn names another agent")
      .meta(REMOVES),
    archived: z
      .boolean()
      .optional()
      .describe(
        'Whether the session is archived; an archived session accepts no runs and is omitted ' +
          'from lists',
      ),
    retention_seconds: retention()
      .nullable()
      .optional()
      .describe(
        'Retention time in seconds after the last activity; `null` to keep the session until ' +
          'deleted',
      )
      .meta(REMOVES),
    metadata: metadataGiven(),
  })
  .meta({
    id: 'SessionChange',
    description: 'Changes to a session; all members are optional, and `null` removes a value',
    examples: [{ title: 'Refund of order 1042', archived: true }],
    ...REMOVES,
  })

export const SessionFork = z
  .strictObject({
    position: z
      .string()
      .regex(/^\d{1,9}\.\d{1,9}$/)
      .optional()
      .describe(
        'Last message to copy, identified by `position`; if omitted, all messages are copied',
      ),
    run_id: z
      .string()
      .max(64)
      .optional()
      .describe(
        'ID of a run in this session that has ended, as an alternative to `position`; the ' +
          "run's last message is the last one copied",
      ),
    step: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Step in the run, from 0, whose response and call results are copied last; requires ' +
          '`run_id`. If omitted, the whole run is copied',
      ),
    title: title().optional(),
    metadata: metadataGiven(),
  })
  .refine(({ position, run_id }) => position === undefined || run_id === undefined, {
    path: ['run_id'],
    error: 'Only one of `position` and `run_id` is allowed.',
  })
  .refine(({ run_id, step }) => run_id !== undefined || step === undefined, {
    path: ['step'],
    error: '`step` requires `run_id`.',
  })
  .meta({
    id: 'SessionFork',
    description: 'Position at which to fork; all members are optional',
    examples: SESSION_FORKS,
  })

export const SessionKind = z.enum(['main', 'subagent', 'schedule', 'hook'])

export const Session = z
  .strictObject({
    id: idOf('ses', 'ID of the session'),
    object: kindIs('session'),
    kind: SessionKind.describe(`Kind of the run that created the session. ${kinds}`),
    agent: textOrNull(
      'Agent for the next turn if the turn does not name one; `null` for `general`',
    ),
    title: textOrNull('Human-readable title; `null` for no title'),
    opening: textOrNull("Beginning of the session's first input; `null` if there is no input"),
    archived: z.boolean().describe('Whether the session is archived'),
    retention_seconds: z
      .int()
      .nullable()
      .describe(
        'Retention in seconds after the last activity; `null` if the session is kept until it ' +
          'is deleted',
      ),
    forked_from: z
      .strictObject({
        session_id: idOf('ses', 'ID of the session'),
        position: text('Position of the last message that was copied'),
      })
      .nullable()
      .describe(
        'Session and message that this session was forked from; `null` if the session is not ' +
          'a fork',
      ),
    subject: textOrNull(
      'End user of the session, or of its first run; `null` for none. Another one gets 409',
    ),
    current_run_id: idOrNull('run', 'ID of the active run', 'no run is active'),
    waiting: count('Number of runs that are waiting for their turn'),
    parent_session_id: idOrNull(
      'ses',
      'ID of the session from which this run or session was started',
      'none',
    ),
    created_by_run_id: idOrNull('run', 'ID of the run that started this run or session', 'none'),
    created_at: time('Creation time'),
    active_at: time('Time at which the session last changed, or a turn last arrived or ended'),
    metadata: metadata('this session'),
    usage: Usage.optional().describe(
      "Usage for the session's newest 1,000 stored runs, including subagents; absent in " + 'lists',
    ),
    runs: count(
      'Number of runs in the session, including waiting runs; absent in lists',
    ).optional(),
    cost: z
      .number()
      .nullable()
      .optional()
      .describe('Cost of all runs in US dollars; `null` if no price is known. Absent in lists'),
  })
  .meta({
    id: 'Session',
    description: 'A conversation, consisting of runs that share a transcript',
    examples: SESSIONS,
  })
