/** A span as it is read from a log; times are ms since 1970. */

export type SpanValue = string | number | boolean | readonly string[]

export interface Span {
  /** 32 hex digits. */
  readonly trace: string
  /** 16 hex digits. */
  readonly id: string
  /** Absent: it is the root. */
  readonly parent?: string
  readonly name: string
  /** `client`: a call to another service. */
  readonly kind: 'internal' | 'client'
  readonly start: number
  readonly end: number
  /** Undefined ones are left out. */
  readonly attributes: Readonly<Record<string, SpanValue | undefined>>
  /** Why it failed; absent: it did not. */
  readonly error?: SpanError
  readonly links?: readonly SpanLink[]
}

/** Another span; without a trace: of the same. */
export interface SpanLink {
  readonly trace?: string
  readonly span: string
}

export interface SpanError {
  /** Has low cardinality. */
  readonly type: string
  readonly message?: string
}
