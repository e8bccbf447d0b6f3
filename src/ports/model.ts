/** The model port: one call, where every failure is a value. */

import type { Modality } from '../core/media.ts'
import type { AssistantPart, Message, ToolSpec, Usage } from '../core/message.ts'
import type { ModelSettings } from '../core/model-settings.ts'
import type { Price } from '../core/policy.ts'
import type { SchemaMeans } from '../core/run/log/fact-parts.ts'
import type { Outcome } from '../lib/outcome.ts'

export type { Modality }

export interface ModelInfo {
  /** ID as `provider/model`, which is recorded with the answer. */
  readonly id: string
  /** Context window in tokens; a cautious default when unknown. */
  readonly window: number
  /** Set when the window size is unknown. */
  readonly window_assumed?: true
  /** Longest answer in tokens; absent: unknown. */
  readonly max_output?: number
  /** Supported content; absent: unknown, so only text is safe. */
  readonly input?: readonly Modality[]
  /** List price in US dollars, for short requests where long ones cost more; absent: unknown. */
  readonly price?: Price
  /** Settings of the alias that was used. */
  readonly settings?: ModelSettings
  /** Models to try in this order when this one is unavailable; absent: none. */
  readonly fallbacks?: readonly Pick<ModelInfo, 'id' | 'window' | 'window_assumed' | 'price'>[]
  /**
   * Whether the reference was neither an alias nor `provider/model` and was assigned to the only
   * possible server.
   */
  readonly guessed?: boolean
  /** How it receives the requested schema; absent: only in the prompt. */
  readonly structured_output?: SchemaMeans
}
export interface ModelMissing {
  readonly message: string
  /** Set when the server that lists the model is unavailable; a retry may succeed. */
  readonly away?: true
}
export interface ModelRequest {
  readonly model: string
  /** The agent's prompt, byte for byte. */
  readonly system: string
  /** A second system message, about what this run lacks. */
  readonly notes?: string | undefined
  /** Messages with loaded bodies and only the media that the model supports. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /**
   * Schema that the provider enforces. A provider that cannot do so rejects the request
   * (`rejected`); nothing is dropped silently.
   */
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly settings?: ModelSettings | undefined
  /** The `traceparent` header; absent without a trace. */
  readonly traceparent?: string | undefined
}
export interface ModelAnswer {
  /**
   * Parts of the answer; calls have the provider's ID in both fields, and the engine names them.
   */
  readonly parts: readonly AssistantPart[]
  /** Plausible usage (`core/usage.ts`), in whole tokens. */
  readonly usage: Usage
  /** Number of calls beyond the stored ones. */
  readonly dropped_calls?: number | undefined
  readonly finish: 'stop' | 'calls' | 'length' | 'refusal' | 'other'
  /** The model that actually answered, if the provider reports it. */
  readonly model: string
  /** Sentences about settings that the provider ignores or adapts; absent: none. */
  readonly warnings?: readonly string[] | undefined
  /** Corrected or omitted parts: their number, and the first descriptions; absent: none. */
  readonly mended?: { readonly count: number; readonly notes: readonly string[] } | undefined
}
export interface ModelFailure {
  /**
   * `too_long`: the request exceeds the model's window. `unauthorized`, `payment_required`, and
   * `model_not_found` do not concern the request, so another provider may accept it.
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
  /** Whether the same request may succeed later. */
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
  /** Higher prices above a number of input tokens; null: none known. */
  readonly long: { readonly above: number; readonly price: Price } | null
  /** Source page of the facts, with its date; null: from the configuration, or unknown. */
  readonly source: string | null
  readonly read: string | null
}
export interface ListedAlias {
  readonly alias: string
  /** Models in order of preference; empty when none is configured. */
  readonly models: readonly string[]
  readonly settings: ModelSettings | null
}
export interface ModelList {
  /** Model of runs that name none; null: runs must name one. */
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
  /** Embedding model for memory search; absent: none configured. */
  readonly embedding?: Embedding
  /**
   * Loads what `find` needs: the first model that a server lists. Await it before `find`. Never
   * throws; `find` reports a failure. Absent: nothing to load.
   */
  ready?(): Promise<void>
  /** Lists all known available models; absent: unknown. */
  list?(): ModelList
  /**
   * Resolves a reference (alias, `provider/model`, or none for the default). The failure is a
   * sentence for people that names what is missing, e.g. a variable. `schema`: also returns how the
   * model receives it.
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
