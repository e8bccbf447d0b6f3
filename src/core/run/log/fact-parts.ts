/** Parts shared by several facts of runs and fan-outs; absent members are unspecified. */

import type { Price } from '../../policy.ts'

/** Budget of a run; null or absent members are unlimited. */
export interface Budget {
  readonly max_tokens?: number | null | undefined
  readonly max_model_calls?: number | null | undefined
  /** Maximum cost in US dollars at list prices. */
  readonly max_cost_usd?: number | null | undefined
}

/** Share of a budget allotted by a parent; absent if the budget is the caller's own. */
export interface Slice {
  /** Whether nothing else spends from the same budget, so the last call may exceed it. */
  readonly sole?: true
  /** Tokens per byte of prompt, measured by calls of ancestors; absent if not measured. */
  readonly tokens_per_byte?: number
}
export interface Sliced {
  readonly slice?: Slice
}

/** Reservation of a call under a budget of tokens or dollars. */
export interface Reserved {
  /** Size of the prompt in bytes. */
  readonly prompt_bytes?: number
  /**
   * Maximum answer length that the budget allowed, in tokens; absent if the budget set no bound.
   */
  readonly budget_output_tokens?: number
}

/** Budget allotted by a spawn or start. */
export interface Allotted {
  readonly allotment?: Budget
}

export interface Priced {
  /** List price of the run's model, from the policy at the start. */
  readonly price?: Price
}

/** Result of validating an answer against the requested schema. */
export interface Checked {
  readonly structured?: unknown
  readonly schema_error?: string
}

/** Way in which a model receives the schema that its answer must match. */
export interface SchemaMeans {
  /** Whether the provider supports schemas natively; otherwise the schema is in the prompt. */
  readonly native: boolean
  /**
   * Whether native support applies only to calls without tools; calls with tools have the schema in
   * the prompt.
   */
  readonly only?: 'without_tools'
  /** Reason why the schema is not used natively, or not always. */
  readonly reason?: string
}

/**
 * Form in which the schema was sent; absent if no schema was requested, or an older release put it
 * into the prompt.
 */
export interface SchemaTold {
  readonly structured_output?: SchemaMeans
}

/** Parameters of a run besides its input. */
export interface Shaped {
  /** JSON Schema of the answer. */
  readonly output_schema?: Readonly<Record<string, unknown>>
  /** Whether a run without a valid answer fails; if absent, the run completes and explains why. */
  readonly output_schema_required?: true
  /** Blob of the messages before the input, at the start of the transcript. */
  readonly fork?: string
}

export interface RunWarning {
  readonly code: string
  readonly message: string
  /** Suggested remedy; absent if none is known. */
  readonly hint?: string
}

/** Warning of a fan-out, with the list positions of the affected tasks. */
export interface TaskWarning extends RunWarning {
  readonly tasks: readonly number[]
}

/** Warnings; absent if there are none. */
export interface Warned {
  readonly warnings?: readonly RunWarning[]
}

/** Start time and duration in milliseconds; absent if the trace is not exported. */
export interface Timed {
  readonly began_at?: number
  readonly duration_ms?: number
}

/**
 * Requested start of a run; absent members mean immediately, without expiry, and with default
 * priority.
 */
export interface Begins {
  /** Earliest start, in milliseconds since 1970. */
  readonly start_at?: number
  readonly expires_at?: number
  /** Priority among the queued runs of a lane; higher values start first. */
  readonly priority?: number
}
