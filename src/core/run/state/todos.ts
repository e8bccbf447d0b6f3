/** The list that a run works by: it is replaced as a whole and outlives a shortened conversation. */

import type { Todo, TodosUpdated } from '../log/question-facts.ts'
import type { Draft } from './draft.ts'
import type { RunState } from './state.ts'

/** If one answer has two such calls, the later one counts, whichever was performed first. */
export function applyTodos(draft: Draft, { call, todos }: TodosUpdated): void {
  const { step, index } = draft.calls.get(call)!
  const last = draft.todos
  const older = last !== null && (last.step > step || (last.step === step && last.index > index))
  if (!older) draft.todos = { list: todos, step, index }
}

/** The list that the model made in a step which is left out. */
export const todosBefore = ({ todos }: RunState, step: number): readonly Todo[] =>
  todos !== null && todos.step < step ? todos.list : []

const MARKS = { pending: ' ', in_progress: '>', completed: 'x' } as const

/** The list as a model reads it. */
export const todoText = (todos: readonly Todo[]): string =>
  todos.length === 0
    ? 'The list is empty.'
    : todos.map(({ content, status }) => `[${MARKS[status]}] ${content}`).join('\n')
