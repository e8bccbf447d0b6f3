/** Schemas of run event data about subagents, by event type. */

import * as z from 'zod'
import { Warning, warnings } from '../shared/common.ts'
import { Announce, allotment } from '../shared/event-parts.ts'
import {
  agentName,
  count,
  idOf,
  labelOrNull,
  spawnCall,
  text,
  timeOrNull,
} from '../shared/words.ts'

const announcement = () => z.strictObject({ call: spawnCall(), announce: Announce })

export const SUBAGENT_DATA = {
  'subagent.spawned': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'ID of the subagent'),
      session_id: idOf('ses', 'ID of the session'),
      agent: agentName("The subagent's agent"),
      label: labelOrNull(),
      lane: text('Subagent lane: `subagent`, or `main` for the closing run'),
      task: text('The first 200 characters of the task'),
      allotment: allotment(),
      wait: z
        .literal(true)
        .optional()
        .describe('Whether the call returns its result when the subagent ends'),
      missing: z
        .array(z.string())
        .optional()
        .describe("Skills and servers that the parent has but the subagent's layers lack"),
      warnings: warnings(Warning, 'Problems found when the subagent was requested'),
    })
    .describe('A subagent was spawned'),
  'subagent.waiting': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'ID of the subagent'),
      word: count("Sequence number of the subagent's notice; lower values are outdated"),
      until: timeOrNull(
        'Time at which the wait ends automatically',
        'the wait does not end automatically',
      ),
      on: z
        .enum(['input', 'model'])
        .optional()
        .describe(
          'Condition that the subagent is waiting for. `input`: an answer from the user. ' +
            "`model`: the subagent's model. Absent if the subagent is waiting for an approval",
        ),
    })
    .describe('A subagent or one of its descendants is waiting for a person or for its model'),
  'subagent.resumed': z
    .strictObject({
      call: spawnCall(),
      run_id: idOf('run', 'ID of the subagent'),
      word: count("Sequence number of the subagent's notice; lower values are outdated"),
    })
    .describe('A subagent is no longer waiting'),
  'subagent.announced': announcement().describe('A subagent completed'),
  'subagent.failed': announcement().describe('A subagent failed, was cancelled, or timed out'),
  'barrier.released': z
    .strictObject({
      calls: z.array(z.string()).describe('Spawn calls whose results are added now, in order'),
      missing: z.array(z.string()).describe('Spawn calls that the run is no longer waiting for'),
      reason: z
        .enum(['joined', 'deadline', 'budget'])
        .describe(
          "Reason for the release. `budget`: the fan-out's budget was insufficient for all " +
            'tasks',
        ),
    })
    .describe('The barrier was released; the run is no longer waiting for subagents'),
}
