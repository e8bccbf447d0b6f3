/** Stream items without an id: they are never resumed, and nothing rests on them. */

import * as z from 'zod'
import { ASSISTANT_DELTAS, EVENTS, FANOUT_EVENTS, SUBAGENTS_STARTED } from '../shared/examples.ts'
import { agentName, callId, count, idOf, labelOrNull, runStep, text } from '../shared/words.ts'
import { Event, FanoutEvent } from './events.ts'

const AssistantDelta = z
  .strictObject({
    run_id: idOf('run', 'The run whose model writes'),
    epoch: count('When it changes, discard the text shown so far for this step'),
    step: runStep('The answer that it is a piece of'),
    at: z
      .int()
      .optional()
      .describe(
        'Where the text stands in the message, in UTF-16 characters; a stream begins with the ' +
          'whole message so far, at 0. More than was shown: pieces were missed, and the finished ' +
          'message has them',
      ),
    text: z.string().optional().describe('It takes the place of what was shown from `at` on'),
    reset: z.literal(true).optional().describe('Discard the text shown so far for this step'),
  })
  .meta({
    id: 'AssistantDelta',
    description: 'The data of `assistant.delta`: text of a model as it comes, in streams only',
    examples: ASSISTANT_DELTAS,
  })
const SubagentStarted = z
  .strictObject({
    run_id: idOf('run', 'The subagent'),
    parent_run_id: idOf('run', 'The run that asked for it'),
    call: callId('The spawn call of that run'),
    agent: agentName(),
    model: text('`provider/model` that it runs on'),
    label: labelOrNull(),
  })
  .meta({
    id: 'SubagentStarted',
    description: 'The data of `subagent.started`: a subagent has begun, in streams only',
    examples: SUBAGENTS_STARTED,
  })

const NAMED =
  'The data of one server-sent event. Its `event:` says which: the `type` of an event of a log, ' +
  '`assistant.delta` (AssistantDelta) or `subagent.started` (SubagentStarted), which have no `type`'
export const RunStreamData = z
  .union([Event, AssistantDelta, SubagentStarted])
  .meta({ id: 'RunStreamData', description: NAMED, examples: EVENTS })
/** An event of the fan-out's log, or of one of its runs. */
export const FanoutStreamData = z
  .union([FanoutEvent, Event, AssistantDelta, SubagentStarted])
  .meta({ id: 'FanoutStreamData', description: NAMED, examples: FANOUT_EVENTS })
