/**
 * Schemas of stream items that have no ID. These items are never resumed and never required for
 * correctness.
 */

import * as z from 'zod'
import { ASSISTANT_DELTAS, EVENTS, FANOUT_EVENTS, SUBAGENTS_STARTED } from '../shared/examples.ts'
import { agentName, callId, count, idOf, labelOrNull, runStep, text } from '../shared/words.ts'
import { Event, FanoutEvent } from './events.ts'

const AssistantDelta = z
  .strictObject({
    run_id: idOf('run', 'ID of the run whose model is writing'),
    epoch: count('Run epoch. If it changes, discard the text shown so far for this step'),
    step: runStep('Index of the response that the text belongs to'),
    at: z
      .int()
      .optional()
      .describe(
        'Position of the text in the message, in UTF-16 code units. A stream starts with the ' +
          'complete message so far, at 0. A position after the end of the text shown means that ' +
          'deltas were missed; the finished message contains the missing text',
      ),
    text: z.string().optional().describe('Text that replaces the text shown starting at `at`'),
    reset: z
      .literal(true)
      .optional()
      .describe('Whether to discard the text shown so far for this step'),
  })
  .meta({
    id: 'AssistantDelta',
    description: 'Data for `assistant.delta`: text that a model is writing, in streams only',
    examples: ASSISTANT_DELTAS,
  })
const SubagentStarted = z
  .strictObject({
    run_id: idOf('run', 'ID of the subagent'),
    parent_run_id: idOf('run', 'ID of the run that spawned the subagent'),
    call: callId('ID of the spawn call in that run'),
    agent: agentName(),
    model: text("The subagent's model, as `provider/model`"),
    label: labelOrNull(),
  })
  .meta({
    id: 'SubagentStarted',
    description: 'Data for `subagent.started`: a subagent has started, in streams only',
    examples: SUBAGENTS_STARTED,
  })

const DATA_DESCRIPTION =
  'Data in one server-sent event. The `event:` field is the `type` of a log event, or ' +
  '`assistant.delta` (AssistantDelta) or `subagent.started` (SubagentStarted), which ' +
  'have no `type`'
export const RunStreamData = z
  .union([Event, AssistantDelta, SubagentStarted])
  .meta({ id: 'RunStreamData', description: DATA_DESCRIPTION, examples: EVENTS })
/** Schema of an event from a fan-out's log, or from the log of one of its runs. */
export const FanoutStreamData = z
  .union([FanoutEvent, Event, AssistantDelta, SubagentStarted])
  .meta({ id: 'FanoutStreamData', description: DATA_DESCRIPTION, examples: FANOUT_EVENTS })
