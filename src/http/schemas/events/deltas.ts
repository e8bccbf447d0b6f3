/** Stream items without an id: they are never resumed, and nothing rests on them. */

import * as z from 'zod'
import { ASSISTANT_DELTAS, EVENTS, FANOUT_EVENTS, SUBAGENTS_STARTED } from '../shared/examples.ts'
import { agentName, callId, count, idOf, labelOrNull, runStep, text } from '../shared/words.ts'
import { Event, FanoutEvent } from './events.ts'

const AssistantDelta = z
  .strictObject({
    run_id: idOf('run', 'The run whose model is writing'),
    epoch: count('When it changes, discard the text shown so far for this step'),
    step: runStep('The answer that the text belongs to'),
    at: z
      .int()
      .optional()
      .describe(
        'Position of the text in the message, in UTF-16 code units. A stream starts with the ' +
          'whole message so far, at 0. A position past the text shown means that deltas were ' +
          'missed; the finished message has them',
      ),
    text: z.string().optional().describe('Replaces the text shown from `at` on'),
    reset: z.literal(true).optional().describe('Discard the text shown so far for this step'),
  })
  .meta({
    id: 'AssistantDelta',
    description: 'Data of `assistant.delta`: text of a model while it is written, in streams only',
    examples: ASSISTANT_DELTAS,
  })
const SubagentStarted = z
  .strictObject({
    run_id: idOf('run', 'The subagent'),
    parent_run_id: idOf('run', 'The run that spawned it'),
    call: callId('The spawn call in that run'),
    agent: agentName(),
    model: text('Its model, as `provider/model`'),
    label: labelOrNull(),
  })
  .meta({
    id: 'SubagentStarted',
    description: 'Data of `subagent.started`: a subagent has started, in streams only',
    examples: SUBAGENTS_STARTED,
  })

const DATA_DESCRIPTION =
  'Data of one server-sent event. Its `event:` is the `type` of a log event, or ' +
  '`assistant.delta` (AssistantDelta) or `subagent.started` (SubagentStarted), which ' +
  'have no `type`'
export const RunStreamData = z
  .union([Event, AssistantDelta, SubagentStarted])
  .meta({ id: 'RunStreamData', description: DATA_DESCRIPTION, examples: EVENTS })
/** An event of the fan-out's log, or of one of its runs. */
export const FanoutStreamData = z
  .union([FanoutEvent, Event, AssistantDelta, SubagentStarted])
  .meta({ id: 'FanoutStreamData', description: DATA_DESCRIPTION, examples: FANOUT_EVENTS })
