/**
 * Task list of a run. Each update replaces the list, and compaction of the conversation keeps it.
 */

import type { Todo, TodosUpdated } from '../log/question-facts.ts'
import type { Draft } from './draft.ts'
import type { RunState } from './state.ts'

/**
 * Applies an update of the task list. If one answer has two updates, the later call wins,
 * regardless of execution order.
 */
export function applyTodos(draft: Draft, { call, todos }: TodosUpdated): void {
  const { step, index } = draft.calls.get(call)!
  const last = draft.todos
  const older = last !== null && (last.step > step || (last.step === step && last.index > index))
  if (!older) draft.todos = { list: todos, step, index }
}

/** Returns the run's task list if an omitted step, before `step`, created it. */
export const todosBefore = ({ todos }: RunState, step: number): readonly Todo[] =>
  todos !== null && todos.step < step ? todos.list : []

const MARKS = { pending: ' ', in_progress: '>', completed: 'x' } as const

/** Formats the task list as text for a model. */
export const todoText = (todos: readonly Todo[]): string =>
  todos.length === 0
    ? 'The list is empty.'
    : todos.map(({ content, status }) => `[${MARKS[status]}] ${content}`).join('\n')
