/** Facts of a run that asks the user a question, and of its task list. */

import type { Body } from '../../message.ts'
import type { PathNode } from './approval-facts.ts'

/** Question to the user, as the model wrote it. */
export interface Question {
  readonly question: string
  /**
   * Suggested choices; any other text is also a valid answer. Absent for a question without
   * choices.
   */
  readonly choices?: readonly Choice[]
  /** Whether several choices may be selected. */
  readonly multiple?: true
  /** Schema of a form: the answer is a JSON object, or the plain value of its only field. */
  readonly schema?: Form
}
/** Flat JSON Schema of an object, as sent by an MCP server. */
export type Form = Readonly<Record<string, unknown>>
interface Choice {
  readonly label: string
  readonly description?: string
}

export interface QuestionAsked {
  readonly type: 'question.asked'
  readonly call: string
  readonly questions: readonly Question[]
  /** Expiry time, in milliseconds since 1970. */
  readonly expires_at: number
  /** Path from the root to this run. */
  readonly path: readonly PathNode[]
}

/** Fact that the question was closed by the first later message, or by its expiry. */
export interface QuestionAnswered {
  readonly type: 'question.answered'
  readonly call: string
  readonly outcome: 'answered' | 'expired'
  /** Message that answers the question; null if none did. */
  readonly message_id: string | null
}

/** Request of an MCP server to a person during a call (elicitation). */
export interface ServerRequest {
  /** Key by which the server identifies the answer. */
  readonly key: string
  readonly message: string
  /** Form to fill in; absent if the server only requests a confirmation. */
  readonly form?: Form
  /** URL of the page that the person should open. */
  readonly url?: string
}

/**
 * Fact that an MCP server answered a call with questions to a person. The call is repeated with the
 * answers, as a continuation (revision 2026-07-28, `input_required`).
 */
export interface ToolPaused {
  readonly type: 'tool.paused'
  readonly call: string
  readonly tool: string
  readonly server: string
  /** Round number, from 1; a server may ask further questions after the answers. */
  readonly round: number
  /** Type of the request: `approval` for a confirmation, `input` for a form. */
  readonly on: 'approval' | 'input'
  readonly requests: readonly ServerRequest[]
  /** Opaque state of the server, returned to it with the answers. */
  readonly state?: Body
  readonly duration_ms: number
}

export interface Todo {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  /** Label shown while the task is in progress. */
  readonly active_form?: string
}

/** Fact that the model has replaced its task list. */
export interface TodosUpdated {
  readonly type: 'todos.updated'
  readonly call: string
  readonly todos: readonly Todo[]
}
