/** Sessions: runs in a series that share a transcript. */

import * as z from 'zod'
import { SESSION_INPUTS, SESSIONS } from '../examples/sessions.ts'
import { Usage } from './common.ts'
import { kinds } from './runs.ts'
import {
  count,
  idOf,
  idOrNull,
  kindIs,
  metadata,
  metadataGiven,
  textOrNull,
  time,
} from './words.ts'

export const SessionInput = z
  .strictObject({
    agent: z.string().max(200).optional().describe('For people; each run names its own agent'),
    metadata: metadataGiven(),
  })
  .meta({
    id: 'SessionInput',
    description: 'A session to be created; every member may be left out',
    examples: SESSION_INPUTS,
  })

export const SessionKind = z.enum(['main', 'subagent', 'schedule', 'hook'])

export const Session = z
  .strictObject({
    id: idOf('ses', 'The session'),
    object: kindIs('session'),
    kind: SessionKind.describe(`As the run that began it. ${kinds}`),
    agent: textOrNull('For people; null: none was named'),
    current_run_id: idOrNull('run', 'The run that has the turn', 'no run has it'),
    waiting: count('Runs that wait for it'),
    parent_session_id: idOrNull('ses', 'The session of the run that started it', 'no run did'),
    created_by_run_id: idOrNull('run', 'The run that started it', 'no run did'),
    created_at: time('When it was created'),
    metadata: metadata('this session'),
    usage: Usage.optional().describe(
      'Of its runs that are kept, with their subagents; absent in lists',
    ),
    cost: z
      .number()
      .nullable()
      .optional()
      .describe('US dollars of these; null: no price is known; absent in lists'),
  })
  .meta({ id: 'Session', description: 'Runs that share a transcript', examples: SESSIONS })
