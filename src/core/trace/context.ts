/**
 * The position of a run or fan-out in a trace (W3C Trace Context), pinned with its first fact. IDs
 * of spans derive from it and from their subject, so they are the same for every reader of the log.
 * `tracestate` is not carried, because third-party text becomes no header.
 */

import { sha256 } from '../../lib/digest.ts'

export interface TraceContext {
  /** 32 hex digits. */
  readonly id: string
  /** The span of the caller that sent a `traceparent`; absent: the trace begins here. */
  readonly caller?: string
  /** The caller wants it recorded. */
  readonly sampled: boolean
  /** Our spans of it are exported; absent: the trace is only passed on. */
  readonly exported?: true
}

/** Absent: in no trace. */
export interface Traced {
  readonly trace?: TraceContext
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const ZEROS = /^0+$/
const SAMPLED = 1

/** A header as it came; undefined when it is none, or not valid: it is then passed over. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, id = '', caller = '', flags = '', more] = FORM.exec(header ?? '') ?? []
  if (version === undefined || version === 'ff') return undefined
  // Later versions may append members.
  if (version === '00' && more !== undefined) return undefined
  if (ZEROS.test(id) || ZEROS.test(caller)) return undefined
  const sampled = (Number.parseInt(flags, 16) & SAMPLED) !== 0
  return { id, caller, sampled }
}

/** The trace of a new root: its caller's, or one of its own where traces are exported. */
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

/** The id of a span: of the run or fan-out itself, or of what is named by the rest. */
export const spanId = (owner: string, ...about: readonly (string | number)[]): string =>
  sha256(JSON.stringify([owner, ...about])).slice(0, 16)

/** The own span of a run or fan-out. */
export const runSpan = (owner: string): string => spanId(owner, 'run')
/** The span of a call; a subagent's own span is its child. */
export const callSpan = (owner: string, call: string): string => spanId(owner, 'call', call)
/** The span of a step's answer. */
export const chatSpan = (owner: string, step: number): string => spanId(owner, 'chat', step)

/** The header that goes out under a span of ours; where none is exported, the caller's goes on. */
export function traceparent({ trace }: Traced, span: string): string | undefined {
  const parent = trace?.exported ? span : trace?.caller
  if (!trace || parent === undefined) return undefined
  return `00-${trace.id}-${parent}-${trace.sampled ? '01' : '00'}`
}

/** As a header of a request; none: it is in no trace. */
export function traceHeaders(header: string | undefined): { readonly traceparent?: string } {
  return header === undefined ? {} : { traceparent: header }
}
