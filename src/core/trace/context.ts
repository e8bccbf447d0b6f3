/**
 * Position of a run or fan-out in a trace (W3C Trace Context), pinned with the first fact. Span IDs
 * derive from this position and the span's subject, so every reader of the log computes the same
 * IDs. `tracestate` is not forwarded, so that no third-party text enters a header.
 */

import { sha256 } from '../../lib/digest.ts'

export interface TraceContext {
  /** Trace ID, 32 hex digits. */
  readonly id: string
  /** Span of the caller that sent a `traceparent`; absent when the trace starts here. */
  readonly caller?: string
  /** Whether the caller wants the trace recorded. */
  readonly sampled: boolean
  /** Set when the server exports spans of this trace; absent when the trace is only forwarded. */
  readonly exported?: true
}

/** Object with an optional trace context; absent when the run is in no trace. */
export interface Traced {
  readonly trace?: TraceContext
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZEROS = /^0+$/
const SAMPLED = 1

/**
 * Parses a `traceparent` header; returns undefined for a missing or invalid header, which is
 * ignored.
 */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, id = '', caller = '', flags = '', more] = FORM.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  // Later versions may append members.
  if (version === '00' && more !== undefined) return undefined
  if (ZEROS.test(id) || ZEROS.test(caller)) return undefined
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0
  return { id, caller, sampled }
}

/** Returns the trace of a new root run: the caller's, or a new trace where spans are exported. */
export function traceOf(root: string, header: string | undefined, exports: boolean): Traced {
  const callerTrace = parseTraceparent(header)
  if (callerTrace) {
    const exported = exports && callerTrace.sampled
    return { trace: { ...callerTrace, ...(exported ? { exported } : {}) } }
  }
  if (!exports) return {}
  const id = sha256(JSON.stringify(['trace', root])).slice(0, 32)
  return { trace: { id, sampled: true, exported: true } }
}

/** Returns the ID of a span: of the run or fan-out, or of the part identified by `about`. */
export const spanId = (owner: string, ...about: readonly (string | number)[]): string =>
  sha256(JSON.stringify([owner, ...about])).slice(0, 16)

/** Returns the ID of the span of a run or fan-out. */
export const runSpan = (owner: string): string => spanId(owner, 'run')
/** Returns the ID of a tool call's span; a subagent's span is a child of this span. */
export const callSpan = (owner: string, call: string): string => spanId(owner, 'call', call)
/** Returns the ID of the span of a step's model answer. */
export const chatSpan = (owner: string, step: number): string => spanId(owner, 'chat', step)

/**
 * Returns the `traceparent` to send under an exported span, or else the caller's header unchanged.
 */
export function traceparent({ trace }: Traced, span: string): string | undefined {
  const parent = trace?.exported ? span : trace?.caller
  if (!trace || parent === undefined) return undefined
  return `00-${trace.id}-${parent}-${trace.sampled ? '01' : '00'}`
}

/** Returns the trace as request headers; empty when there is no trace. */
export function traceHeaders(header: string | undefined): { readonly traceparent?: string } {
  return header === undefined ? {} : { traceparent: header }
}
