/** Facts of a run that asks the user a question, and of the list that it works by. */

import type { Body } from '../../message.ts'
import type { PathNode } from './approval-facts.ts'

/** A question to the user, as the model wrote it. */
export interface Question {
  readonly question: string
  /** Absent: any text is an answer. Even with choices another text may be. */
  readonly choices?: readonly Choice[]
  /** Several choices may be taken. */
  readonly multiple?: true
  /** A form: the answer is a JSON object by this schema, or the plain value of its one field. */
  readonly schema?: Form
}
/** A flat JSON Schema of an object, as an MCP server gave it. */
export type Form = Readonly<Record<string, unknown>>
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

/** The question is closed: by the first later message, or by its expiry. */
export interface QuestionAnswered {
  readonly type: 'question.answered'
  readonly call: string
  readonly outcome: 'answered' | 'expired'
  /** The message that answers it; null when none did. */
  readonly message_id: string | null
}

/** The wish of an MCP server to a person, in the middle of a call (elicitation). */
export interface ServerRequest {
  /** The key by which the server knows the answer. */
  readonly key: string
  readonly message: string
  /** Absent: it only wants to know whether. */
  readonly form?: Form
  /** The page that the person is to open. */
  readonly url?: string
}

/**
 * An MCP server answered a call with questions to a person. The call is repeated with the answers,
 * as a continuation (revision 2026-07-28, `input_required`).
 */
export interface ToolPaused {
  readonly type: 'tool.paused'
  readonly call: string
  readonly tool: string
  readonly server: string
  /** Round, from 1; a server may ask further questions after the answers. */
  readonly round: number
  /** `approval`: a yes or no is wanted; `input`: an answer by a form. */
  readonly on: 'approval' | 'input'
  readonly requests: readonly ServerRequest[]
  /** The server's own, opaque to us; goes back to it with the answers. */
  readonly state?: Body
  readonly duration_ms: number
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
