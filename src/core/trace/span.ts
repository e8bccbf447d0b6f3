/** Span read from a log; times are milliseconds since 1970. */

export type SpanValue = string | number | boolean | readonly string[]

export interface Span {
  /** Trace ID, 32 hex digits. */
  readonly trace: string
  /** Span ID, 16 hex digits. */
  readonly id: string
  /** ID of the parent span; absent for the root span. */
  readonly parent?: string
  readonly name: string
  /** Kind of the span; `client` marks a call to another service. */
  readonly kind: 'internal' | 'client'
  readonly start: number
  readonly end: number
  /** Attributes of the span; undefined values are omitted. */
  readonly attributes: Readonly<Record<string, SpanValue | undefined>>
  /** Error of the operation; absent on success. */
  readonly error?: SpanError
  readonly links?: readonly SpanLink[]
}

/** Link to another span; without a trace ID, to a span of the same trace. */
export interface SpanLink {
  readonly trace?: string
  readonly span: string
}

export interface SpanError {
  /** Error type with low cardinality. */
  readonly type: string
  readonly message?: string
}
