/** The model port: one call, and every failure a value. */

import type { Modality } from '../core/media.ts'
import type { AssistantPart, Message, ToolSpec, Usage } from '../core/message.ts'
import type { ModelSettings } from '../core/model-settings.ts'
import type { Price } from '../core/policy.ts'
import type { SchemaMeans } from '../core/run/log/fact-parts.ts'
import type { Outcome } from '../lib/outcome.ts'

export type { Modality }

export interface ModelInfo {
  /** `provider/model`, the name that is recorded with the answer. */
  readonly id: string
  /** Context window in tokens; a cautious one when it is not known. */
  readonly window: number
  /** Nothing says how large the window is. */
  readonly window_assumed?: true
  /** Longest answer in tokens. Absent: not known. */
  readonly max_output?: number
  /** Content that it takes. Absent: not known, so nothing but text is safe. */
  readonly input?: readonly Modality[]
  /** List price in US dollars, of short requests where long ones cost more. Absent: not known. */
  readonly price?: Price
  /** Settings of the alias that named it. */
  readonly settings?: ModelSettings
  /** Models to ask, in this order, when this one does not answer. Absent: none. */
  readonly fallbacks?: readonly Pick<ModelInfo, 'id' | 'window' | 'window_assumed' | 'price'>[]
  /** Neither an alias nor `provider/model`: taken for a model of the only server that may have it. */
  readonly guessed?: boolean
  /** How it takes the schema that was asked about; absent: in the prompt alone. */
  readonly structured_output?: SchemaMeans
}
export interface ModelMissing {
  readonly message: string
  /** The server that names the model is away: the same question may be answered later. */
  readonly away?: true
}
export interface ModelRequest {
  readonly model: string
  /** The agent's own prompt, byte for byte. */
  readonly system: string
  /** A second system message: what is missing in this run. */
  readonly notes?: string | undefined
  /** Bodies are loaded: no references. Pictures and the like are such as the model takes. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  /**
   * The answer is held to this schema by the provider's own means. One that cannot do so refuses
   * the request (`rejected`); nothing is left out of it silently.
   */
  readonly output_schema?: Readonly<Record<string, unknown>> | undefined
  readonly settings?: ModelSettings | undefined
  /** A header of the request; absent: it is in no trace. */
  readonly traceparent?: string | undefined
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
  /** Settings that the provider does not take, or takes otherwise: sentences. Absent: none. */
  readonly warnings?: readonly string[] | undefined
  /** Oddities that were mended or left out: how many, and the first phrases. Absent: none. */
  readonly mended?: { readonly count: number; readonly notes: readonly string[] } | undefined
}
export interface ModelFailure {
  /**
   * `too_long`: the request is more than the model's window takes. `unauthorized`,
   * `payment_required` and `model_not_found` say nothing about the request: another provider may
   * take it.
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
  /** Spent although nothing came of it, when known. */
  readonly usage?: Usage | undefined
}
export type Delta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }

/** A model that a deployment can reach; null: not known. */
export interface ListedModel {
  readonly id: string
  readonly provider: string
  readonly kind: string
  readonly window: number | null
  readonly max_output: number | null
  readonly input: readonly Modality[] | null
  readonly price: Price | null
  /** Dearer prices of requests with more input than so many tokens; null: none are known. */
  readonly long: { readonly above: number; readonly price: Price } | null
  /** The page of the facts, and its date. Null: from the configuration, or unknown. */
  readonly source: string | null
  readonly read: string | null
}
export interface ListedAlias {
  readonly alias: string
  /** In the order in which they are asked; empty: none of its models is configured. */
  readonly models: readonly string[]
  readonly settings: ModelSettings | null
}
export interface ModelList {
  /** The model of a run that names none; null: runs must name one. */
  readonly default: string | null
  readonly models: readonly ListedModel[]
  readonly aliases: readonly ListedAlias[]
  /** Sentences about providers that cannot be used as they are. */
  readonly warnings?: readonly string[] | undefined
}

/** A model that gives vectors of texts. */
export interface Embedding {
  /** `provider/model`: vectors of another one mean nothing beside its own. */
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
  /** For search in memory. Absent: none is configured. */
  readonly embedding?: Embedding
  /**
   * Reads what `find` needs and does not have: which model a server lists first. To be awaited
   * before `find`; never throws, a failure is what `find` then says. Absent: nothing is needed.
   */
  ready?(): Promise<void>
  /** All models that are available, as far as known. Absent: unknown. */
  list?(): ModelList
  /**
   * Which model a reference (alias, `provider/model`, or none for the default) means.
   * The failure is a sentence for people that names what is missing, e.g. a variable. `schema`:
   * asks how the model takes it.
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
