/** Defines the model port for single model calls; every failure is a returned value. */

import type { Modality } from '../core/media.ts'
import type { AssistantPart, Message, ToolSpec, Usage } from '../core/message.ts'
import type { ModelSettings } from '../core/model-settings.ts'
import type { Price } from '../core/policy.ts'
import type { SchemaMeans } from '../core/run/log/fact-parts.ts'
import type { KeySlot } from '../core/secret.ts'
import type { Outcome } from '../lib/outcome.ts'
import type { TenantKeys } from './secrets.ts'

export type { Modality }

export interface ModelInfo {
  /** Model ID as `provider/model`, recorded with the answer. */
  readonly id: string
  /** Context window of the model, in tokens; a conservative default if unknown. */
  readonly window: number
  /** True if the size of the context window is unknown and a default is used. */
  readonly window_assumed?: true
  /** Maximum output of the model, in tokens; absent if unknown. */
  readonly max_output?: number
  /**
   * Kinds of content that the model accepts. Absent if unknown, in which case only text is safe.
   */
  readonly input?: readonly Modality[]
  /** List price in US dollars, for short requests if long requests cost more; absent if unknown. */
  readonly price?: Price
  /** Settings of the alias that the reference names. */
  readonly settings?: ModelSettings
  /**
   * Models to try in the given order if this model is unavailable; absent if no fallback is
   * configured.
   */
  readonly fallbacks?: readonly Pick<ModelInfo, 'id' | 'window' | 'window_assumed' | 'price'>[]
  /**
   * True if the reference was neither an alias nor `provider/model`, so the model was assigned to
   * the only possible server.
   */
  readonly guessed?: boolean
  /**
   * Form in which the model receives the requested output schema; absent if the schema is only in
   * the prompt.
   */
  readonly structured_output?: SchemaMeans
}
export interface ModelMissing {
  readonly message: string
  /** True if the server that lists the model is unavailable; a retry may succeed. */
  readonly away?: true
}
export interface ModelRequest {
  readonly model: string
  /** System prompt of the agent, sent byte for byte. */
  readonly system: string
  /** Second system message, about features that this run lacks. */
  readonly notes?: string | undefined
  /** Messages with loaded bodies; they contain only media that the model supports. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /**
   * Output schema that the provider enforces. A provider without support rejects the request
   * (`rejected`), so the schema is never dropped silently.
   */
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly settings?: ModelSettings | undefined
  /** Value of the `traceparent` header; absent if the run has no trace. */
  readonly traceparent?: string | undefined
}
export interface ModelAnswer {
  /**
   * Parts of the answer. Tool calls have the provider's ID in both ID fields; the engine assigns
   * the final IDs.
   */
  readonly parts: readonly AssistantPart[]
  /** Usage of the call, checked for plausibility (`core/usage.ts`), in whole tokens. */
  readonly usage: Usage
  /** Number of tool calls that were dropped because they exceed the number that can be stored. */
  readonly dropped_calls?: number | undefined
  readonly finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other'
  /** Model that actually answered, if the provider reports it. */
  readonly model: string
  /**
   * Sentences about settings that the provider ignores or adapts; absent if no setting is affected.
   */
  readonly warnings?: readonly string[] | undefined
  /**
   * Number of corrected or omitted answer parts, with the first descriptions; absent if no part was
   * changed.
   */
  readonly mended?: { readonly count: number; readonly notes: readonly string[] } | undefined
}
export interface ModelFailure {
  /**
   * Code of the model call's failure; `too_long` means that the request exceeds the model's window.
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
    /** A quota of the tenant does not permit the call. */
    | 'over_quota'
    | 'aborted'
  readonly message: string
  /** True if a retry of the same request may succeed. */
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  /** Usage of the failed model call, if known. */
  readonly usage?: Usage | undefined
}
export type Delta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }

/** Model that a deployment can reach; members that are null are unknown. */
export interface ListedModel {
  readonly id: string
  readonly provider: string
  readonly kind: string
  readonly window: number | null
  readonly max_output: number | null
  readonly input: readonly Modality[] | null
  readonly price: Price | null
  /** Higher prices above a threshold of input tokens; null if the model has none. */
  readonly long: { readonly above: number; readonly price: Price } | null
  /**
   * Source page of the model's properties, with its date; null if the properties are configured or
   * unknown.
   */
  readonly source: string | null
  readonly read: string | null
}
export interface ListedAlias {
  readonly alias: string
  /** Model IDs in order of preference; empty if none is configured. */
  readonly models: readonly string[]
  readonly settings: ModelSettings | null
}
export interface ModelList {
  /** Default model of runs; null if every run must name a model. */
  readonly default: string | null
  readonly models: readonly ListedModel[]
  readonly aliases: readonly ListedAlias[]
  /** Sentences about providers that are misconfigured. */
  readonly warnings?: readonly string[] | undefined
}

/** Model that converts texts to embedding vectors. */
export interface Embedding {
  /**
   * ID of the embedding model as `provider/model`; vectors of different models are not comparable.
   */
  readonly model: string
  /**
   * Returns an embedding vector for each text, in the order of the texts. Makes one request without
   * hidden retries; never throws or rejects.
   */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
    keys?: TenantKeys,
  ): Promise<Outcome<readonly (readonly number[])[], ModelFailure>>
}

export interface Model {
  /** Keys of providers that a tenant can replace with its secrets; absent if there are none. */
  readonly slots?: readonly KeySlot[]
  /** Embedding model for memory search; absent if none is configured. */
  readonly embedding?: Embedding
  /**
   * Loads the first model that a server lists, for use by `find`. Must be awaited before `find`.
   * Never throws; `find` reports a failure. Absent if no server must be asked for a model.
   */
  ready?(): Promise<void>
  /** Lists all known models that are available; absent if unknown. */
  list?(): ModelList
  /**
   * Resolves a model reference (alias, `provider/model`, or none for the default). The failure is a
   * sentence for users that names the missing part, for example a variable. With `schema`, the
   * result also states how the model receives the schema.
   */
  find(
    reference: string | undefined,
    schema?: Readonly<Record<string, unknown>>,
  ): Outcome<ModelInfo, ModelMissing>
  /**
   * Makes one model call without hidden retries. Never throws or rejects; an aborted call is a
   * failure with `aborted`.
   */
  respond(
    request: ModelRequest,
    options: { signal: AbortSignal; onDelta: (delta: Delta) => void; keys?: TenantKeys },
  ): Promise<Outcome<ModelAnswer, ModelFailure>>
}
