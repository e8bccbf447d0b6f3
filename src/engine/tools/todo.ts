/** `todo`: returns or replaces the run's to-do list; the new list becomes a fact of the run. */

import type { Todo } from '../../core/run/log/question-facts.ts'
import { todoText } from '../../core/run/state/todos.ts'
import { todo as tool } from '../../core/tools/builtin/todo.ts'
import { visible } from '../../lib/invisible-characters.ts'
import type { ToolAnswer } from './answer.ts'
import { good } from './answer.ts'
import { type Caller, performed } from './tool.ts'

interface Args {
  readonly todos?: readonly {
    readonly content: string
    readonly status: Todo['status']
    readonly activeForm?: string | null
  }[]
}

export const todo = performed(tool, {
  perform: async ({ state }: Caller, args: Args): Promise<ToolAnswer> => {
    if (args.todos === undefined) return good(todoText(state.todos?.list ?? []))
    const todos = args.todos.map(todoOf)
    return { ...good(`Kept:\n${todoText(todos)}`), todos }
  },
})

const todoOf = ({ content, status, activeForm }: NonNullable<Args['todos']>[number]): Todo => ({
  content: visible(content).text,
  status,
  ...(activeForm ? { active_form: visible(activeForm).text } : {}),
})
