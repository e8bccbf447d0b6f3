/** Examples of messages in the A2A format. */

import { RUN, SESSION } from '../shared/story.ts'

const message = {
  messageId: '6f1c2a50-2f6c-4c7e-9d0a-5f0f3a1b7c11',
  role: 'ROLE_USER',
  parts: [{ text: 'Where is order 4711?' }],
}
export const A2A_MESSAGES = [
  { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
  { jsonrpc: '2.0', id: 2, method: 'GetTask', params: { id: RUN } },
]

const strata = { run_id: RUN, seq: 4 }
const task = {
  id: RUN,
  contextId: SESSION,
  status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-09-21T14:13:24.000Z' },
  artifacts: [
    { artifactId: 'text-0', parts: [{ text: 'It arrives today.' }], metadata: { strata } },
  ],
  metadata: { strata },
}
export const A2A_ANSWERS = [
  { jsonrpc: '2.0', id: 1, result: { task } },
  { jsonrpc: '2.0', id: 2, error: { code: -32_001, message: 'Task not found.' } },
]

export const AGENT_CARDS = [
  {
    name: 'support',
    description: 'Answers customers',
    version: '1',
    supportedInterfaces: [
      {
        url: 'https://strata.example/v1/a2a/support',
        protocolBinding: 'JSONRPC',
        protocolVersion: '1.0',
      },
    ],
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    skills: [{ id: 'support', name: 'support', description: 'Answers customers', tags: ['agent'] }],
  },
]
