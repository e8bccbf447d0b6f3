/** Parts that several facts of runs and fan-outs share; absent members say nothing. */

import type { Price } from '../../policy.ts'

/** Null and absent: unlimited. */
export interface Budget {
  readonly max_tokens?: number | null | undefined
  readonly max_model_calls?: number | null | undefined
  /** US dollars by the list of prices. */
  readonly max_cost_usd?: number | null | undefined
}

/** A share of a budget that a parent handed down; absent: the budget is the caller's own. */
export interface Slice {
  /** Nothing else spends from the same budget meanwhile, so the last call may go over it. */
  readonly sole?: true
  /** Tokens for each byte of a prompt, as calls above have shown. Absent: no call has. */
  readonly tokens_per_byte?: number
}
export interface Sliced {
  readonly slice?: Slice
}

/** A reservation of a call under a budget of tokens or dollars. */
export interface Reserved {
  /** Bytes of the prompt. */
  readonly prompt_bytes?: number
  /** The longest answer that the budget allowed, in tokens. Absent: it set no bound. */
  readonly budget_output_tokens?: number
}

/** Parameters of a spawn or a start besides the rest. */
export interface Allotted {
  readonly allotment?: Budget
}

export interface Priced {
  /** The list price of the run's model, as the policy had it at the start. */
  readonly price?: Price
}

/** Result of validating an answer against the requested schema. */
export interface Checked {
  readonly structured?: unknown
  readonly schema_error?: string
}

/** How a model gets the schema that its answer must fit. */
export interface SchemaMeans {
  /** Native support of the provider; else in the prompt. */
  readonly native: boolean
  /** Calls with tools have the schema in the prompt in any case. */
  readonly only?: 'without_tools'
  /** Why not natively, or not always. */
  readonly reason?: string
}

/** Absent: no schema was requested, or an older release put it into the prompt. */
export interface SchemaTold {
  readonly structured_output?: SchemaMeans
}

/** A run's parameters besides its input. */
export interface Shaped {
  /** JSON Schema of the answer. */
  readonly output_schema?: Readonly<Record<string, unknown>>
  /** A run without an answer that fits fails. Absent: it completes and says why. */
  readonly output_schema_required?: true
  /** Blob of the messages before the input, at the start of the transcript. */
  readonly fork?: string
}

export interface RunWarning {
  readonly code: string
  readonly message: string
  /** The remedy. Absent: none is known. */
  readonly hint?: string
}

/** A fan-out says which tasks it concerns, by their places in the list. */
export interface TaskWarning extends RunWarning {
  readonly tasks: readonly number[]
}

/** Absent: nothing is odd. */
export interface Warned {
  readonly warnings?: readonly RunWarning[]
}

/** When it began and how long it took, ms; absent: its trace is not exported. */
export interface Timed {
  readonly began_at?: number
  readonly duration_ms?: number
}

/** The beginning that a caller wants; absent members: at once, for ever, like any other. */
export interface Begins {
  /** Ms since 1970. */
  readonly start_at?: number
  readonly expires_at?: number
  /** Priority among the queued runs of a lane; higher values start first. */
  readonly priority?: number
}
