/** `subagents`: queries and controls the run's own subagents. Included with the spawn tool. */

import { sessionsSpawn } from './sessions-spawn.ts'
import { type BuiltinTool, object, text } from './tool.ts'

export const subagents = {
  name: 'subagents',
  mode: 'repeatable',
  thing: 'subagents',
  changes: true,
  offered: { with: sessionsSpawn.name },
  description:
    'Lists the subagents that you started, stops one, or sends a message to a running ' +
    'one. Results arrive automatically; do not ask for them here.',
  input_schema: object(
    {
      action: { type: 'string', enum: ['list', 'stop', 'send'], description: 'The action' },
      target: text('With `stop` and `send`: the run ID, or the label of an active one'),
      message: text('With `send`: text to read before its next step'),
    },
    ['action'],
  ),
} as const satisfies BuiltinTool
