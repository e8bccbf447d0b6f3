/** Sessions: runs in a series that share a transcript. */

import * as z from 'zod'
import { LIMITS } from '../../core/limits.ts'
import { time } from './common.ts'

export const SessionInput = z
  .strictObject({
    agent: z.string().max(200).optional().describe('For people; each run names its own agent'),
    metadata: z
      .record(z.string().max(64), z.string().max(512))
      .refine((pairs) => Object.keys(pairs).length <= LIMITS.metadata_pairs, 'At most 16 pairs')
      .optional(),
  })
  .meta({ id: 'SessionInput' })

export const SessionKind = z.enum(['main', 'subagent', 'schedule', 'hook'])

export const Session = z
  .strictObject({
    id: z.string(),
    object: z.literal('session'),
    kind: SessionKind,
    agent: z.string().nullable(),
    current_run_id: z.string().nullable().describe('Who has the turn'),
    waiting: z.int().describe('Runs that wait for it'),
    parent_session_id: z.string().nullable(),
    created_by_run_id: z.string().nullable(),
    created_at: time(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Session' })
