/** The model port: one call, and every failure a value. */

import type { AssistantPart, Message, ToolSpec, Usage } from '../core/message.ts'
import type { SchemaMeans } from '../core/run/fact-parts.ts'
import type { Outcome } from '../lib/outcome.ts'

export interface ModelInfo {
  /** `provider/model`, the name that is recorded with the answer. */
  readonly id: string
  /** Context window in tokens. */
  readonly window: number
  /** Neither an alias nor `provider/model`: taken for a model of the only server that may have it. */
  readonly guessed?: boolean
  /** How it takes the schema that was asked about; absent: in the prompt alone. */
  readonly structured_output?: SchemaMeans
}
export interface ModelRequest {
  readonly model: string
  /** The agent's own prompt, byte for byte. */
  readonly system: string
  /** A second system message: what is missing in this run. */
  readonly notes?: string | undefined
  /** Bodies are loaded: no references. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /**
   * The answer is held to this schema by the provider's own means. One that cannot do so refuses
   * the request (`rejected`); nothing is left out of it silently.
   */
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly max_output_tokens?: number | undefined
}
export interface ModelAnswer {
  /** Calls carry the provider's id in both fields; the engine names them. */
  readonly parts: readonly AssistantPart[]
  /** Believed (`core/usage.ts`): whole numbers of tokens that can be true. */
  readonly usage: Usage
  /** Calls beyond what is kept, which were only counted. */
  readonly dropped_calls?: number | undefined
  readonly finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other'
  /** The model that really answered, when the provider says so. */
  readonly model: string
}
export interface ModelFailure {
  /** `too_long`: the request is more than the model's window takes. */
  readonly code:
    | 'unavailable'
    | 'rate_limited'
    | 'rejected'
    | 'too_long'
    | 'unauthorized'
    | 'aborted'
  readonly message: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  /** Spent although nothing came of it, when known. */
  readonly usage?: Usage | undefined
}
export type Delta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }

export interface Model {
  /**
   * Which model a reference (alias, `provider/model`, or none for the default) means.
   * The failure is a sentence for people that names what is missing, e.g. a variable. `schema`:
   * asks how the model takes it.
   */
  find(
    reference: string | undefined,
    schema?: Readonly<Record<string, unknown>>,
  ): Outcome<ModelInfo, { readonly message: string }>
  /** One call, no hidden retry. Never throws or rejects; an abort is a failure with `aborted`. */
  respond(
    request: ModelRequest,
    options: { signal: AbortSignal; onDelta: (delta: Delta) => void },
  ): Promise<Outcome<ModelAnswer, ModelFailure>>
}
