/** Parts shared by several facts of runs and fan-outs; an absent member is unspecified. */

import type { Price } from '../../policy.ts'

/** Budget of a run; a null or absent member is unlimited. */
export interface Budget {
  readonly max_tokens?: number | null | undefined
  readonly max_model_calls?: number | null | undefined
  /** Maximum cost in US dollars at list prices. */
  readonly max_cost_usd?: number | null | undefined
}

/** Share of a budget that a parent allotted; absent if the caller set the budget. */
export interface Slice {
  /** Whether nothing else spends from the same budget, so that the last call may exceed it. */
  readonly sole?: true
  /** Tokens per byte of prompt, measured by model calls of ancestors; absent if not measured. */
  readonly tokens_per_byte?: number
}
export interface Sliced {
  readonly slice?: Slice
}

/** Reservation of a model call under a budget of tokens or dollars. */
export interface Reserved {
  /** Size of the call's prompt in bytes. */
  readonly prompt_bytes?: number
  /**
   * Maximum answer length that the budget allowed, in tokens; absent if the budget set no bound.
   */
  readonly budget_output_tokens?: number
}

/** Budget allotted to a child when it is spawned or started. */
export interface Allotted {
  readonly allotment?: Budget
}

export interface Priced {
  /** List price of the run's model, from the policy when the run started. */
  readonly price?: Price
}

/** Result of validating an answer against the requested JSON Schema. */
export interface Checked {
  readonly structured?: unknown
  readonly schema_error?: string
}

/** Way in which a model receives the JSON Schema of its answer. */
export interface SchemaMeans {
  /** Whether the provider supports schemas natively; otherwise the prompt contains the schema. */
  readonly native: boolean
  /**
   * Whether native support applies only to calls without tools; for calls with tools, the prompt
   * contains the schema.
   */
  readonly only?: 'without_tools'
  /** Reason why the schema is not used natively, or only for some calls. */
  readonly reason?: string
}

/**
 * Form in which the model received the schema; absent if no schema was requested, or an older
 * release put the schema into the prompt.
 */
export interface SchemaTold {
  readonly structured_output?: SchemaMeans
}

/** Parameters of a run other than its input. */
export interface Shaped {
  /** JSON Schema that the answer must match. */
  readonly output_schema?: Readonly<Record<string, unknown>>
  /**
   * Whether the run fails without a valid answer; if absent, the run completes and explains why the
   * answer is invalid.
   */
  readonly output_schema_required?: true
  /** Blob of forked messages that precede the input at the start of the transcript. */
  readonly fork?: string
}

export interface RunWarning {
  readonly code: string
  readonly message: string
  /** Suggested remedy for the problem; absent if none is known. */
  readonly hint?: string
}

/** Warning of a fan-out, with the list positions of the affected tasks. */
export interface TaskWarning extends RunWarning {
  readonly tasks: readonly number[]
}

/** Warnings recorded with the fact; absent if there are none. */
export interface Warned {
  readonly warnings?: readonly RunWarning[]
}

/**
 * Start time and duration in milliseconds; absent in logs of older releases that exported no
 * traces.
 */
export interface Timed {
  readonly began_at?: number
  readonly duration_ms?: number
}

/**
 * Requested start of a run. If members are absent, the run starts immediately, without expiry, and
 * with default priority.
 */
export interface Begins {
  /** Earliest start time, in milliseconds since 1970. */
  readonly start_at?: number
  readonly expires_at?: number
  /** Priority among the queued runs of a lane; runs with higher values start first. */
  readonly priority?: number
}
