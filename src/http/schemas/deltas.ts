/** What only streams show, without an id: it is never resumed, and nothing rests on it. */

import * as z from 'zod'
import { Event, FanoutEvent } from './events.ts'

export const AssistantDelta = z
  .strictObject({
    run_id: z.string(),
    epoch: z.int().describe('Another one than before: what was shown of the answer is void'),
    step: z.int(),
    at: z
      .int()
      .optional()
      .describe(
        'Where the text stands in the message, in UTF-16 characters; a stream begins with the ' +
          'whole message so far, at 0. More than was shown: pieces were missed, and the finished ' +
          'message has them',
      ),
    text: z.string().optional().describe('It takes the place of what was shown from `at` on'),
    reset: z.literal(true).optional().describe('What was shown of this step is void'),
  })
  .meta({ id: 'AssistantDelta' })
export const SubagentStarted = z
  .strictObject({
    run_id: z.string(),
    parent_run_id: z.string(),
    call: z.string(),
    agent: z.string(),
    model: z.string(),
    label: z.string().nullable(),
  })
  .meta({ id: 'SubagentStarted' })

const NAMED =
  'The data of one server-sent event. Its `event:` says which: the `type` of an event of a log, ' +
  '`assistant.delta` (AssistantDelta) or `subagent.started` (SubagentStarted), which have no `type`'
export const RunStreamData = z
  .union([Event, AssistantDelta, SubagentStarted])
  .meta({ id: 'RunStreamData', description: NAMED })
/** An event of the fan-out's log, or of one of its runs. */
export const FanoutStreamData = z
  .union([FanoutEvent, Event, AssistantDelta, SubagentStarted])
  .meta({ id: 'FanoutStreamData', description: NAMED })
