/** `todo`: replaces the run's task list. Clients can follow the changes. */

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
    'Keeps a task list for work of three or more steps. Send the full list each time; it ' +
    'replaces the previous one. Mark an entry `in_progress` when you begin it and ' +
    '`completed` as soon as it is done. Without `todos`, returns the current list.',
  input_schema: object(
    {
      todos: {
        type: 'array',
        maxItems: LIMITS.todos,
        items: object(
          {
            content: short('E.g. `Run the tests`'),
            status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
            activeForm: short('Its active form: `Running the tests`'),
          },
          ['content', 'status'],
        ),
        description: 'The full list, in order',
      },
    },
    [],
  ),
} as const satisfies BuiltinTool
