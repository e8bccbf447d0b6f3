/** Examples of requests and events in the AG-UI format. */

import { RUN } from '../shared/story.ts'

export const AG_UI_INPUTS = [
  {
    threadId: 'chat-7731',
    runId: '6f1c2a50-2f6c-4c7e-9d0a-5f0f3a1b7c11',
    state: {},
    messages: [{ id: 'm1', role: 'user', content: 'Where is order 48213?' }],
    tools: [],
    context: [{ description: 'The open page', value: '/orders/48213' }],
    forwardedProps: {},
  },
]
export const AG_UI_EVENTS = [
  {
    type: 'RUN_STARTED',
    threadId: 'chat-7731',
    runId: '6f1c2a50-2f6c-4c7e-9d0a-5f0f3a1b7c11',
    metadata: { strata: { run_id: RUN, seq: 1 } },
  },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'msg_1_0', delta: 'It arrives today.' },
]
