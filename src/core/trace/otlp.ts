/**
 * Encodes spans as OTLP JSON (`ExportTraceServiceRequest`): IDs in hex, times in nanoseconds as
 * strings.
 */

import type { Span, SpanValue } from './span.ts'

interface Attribute {
  readonly key: string
  readonly value: object
}

const KINDS: Readonly<Record<Span['kind'], number>> = { internal: 1, client: 3 }
const ERROR = 2

export const otlpRequest = (
  resource: Readonly<Record<string, SpanValue>>,
  spans: readonly Span[],
): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [{ scope: { name: 'strata' }, spans: spans.map(otlpSpan) }],
    },
  ],
})

function otlpSpan({ trace, id, parent, error, links = [], ...span }: Span): object {
  const failed = error && { 'error.type': error.type }
  return {
    traceId: trace,
    spanId: id,
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: nanoseconds(span.start),
    endTimeUnixNano: nanoseconds(span.end),
    attributes: attributesOf({ ...span.attributes, ...failed }),
    ...(links.length === 0
      ? {}
      : { links: links.map((link) => ({ traceId: link.trace ?? trace, spanId: link.span })) }),
    ...(error ? { status: { code: ERROR, ...messageOf(error.message) } } : {}),
  }
}

const messageOf = (message: string | undefined) => (message === undefined ? {} : { message })

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`

const attributesOf = (values: Readonly<Record<string, SpanValue | undefined>>): Attribute[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  )

function anyValue(value: SpanValue): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { arrayValue: { values: value.map(anyValue) } }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
