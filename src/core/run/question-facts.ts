/** Facts of a run that asks the user a question, and of the list that it works by. */

import type { PathNode } from './approval-facts.ts'

/** A question to the user, as the model wrote it. */
export interface Question {
  readonly question: string
  /** Absent: any text is an answer. Even with choices another text may be. */
  readonly choices?: readonly Choice[]
  /** Several choices may be taken. */
  readonly multiple?: true
}
interface Choice {
  readonly label: string
  readonly description?: string
}

export interface QuestionAsked {
  readonly type: 'question.asked'
  readonly call: string
  readonly questions: readonly Question[]
  /** Milliseconds since 1970. */
  readonly expires_at: number
  /** From the root to this run. */
  readonly path: readonly PathNode[]
}

/** The question is closed: by the first message that came after it, or by time. */
export interface QuestionAnswered {
  readonly type: 'question.answered'
  readonly call: string
  readonly outcome: 'answered' | 'expired'
  /** The message that answers it; null when none did. */
  readonly message_id: string | null
}

export interface Todo {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  /** How it is called while it is done. */
  readonly active_form?: string
}

/** The model has replaced its list. */
export interface TodosUpdated {
  readonly type: 'todos.updated'
  readonly call: string
  readonly todos: readonly Todo[]
}
