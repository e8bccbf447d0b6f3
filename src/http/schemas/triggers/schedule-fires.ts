/** Schemas of due schedule slots and their outcomes. */

import * as z from 'zod'
import { FIRED, FIRES } from '../shared/examples.ts'
import { count, idOf, idOrNull, textOrNull, time } from '../shared/words.ts'

export const outcome = z
  .enum([
    ...['started', 'waiting', 'skipped', 'missed'],
    ...['completed', 'failed', 'cancelled', 'timed_out'],
  ] as [string, ...string[]])
  .describe(
    'Outcome of the slot: `started`; `waiting` for an earlier run; `skipped` because of ' +
      'an earlier run; `missed` because the deployment was unavailable; or the final status ' +
      'of the run',
  )

export const ScheduleRun = z
  .strictObject({
    run_id: idOf('run', 'ID of the run for this slot'),
    status: z
      .enum(['started', 'waiting'])
      .describe('Status of the run; `waiting` means that an earlier run must end first'),
  })
  .meta({ id: 'ScheduleRun', description: 'A manually started run', examples: FIRED })

export const ScheduleFire = z
  .strictObject({
    slot: time('Nominal time of the slot; for a manual start, the time of the request'),
    manual: z.boolean().describe('Whether the run was started manually'),
    run_id: idOrNull('run', 'ID of the run', 'none'),
    outcome,
    at: time('Time at which the decision was made or the run ended'),
    reason: textOrNull(
      'Reason why there was no run, or why the run failed; `null` if there is no reason',
    ),
    count: count(
      'Number of missed slots for `missed`, of which this slot is the newest; otherwise 1',
    ),
    more: z
      .boolean()
      .describe('Whether there were older slots that were not counted, for `missed`'),
  })
  .meta({ id: 'ScheduleFire', description: 'Slot result', examples: FIRES })
