/**
 * Position of a run or fan-out in a trace (W3C Trace Context), pinned with the first fact. Span IDs
 * derive from this position and the span's subject, so all readers of the log compute the same IDs.
 * `tracestate` is not forwarded, so that no third-party text enters a header.
 */

import { sha256 } from '../../lib/digest.ts'

export interface TraceContext {
  /** Trace ID as 32 hex digits. */
  readonly id: string
  /** ID of the caller's span, from its `traceparent`; absent if the trace starts here. */
  readonly caller?: string
  /** Whether the caller requested that the trace be recorded. */
  readonly sampled: boolean
  /** Present if the server exports spans of this trace; absent if the trace is only forwarded. */
  readonly exported?: true
}

/** Object with an optional trace context; absent if the run belongs to no trace. */
export interface Traced {
  readonly trace?: TraceContext
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZEROS = /^0+$/
const SAMPLED = 1

/**
 * Parses a `traceparent` header. Returns undefined if the header is missing, or invalid and thus
 * ignored.
 */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, id = '', caller = '', flags = '', more] = FORM.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  // Later `traceparent` versions may append fields.
  if (version === '00' && more !== undefined) return undefined
  if (ZEROS.test(id) || ZEROS.test(caller)) return undefined
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0
  return { id, caller, sampled }
}

/** Returns the trace of a new root run: the caller's trace, or a new one if spans are exported. */
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

/** Returns a span's ID, derived from the run or fan-out and, for one of its parts, from `about`. */
export const spanId = (owner: string, ...about: readonly (string | number)[]): string =>
  sha256(JSON.stringify([owner, ...about])).slice(0, 16)

/** Returns the span ID of a run or fan-out. */
export const runSpan = (owner: string): string => spanId(owner, 'run')
/** Returns the span ID of a tool call. A subagent's span is a child of this span. */
export const callSpan = (owner: string, call: string): string => spanId(owner, 'call', call)
/** Returns the span ID of a step's model answer. */
export const chatSpan = (owner: string, step: number): string => spanId(owner, 'chat', step)

/**
 * Returns the `traceparent` to send: for an exported span if the trace is exported, otherwise the
 * caller's header unchanged.
 */
export function traceparent({ trace }: Traced, span: string): string | undefined {
  const parent = trace?.exported ? span : trace?.caller
  if (!trace || parent === undefined) return undefined
  return `00-${trace.id}-${parent}-${trace.sampled ? '01' : '00'}`
}

/** Returns the trace as request headers; empty without a trace. */
export function traceHeaders(header: string | undefined): { readonly traceparent?: string } {
  return header === undefined ? {} : { traceparent: header }
}
