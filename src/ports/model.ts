/** Defines the model port: single model calls, where every failure is a value. */

import type { Modality } from '../core/media.ts'
import type { AssistantPart, Message, ToolSpec, Usage } from '../core/message.ts'
import type { ModelSettings } from '../core/model-settings.ts'
import type { Price } from '../core/policy.ts'
import type { SchemaMeans } from '../core/run/log/fact-parts.ts'
import type { Outcome } from '../lib/outcome.ts'

export type { Modality }

export interface ModelInfo {
  /** ID as `provider/model`, recorded with the answer. */
  readonly id: string
  /** Context window in tokens; a conservative default if unknown. */
  readonly window: number
  /** Set if the window size is unknown. */
  readonly window_assumed?: true
  /** Maximum output in tokens; absent if unknown. */
  readonly max_output?: number
  /** Supported content; absent if unknown, and then only text is safe. */
  readonly input?: readonly Modality[]
  /** List price in US dollars, for short requests if long ones cost more; absent if unknown. */
  readonly price?: Price
  /** Settings of the alias in the reference. */
  readonly settings?: ModelSettings
  /** Models to try in this order if this model is unavailable; absent if there are none. */
  readonly fallbacks?: readonly Pick<ModelInfo, 'id' | 'window' | 'window_assumed' | 'price'>[]
  /**
   * True if the reference was neither an alias nor `provider/model` and was assigned to the only
   * possible server.
   */
  readonly guessed?: boolean
  /** Form in which the model receives the requested schema; absent means only in the prompt. */
  readonly structured_output?: SchemaMeans
}
export interface ModelMissing {
  readonly message: string
  /** Set if the server that lists the model is unavailable; a retry may succeed. */
  readonly away?: true
}
export interface ModelRequest {
  readonly model: string
  /** Prompt of the agent, byte for byte. */
  readonly system: string
  /** A second system message about features that this run lacks. */
  readonly notes?: string | undefined
  /** Messages with loaded bodies and only the media that the model supports. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /**
   * Schema that the provider enforces. A provider without support rejects the request (`rejected`),
   * so the schema is never dropped silently.
   */
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly settings?: ModelSettings | undefined
  /** Value of the `traceparent` header; absent without a trace. */
  readonly traceparent?: string | undefined
}
export interface ModelAnswer {
  /**
   * Parts of the answer; calls have the provider's ID in both fields, and the engine assigns their
   * names.
   */
  readonly parts: readonly AssistantPart[]
  /** Plausible usage (`core/usage.ts`), in whole tokens. */
  readonly usage: Usage
  /** Number of calls beyond the stored ones. */
  readonly dropped_calls?: number | undefined
  readonly finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other'
  /** Model that actually answered, if the provider reports it. */
  readonly model: string
  /** Sentences about settings that the provider ignores or adapts; absent if there are none. */
  readonly warnings?: readonly string[] | undefined
  /** Number of corrected or omitted parts, and the first descriptions; absent if there are none. */
  readonly mended?: { readonly count: number; readonly notes: readonly string[] } | undefined
}
export interface ModelFailure {
  /**
   * Code of the failure; `too_long` means that the request exceeds the model's window.
   * `unauthorized`, `payment_required`, and `model_not_found` do not concern the request, so
   * another provider may accept it.
   */
  readonly code:
    | 'unavailable'
    | 'rate_limited'
    | 'rejected'
    | 'too_long'
    | 'unauthorized'
    | 'payment_required'
    | 'model_not_found'
    | 'aborted'
  readonly message: string
  /** True if the same request may succeed later. */
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  /** Usage of the failed call, if known. */
  readonly usage?: Usage | undefined
}
export type Delta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }

/** A model that a deployment can reach; null members are unknown. */
export interface ListedModel {
  readonly id: string
  readonly provider: string
  readonly kind: string
  readonly window: number | null
  readonly max_output: number | null
  readonly input: readonly Modality[] | null
  readonly price: Price | null
  /** Higher prices above a number of input tokens; null if there are none. */
  readonly long: { readonly above: number; readonly price: Price } | null
  /** Source page of the facts, with its date; null if the facts are configured or unknown. */
  readonly source: string | null
  readonly read: string | null
}
export interface ListedAlias {
  readonly alias: string
  /** Models in order of preference; empty if none is configured. */
  readonly models: readonly string[]
  readonly settings: ModelSettings | null
}
export interface ModelList {
  /** Default model of runs; null means that runs must name a model. */
  readonly default: string | null
  readonly models: readonly ListedModel[]
  readonly aliases: readonly ListedAlias[]
  /** Sentences about misconfigured providers. */
  readonly warnings?: readonly string[] | undefined
}

/** A model that returns embeddings. */
export interface Embedding {
  /** ID as `provider/model`; vectors of different models are not comparable. */
  readonly model: string
  /**
   * Returns a vector for each text, in order. Makes one request without hidden retries; never
   * throws or rejects.
   */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<Outcome<readonly (readonly number[])[], ModelFailure>>
}

export interface Model {
  /** Embedding model for memory search; absent if none is configured. */
  readonly embedding?: Embedding
  /**
   * Loads the first model that a server lists, for `find`. Must be awaited before `find`. Never
   * throws; `find` reports a failure. Absent if there is no model to load.
   */
  ready?(): Promise<void>
  /** Lists all known available models; absent if unknown. */
  list?(): ModelList
  /**
   * Resolves a reference (alias, `provider/model`, or none for the default). The failure is a
   * sentence for people that names the missing part, for example a variable. With `schema`, also
   * returns how the model receives it.
   */
  find(
    reference: string | undefined,
    schema?: Readonly<Record<string, unknown>>,
  ): Outcome<ModelInfo, ModelMissing>
  /**
   * Makes one call without hidden retries. Never throws or rejects; an abort is a failure with
   * `aborted`.
   */
  respond(
    request: ModelRequest,
    options: { signal: AbortSignal; onDelta: (delta: Delta) => void },
  ): Promise<Outcome<ModelAnswer, ModelFailure>>
}
