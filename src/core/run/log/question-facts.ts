/** Facts about a run's questions to the user, and about its task list. */

import type { Body } from '../../message.ts'
import type { PathNode } from './approval-facts.ts'

/** Question to the user as the model wrote it. */
export interface Question {
  readonly question: string
  /**
   * Suggested choices, besides which any other text is a valid answer; absent if the question has
   * no choices.
   */
  readonly choices?: readonly Choice[]
  /** Whether the user may select several choices. */
  readonly multiple?: true
  /**
   * JSON Schema of a form. The answer is a JSON object, or the plain value of the form's only
   * field.
   */
  readonly schema?: Form
}
/** Flat JSON Schema of an object, sent by an MCP server as a form. */
export type Form = Readonly<Record<string, unknown>>
interface Choice {
  readonly label: string
  readonly description?: string
}

export interface QuestionAsked {
  readonly type: 'question.asked'
  readonly call: string
  readonly questions: readonly Question[]
  /** Expiry time of the question, in milliseconds since 1970. */
  readonly expires_at: number
  /** Path from the root run to this run. */
  readonly path: readonly PathNode[]
}

/** Fact that a question was closed by the first later message, or by its expiry. */
export interface QuestionAnswered {
  readonly type: 'question.answered'
  readonly call: string
  readonly outcome: 'answered' | 'expired'
  /** ID of the message that answers the question; null if no message did. */
  readonly message_id: string | null
}

/** Request that an MCP server makes to a person during a call (elicitation). */
export interface ServerRequest {
  /** Key that identifies the request to the server. */
  readonly key: string
  readonly message: string
  /** Form for the person to fill in; absent if the server only requests a confirmation. */
  readonly form?: Form
  /** URL of the page that the person should open. */
  readonly url?: string
}

/**
 * Fact that an MCP server responded to a call with questions to a person. The call is sent again
 * with the answers, as a continuation (revision 2026-07-28, `input_required`).
 */
export interface ToolPaused {
  readonly type: 'tool.paused'
  readonly call: string
  readonly tool: string
  readonly server: string
  /** Number of the round, counted from 1; after the answers, a server may ask further questions. */
  readonly round: number
  /** Type of the request: `approval` for a confirmation, `input` for a form. */
  readonly on: 'approval' | 'input'
  readonly requests: readonly ServerRequest[]
  /** Opaque server state, returned to the server with the answers. */
  readonly state?: Body
  readonly duration_ms: number
}

export interface Todo {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  /** Label of the task while it is in progress. */
  readonly active_form?: string
}

/** Fact that the model has replaced its task list. */
export interface TodosUpdated {
  readonly type: 'todos.updated'
  readonly call: string
  readonly todos: readonly Todo[]
}
