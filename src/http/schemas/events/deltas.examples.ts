/** Examples of stream items that have no ID. */

import { CHILD, MODEL, RUN, SPAWN } from '../shared/story.ts'

export const ASSISTANT_DELTAS = [
  { run_id: RUN, epoch: 1, step: 0, at: 0, text: 'I look the order up' },
  { run_id: RUN, epoch: 1, step: 0, reset: true },
]

export const SUBAGENTS_STARTED = [
  {
    run_id: CHILD,
    parent_run_id: RUN,
    call: SPAWN,
    agent: 'order-lookup',
    model: MODEL,
    label: null,
  },
]
