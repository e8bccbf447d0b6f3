/** Trace span read from a log. Times are milliseconds since 1970. */

export type SpanValue = string | number | boolean | readonly string[]

export interface Span {
  /** Trace ID as 32 hex digits. */
  readonly trace: string
  /** Span ID as 16 hex digits. */
  readonly id: string
  /** ID of the parent span; absent for the root span. */
  readonly parent?: string
  readonly name: string
  /** Span kind; `client` marks a call to another service. */
  readonly kind: 'internal' | 'client'
  readonly start: number
  readonly end: number
  /** Span attributes; undefined values are omitted. */
  readonly attributes: Readonly<Record<string, SpanValue | undefined>>
  /** Error of the traced operation; absent on success. */
  readonly error?: SpanError
  readonly links?: readonly SpanLink[]
}

/** Link to another span; without a trace ID, to a span in the same trace. */
export interface SpanLink {
  readonly trace?: string
  readonly span: string
}

export interface SpanError {
  /** Error type, one of few distinct values. */
  readonly type: string
  readonly message?: string
}
