/** `todo`: replaces the run's task list; clients can follow its changes. */

import { LIMITS } from '../../limits.ts'
import { type BuiltinTool, object, text } from './tool.ts'

const short = (description: string) => ({
  ...text(description),
  minLength: 1,
  maxLength: LIMITS.todo_length,
})

export const todo = {
  name: 'todo',
  mode: 'repeatable',
  thing: 'list',
  changes: true,
  foreign:
    'TodoWrite TodoRead TaskCreate TaskGet TaskList TaskUpdate update_plan todos ' +
    'todo_write todo_read',
  description:
    'Keeps a list of what is to be done, for work of three steps or more. Give the whole list ' +
    'each time: it replaces the one before. Mark one entry `in_progress` when you begin it, and ' +
    '`completed` as soon as it is done. Without `todos` it answers the list as it is.',
  input_schema: object(
    {
      todos: {
        type: 'array',
        maxItems: LIMITS.todos,
        items: object(
          {
            content: short('E.g. `Run the tests`'),
            status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
            activeForm: short('The same as it is done: `Running the tests`'),
          },
          ['content', 'status'],
        ),
        description: 'The whole list, in order',
      },
    },
    [],
  ),
} as const satisfies BuiltinTool
